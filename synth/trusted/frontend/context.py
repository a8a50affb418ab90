"""The state of one lowering pass: the statements so far, the scope, and fresh names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import flattening, shapes, values
from synth.trusted.frontend.inference import Inference, UnresolvedError
from synth.trusted.frontend.labels import Codes
from synth.trusted.frontend.module import Function, Module
from synth.trusted.frontend.shapes import MismatchError
from synth.trusted.frontend.source import Located, Source
from synth.trusted.frontend.values import Value
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

Interval = tuple[ir.Expression, ir.Expression]
"""The ends of an interval of reals."""

MAX_STATEMENTS = 5_000


class Hidden(StrEnum):
    """Hidden variables and lists that are assigned at one place only, and what their names begin with.

    Which one is of which kind is noted when it is made: names of the program may begin with the same.
    """

    ARRAY = "array"
    NUMBER = "held"
    VECTOR = "vector"


@dataclass
class Table:
    """The keys of a dict so far, and the block where it was made; of a tally the value of all other keys.

    ``counted`` is the parameter whose entries a tally counts; ``lists`` are the entries that are lists, by
    the number of their key: each is put there once, with the key.
    """

    block: int
    keys: list[Value] = field(default_factory=list)
    default: Value | None = None
    counted: Value | None = None
    lists: dict[int, values.ListValue] = field(default_factory=dict)


COPY = "%local"
"""How the variable is called that a parameter of the mechanism is copied to, behind the parameter's name."""


def owner_of(local: str) -> str:
    """Whose the array is that a variable has: a parameter and its copy are one."""
    return local.removesuffix(COPY)


@dataclass
class Scope:
    """The function that is being lowered, and what its names mean.

    ``label`` is what a return of an inlined function leaves; None in the mechanism itself.  ``renewed`` are
    the names that an assignment at the top level has bound to another list than before.  ``cells`` are
    the entries that the iterations around may change.  ``by_value`` says that a function is called that is a
    value.  ``given`` are the arguments of a function that is inlined, ``decided`` its branches of which one
    side was taken when they were read last, ``sides`` what is read of its conditional expressions.  ``body``
    are the statements of the function itself; ``several`` says that what it gives back is kept in a variable.
    ``yielded`` is what is done with a value that a generator yields.
    """

    function: Function | None
    prefix: str = ""
    bindings: dict[str, Value] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    label: str | None = None
    returns_last: bool = False
    result: Value | None = None
    body: list[ir.Statement] | None = None
    several: bool = False
    caller: Scope | None = None
    path: tuple[ast.expr, ...] = ()
    loops: list[tuple[str, str]] = field(default_factory=list)
    renewed: set[str] = field(default_factory=set)
    cells: dict[str, values.Cell] = field(default_factory=dict)
    by_value: bool = False
    given: Mapping[str, Value] = field(default_factory=dict)
    decided: set[ast.If] = field(default_factory=set)
    sides: dict[ast.IfExp, set[ast.expr]] = field(default_factory=dict)
    yielded: Callable[[Value], None] | None = None

    def local(self, name: str) -> str | None:
        """The variable that a local name stands for."""
        if name in self.renamed:
            return self.renamed[name]
        if self.function is not None and name in self.function.assigned:
            return self.prefix + name
        return None


@dataclass(frozen=True)
class Position:
    """Where a loop over records, whose position has that ``number``, has come to.

    The record is at that ``place`` of the core program, of those that ``present`` tells of.
    """

    number: str
    present: str
    place: ir.Expression


@dataclass
class Context:
    """One pass over a mechanism.

    ``expression`` and ``execute`` tie the recursive parts of the lowering together.  ``where``
    is set for an expression outside functions, such as ``requires``, and names it.  ``public`` are
    expressions that may not mention private data, with what is said if they do; ``caught`` are
    the exceptions that a ``try`` around what is read catches, ``unpacked`` is the call of which the result
    is unpacked at once, into so many ``results``, or dropped; ``raises`` the places of raises,
    ``published_raises`` of those that are outputs, of which ``exceptions`` numbers the texts; ``prints``
    those where something is shown.  Where what is shown is an output, ``published_prints`` has the places,
    ``shown`` is the list of it, ``shown_texts`` numbers the texts, of which
    ``shown_places`` has the place of those that are logged.  ``obstacles`` are the errors
    of all passes so far: with one of them there is no program, and the reader only looks for the others.
    ``decided`` are the branches of which only one side can be taken where they were read last.
    ``lacking`` are the nodes that the language lacks; ``models`` the functions of stubs that are called.
    ``given`` are the arguments of the mechanism, by its parameters, and ``changed_given`` the lists among
    them of which a loop changes the entries; ``certain`` the attributes that their
    objects have for sure.
    ``sums`` has the arrays whose sum a variable of the stub of numpy is, ``filled`` those that are the
    entries of a hidden list, and all of them.
    ``uniform`` says that there are uniform draws, ``sought`` what is looked for among sums that have to
    ascend, with its place.  Of calls that are ``picked`` only an entry is used.
    ``around`` are the loops around what is read, of ``loops`` so far.  ``standard_draws``
    were made by stubs: a factor becomes a part of their scale.  Of uniform draws, ``intervals`` are
    where they are known to be, None if they are used up, and ``halves`` what a comparison says of them.
    ``depth`` is the number of loops around what is read, ``bodies`` are those around the current one, each
    with its depth.  ``begun`` are the generators that something runs over, ``used_up`` those whose loops
    are emitted.  ``known`` are the variables that have this value wherever they are read now, ``positions``
    those that number the records of a loop and have the number of the one that it has come to.  ``labels``
    are the codes of strings, the same in all passes.
    """

    module: Module
    source: Source
    inference: Inference
    scope: Scope
    expression: Callable[[Context, ast.expr], Value]
    execute: Callable[[Context, list[ast.stmt]], None]
    inlinings: dict[tuple[ast.expr, ...], int] = field(default_factory=dict)
    where: str = ""
    hidden: frozenset[str] = frozenset()
    given: Mapping[str, Value] = field(default_factory=dict)
    parameters: frozenset[str] = frozenset()
    public_parameters: frozenset[str] = frozenset()
    facts: tuple[ir.Expression, ...] = ()
    body: list[ir.Statement] = field(default_factory=list)
    bodies: list[tuple[list[ir.Statement], int]] = field(default_factory=list)
    unresolved: list[ProgramError] = field(default_factory=list)
    obstacles: list[ProgramError] = field(default_factory=list)
    lacking: frozenset[ast.AST] = frozenset()
    aliases: dict[str, str] = field(default_factory=dict)
    references: dict[str, Value] = field(default_factory=dict)
    certain: set[str] = field(default_factory=set)
    decided: set[ast.If] = field(default_factory=set)
    shared: dict[str, Located | ir.Span] = field(default_factory=dict)
    rebuilt: set[str] = field(default_factory=set)
    emptied: set[tuple[str, ir.Span]] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    iterating: list[str] = field(default_factory=list)
    depth: int = 0
    around: list[int] = field(default_factory=list)
    loops: int = 0
    intervals: dict[int, Interval | None] = field(default_factory=dict)
    halves: dict[str, tuple[int, Interval, Interval]] = field(default_factory=dict)
    begun: set[int] = field(default_factory=set)
    used_up: set[int] = field(default_factory=set)
    known: dict[str, ir.Constant] = field(default_factory=dict)
    positions: dict[str, Position] = field(default_factory=dict)
    changed_lists: list[str] = field(default_factory=list)
    changed_given: dict[str, ast.For] = field(default_factory=dict)
    public: list[tuple[ir.Expression, ir.Span, Refusal, str]] = field(default_factory=list)
    raises: dict[ir.Span, None] = field(default_factory=dict)
    prints: dict[ir.Span, None] = field(default_factory=dict)
    published_raises: frozenset[ir.Span] = frozenset()
    published_prints: frozenset[ir.Span] = frozenset()
    shown: str = ""
    shown_texts: dict[str, int] = field(default_factory=dict)
    shown_places: dict[str, ir.Span] = field(default_factory=dict)
    caught: tuple[type[BaseException], ...] = ()
    unpacked: tuple[ast.Call | None, int | None] = (None, None)
    results: list[Value] = field(default_factory=list)
    exceptions: dict[str, int] = field(default_factory=dict)
    unnamed_draws: set[str] = field(default_factory=set)
    unnamed_lists: set[str] = field(default_factory=set)
    made_as: dict[str, Hidden] = field(default_factory=dict)
    sums: dict[str, values.ArrayValue] = field(default_factory=dict)
    filled: dict[str, values.ArrayValue] = field(default_factory=dict)
    uniform: bool = False
    sought: list[tuple[ir.Expression, ir.Span]] = field(default_factory=list)
    picked: set[ast.expr] = field(default_factory=set)
    standard_draws: set[str] = field(default_factory=set)
    models: dict[str, ir.Model] = field(default_factory=dict)
    labels: Codes = field(default_factory=Codes)
    dicts: dict[str, Table] = field(default_factory=dict)
    blocks: list[int] = field(default_factory=lambda: [0])
    blocks_so_far: int = 0
    writes_out: bool = False
    emitted: int = 0
    fresh: int = 0

    # --- obstacles ----------------------------------------------------------------------

    def hinder(self, error: ProgramError) -> None:
        """Note an obstacle and go on behind it.  Raises it again if nothing can be read beside it."""
        if error.line is None or error.code is Refusal.PROGRAM_TOO_LARGE:
            raise error
        self.obstacles.append(error)

    # --- statements ---------------------------------------------------------------------

    def emit(self, statement: ir.Statement) -> None:
        """Add a statement to the current body."""
        self.emitted += 1
        if self.emitted > MAX_STATEMENTS:
            message = f"the program is too large (more than {MAX_STATEMENTS} statements)"
            raise ProgramError(message, self.source.path, code=Refusal.PROGRAM_TOO_LARGE)
        self.body.append(statement)
        if isinstance(statement, ir.Append | ir.NewList):
            self.changed_lists.append(statement.target)

    @contextmanager
    def nested(self, straight: bool = False) -> Iterator[list[ir.Statement]]:
        """Collect the statements of an inner body; it is ``straight`` if it runs once, from end to end."""
        outer, self.body = self.body, []
        blocks = self.blocks
        self.bodies.append((outer, self.depth))
        if not straight:
            self.blocks_so_far += 1
            self.blocks = [*blocks, self.blocks_so_far]
        try:
            yield self.body
        finally:
            self.body, self.blocks = outer, blocks
            self.bodies.pop()

    @contextmanager
    def unpacking(self, call: ast.Call, number: int | None) -> Iterator[list[Value]]:
        """Collect what the only return of a called function gives, if that are so many values, or any."""
        outer = self.unpacked, self.results
        self.unpacked, self.results = (call, number), []
        try:
            yield self.results
        finally:
            self.unpacked, self.results = outer

    @property
    def block(self) -> int:
        """The number of the body whose statements are collected: a straight one is part of that around it."""
        return self.blocks[-1]

    @contextmanager
    def writing_out(self, wanted: bool = True) -> Iterator[None]:
        """Let loops over what is written out be written out, too."""
        outer, self.writes_out = self.writes_out, wanted
        try:
            yield
        finally:
            self.writes_out = outer

    @contextmanager
    def inside(self, module: Module, node: Located, source: Source | None = None) -> Iterator[None]:
        """Read a function of that module, which is called at a node: in a stub all places are the node's.

        ``source`` is that of a function that is a value.
        """
        if module is self.module:
            yield
            return
        outer, place = self.module, self.source
        self.module, self.source = module, source or module.source.used_at(place, node)
        try:
            yield
        finally:
            self.module, self.source = outer, place

    def require(self, kind: str, condition: ir.Expression, reason: str, node: Located) -> None:
        """Emit an obligation, unless it holds anyway."""
        if condition != builders.TRUE:
            self.emit(ir.Obligation(kind, condition, reason, self.source.span(node)))

    def check_decorated(self, node: Located) -> None:
        """Refuse a draw of synth.lang in what isn't run under ``@mechanism``.  Raises ProgramError.

        Without the decorator Python draws otherwise than was read: integer noise around a real number, say.
        """
        scope, by_value = self.scope, self.scope.by_value
        while scope.caller is not None:
            scope = scope.caller
            by_value = by_value or scope.by_value
        root = scope.function
        if self.module.stub is None and root is not None and self.module is not root.module:
            message = "a draw of synth.lang in another file than that of the mechanism is not supported"
            raise self.error(node, Refusal.UNSUPPORTED_CALL, message)
        if self.module.stub is None and by_value:
            message = (
                "a draw of synth.lang in a function that is a value is not supported: "
                "define the function at the top of the file, and call it by its name"
            )
            raise self.error(node, Refusal.UNSUPPORTED_CALL, message)
        if self.module.stub is None and scope.function is not None and scope.function.decorator is None:
            message = "what synth.lang draws is what was read under '@mechanism' only: state it there"
            raise self.error(node, Refusal.UNSUPPORTED_CALL, message)

    def exit(self, label: str, node: Located) -> None:
        """Leave the block of that label."""
        self.emit(ir.Exit(label, self.source.span(node)))

    # --- names --------------------------------------------------------------------------

    def number(self) -> int:
        """A number for a fresh name."""
        self.fresh += 1
        return self.fresh

    def temporary(self, stem: str | Hidden) -> str:
        """A name for a hidden variable, of which is kept what is known of it."""
        name = f"{stem}%{self.number()}"
        self._note(name, stem)
        return name

    def _note(self, name: str, stem: str | Hidden) -> None:
        self.made_as.pop(name, None)
        if isinstance(stem, Hidden):
            self.made_as[name] = stem

    def is_made_as(self, name: str, kind: Hidden) -> bool:
        """Whether a variable or list is a hidden one of that kind."""
        return self.made_as.get(name) is kind

    def forget(self, name: str) -> None:
        """Use the number of a hidden variable again, if it is the last one made."""
        self.halves.pop(name, None)
        self.unnamed_draws.discard(name)
        self.standard_draws.discard(name)
        if name.endswith(f"%{self.fresh}"):
            self.fresh -= 1

    def list_name(self, name: str) -> str:
        """The list that a list variable stands for."""
        return self.aliases.get(name, name)

    def error(self, node: Located | ir.Span, code: Refusal, message: str) -> ProgramError:
        """An error at a node."""
        return self.source.error(node, code, message)

    # --- variables ----------------------------------------------------------------------

    def read(self, name: str, node: Located | ir.Span, shown: str) -> Value:
        """The value of a variable."""
        try:
            shape = self.inference.shape(name)
        except MismatchError:
            message = f"'{shown}' has values of several types"
            raise self.error(node, Refusal.MIXED_TYPES, message) from None
        if shape is None:
            raise UnresolvedError(
                self.error(node, Refusal.TYPE_UNKNOWN, f"the type of '{shown}' can't be inferred")
            )
        if name in self.known and isinstance(shape, shapes.TypedLabelShape) and not shape.optional:
            return values.LabelValue(shape.kind, self.known[name])
        if name in self.known and isinstance(shape, ir.ScalarShape):
            return values.ScalarValue(builders.convert(self.known[name], shape.sort))
        value = flattening.variable(name, shape)
        if isinstance(value, values.TupleValue) and any(part.startswith(f"{name}.") for part in self.known):
            value = replace(value, items=tuple(map(self._as_known, value.items)))
        if not self.aliases and shape != ir.ListShape():
            return value
        return self._resolve(value)

    def _as_known(self, item: Value) -> Value:
        """A component of a tuple as the number that it is known to be."""
        match item:
            case values.ScalarValue(ir.Variable(name, sort)) if name in self.known:
                return values.ScalarValue(builders.convert(self.known[name], sort))
            case values.LabelValue(kind, ir.Variable(name), none) if name in self.known:
                return values.LabelValue(kind, self.known[name], none)
            case _:
                return item

    def is_fixed(self, expression: ir.Expression) -> bool:
        """Whether no assignment changes the value: it is made of parameters and constants."""
        for part in ir.subexpressions(expression):
            match part:
                case ir.Variable(name) | ir.Length(name):
                    if name not in self.parameters:
                        return False
                case ir.Element():
                    return False
        return True

    def natural(self, number: ir.Expression) -> ir.Expression:
        """A number of iterations: the number, or 0 if it is negative."""
        if isinstance(number, ir.Constant):
            return builders.integer(max(0, int(number.value)))
        if self._is_natural(number):
            return number
        return builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, number)

    def _is_natural(self, number: ir.Expression) -> bool:
        """Whether a number is evidently at least 0, as a length or by the precondition."""
        if isinstance(number, ir.Length):
            return True
        for fact in self.facts:
            match fact:
                case ir.Operation(
                    ir.Operator.LESS | ir.Operator.LESS_EQUAL, (ir.Constant(value=least), larger)
                ):
                    if larger == number and least >= 0:
                        return True
        return False

    def _resolve(self, value: Value) -> Value:
        match value:
            case values.ListValue(name):
                return values.ListValue(self.list_name(name))
            case values.NamedTupleValue(items, kind):
                return values.NamedTupleValue(tuple(self._resolve(item) for item in items), kind)
            case values.TupleValue(items):
                return replace(value, items=tuple(self._resolve(item) for item in items))
            case _:
                return value

    def save(self, value: Value, node: Located | ir.Span, stem: str | Hidden = "temp") -> Value:
        """The value in hidden variables, so that it may be used more than once."""
        if self.where:
            return value
        name = self.temporary(stem)
        scalars = [
            self._save_scalar(name, place, scalar, node, stem)
            for place, scalar in enumerate(flattening.expressions(value))
        ]
        return flattening.replace(value, iter(scalars))

    def _save_scalar(
        self, name: str, place: int, scalar: ir.Expression, node: Located | ir.Span, stem: str | Hidden
    ) -> ir.Expression:
        if isinstance(scalar, ir.Constant):
            return scalar
        target = f"{name}.{place}" if place else name
        self._note(target, stem)
        self.emit(ir.Assign(target, scalar, self.source.place(node)))
        return ir.Variable(target, scalar.sort)

    def ordered(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """The values of expressions that are evaluated one after the other."""
        return self.in_turn([(node, partial(self.expression, self, node)) for node in nodes])

    def in_turn(self, parts: Sequence[tuple[ast.expr, Callable[[], Value]]]) -> list[Value]:
        """What is computed one after the other, each where it stands: a later one may change what is read."""
        result: list[Value] = []
        for node, evaluate in parts:
            start, changes = len(self.body), len(self.changed_lists)
            value = evaluate()
            changed = frozenset(self.changed_lists[changes:])
            for old in result:
                if isinstance(old, values.GeneratorValue):
                    self.check_unchanged(node, old.lists, changes)
            if changed:
                result = [self._save_before(start, old, changed, node) for old in result]
            result.append(value)
        return result

    def check_unchanged(self, node: Located, lists: Iterable[str], start: int) -> None:
        """Refuse to change a list beside an iterator over it.  Raises ProgramError.

        ``start`` is how many changes there were when it was made.
        """
        if not frozenset(self.changed_lists[start:]).isdisjoint(lists):
            message = "a list is changed beside an iterator over it: change it in a statement before"
            raise self.error(node, Refusal.LIST_CHANGED_IN_LOOP, message)

    def _save_before(self, start: int, value: Value, changed: frozenset[str], node: ast.expr) -> Value:
        """Keep a value that was computed before its lists changed."""
        if isinstance(value, values.MatrixValue):
            self._save_before(start, value.flat, changed, node)
        if isinstance(value, values.ArrayValue) and any(
            mentions_list(p, changed) for p in flattening.parts(value)
        ):
            message = "a list is changed beside an array of its entries: change it in a statement before"
            raise self.error(node, Refusal.UNSUPPORTED_ARRAY, message)
        if not any(mentions_list(scalar, changed) for scalar in flattening.expressions(value)):
            return value
        with self.nested() as saved:
            value = self.save(value, node)
        self.body[start:start] = saved
        return value

    # --- conversions --------------------------------------------------------------------

    def scalar(self, value: Value, node: Located) -> ir.Expression:
        """A value used as a number or truth value."""
        match value:
            case values.ScalarValue(expression):
                return expression
            case values.OptionalValue(flag, expression):
                self.require("domain", builders.negate(flag), "None used as a number", node)
                return expression
            case values.ExtendedValue(flag, expression):
                if flag == builders.TRUE:
                    message = "infinity is only supported in comparisons, and as a start of min and max"
                    raise self.error(node, Refusal.UNSUPPORTED_CONSTRUCT, message)
                self.require("domain", builders.negate(flag), "infinity used as a number", node)
                return expression
            case values.UniformValue():
                message = "there is no model of this formula with a uniform real"
                raise self.error(node, Refusal.UNIFORM_IN_FORMULA, message)
            case values.NoneValue():
                # A later assignment may show that it can be a number.
                raise UnresolvedError(self.error(node, Refusal.WRONG_TYPE, "None is used as a number"))
            case _:
                kind = shapes.describe_value(value)
                raise self.error(node, Refusal.WRONG_TYPE, f"{kind} is used as a number")

    def numeric(self, value: Value, node: Located) -> ir.Expression:
        """A value used as a number."""
        return builders.numeric(self.scalar(value, node))

    def truth(self, value: Value, node: Located) -> ir.Expression:
        """Python's ``bool`` of a value."""
        match value:
            case values.ScalarValue(expression):
                return builders.truth(expression)
            case values.OptionalValue(flag, expression):
                return builders.both(builders.negate(flag), builders.truth(expression))
            case values.ExtendedValue(flag, expression):
                return builders.either(flag, builders.truth(expression))
            case values.NoneValue():
                return builders.FALSE
            case values.TupleValue(items) | values.ListLiteral(items):
                return builders.TRUE if items else builders.FALSE
            case values.ListValue(name):
                return builders.less(builders.ZERO, ir.Length(name))
            case values.SourceValue(none=none):
                return builders.negate(none)
            case values.LabelValue(kind, code, none):
                empty = builders.FALSE if kind.is_enumeration else builders.equal(code, self.code(""))
                return builders.both(builders.negate(none), builders.negate(empty))
            case values.UniformValue():
                raise AssertionError("refused where it is read")
            case values.ObjectValue(kind=kind_of_object) | values.DataValue(kind=kind_of_object):
                for name in ("__bool__", "__len__"):
                    kind_of_object.method(name)  # refused, if there is one
                return builders.TRUE
            case values.ClassValue() | values.FunctionValue() | values.EnumValue():
                return builders.TRUE
            case values.SetValue(items):
                return builders.TRUE if items else builders.FALSE
            case values.DictValue():
                return builders.TRUE if self.keys_of(value, node) else builders.FALSE
            case values.ParameterValue(parameter):
                if parameter.kind is ir.ParameterKind.SEQUENCE:
                    return builders.less(builders.ZERO, ir.Length(parameter.name))
                return builders.TRUE
            case values.GeneratorValue(holds=holds, lists=lists):
                if not self.dicts.keys().isdisjoint(lists):
                    message = "the truth of what runs over a dict is not supported: ask the dict itself"
                    raise self.error(node, Refusal.UNSUPPORTED_DICT, message)
                return holds
            case values.TypeValue() | values.LoggerValue():
                return builders.TRUE
            case values.ArrayValue() | values.MatrixValue():
                message = "an array has no truth value: use any() or all()"
                raise self.error(node, Refusal.WRONG_TYPE, message)
            case values.RecordsValue():
                raise self.error(node, Refusal.WRONG_TYPE, "the truth of records is not supported here")

    def code(self, text: str) -> ir.Constant:
        """The code of a string."""
        return builders.integer(self.labels.code(text))

    def table_of(self, whole: values.DictValue, node: Located | ir.Span) -> Table:
        """The keys of a dict, where it may be used.  Raises ProgramError."""
        table = self.dicts[whole.place]
        if table.block not in self.blocks:
            message = "a dict is used outside of the branch or loop where it is made"
            raise self.error(node, Refusal.UNSUPPORTED_DICT, message)
        return table

    def keys_of(self, whole: values.DictValue, node: Located | ir.Span) -> tuple[Value, ...]:
        """All keys of a dict, in order.  Raises ProgramError for a tally: data may decide which it has."""
        table = self.table_of(whole, node)
        if table.default is not None:
            message = "which keys are counted may tell about the data: loop over a public tuple of the keys"
            raise self.error(node, Refusal.PRIVATE_KEYS, message)
        return tuple(table.keys)

    def integer(self, node: ast.expr, what: str) -> ir.Expression:
        """The value of an expression that has to be an integer."""
        return self.whole(self.expression(self, node), node, what)

    def whole(self, value: Value, node: Located, what: str) -> ir.Expression:
        """A value where Python raises for others than integers, as for numpy's truth values."""
        number = self.scalar(value, node)
        written = (isinstance(value, values.ScalarValue) and value.written) or self.module.stub is not None
        if number.sort is ir.Sort.BOOL and self.inference.uses_numpy and not written:
            message = f"{what} must be an integer, and no truth value, which may be numpy's: use int(...)"
            raise self.error(node, Refusal.WRONG_TYPE, message)
        if number.sort is ir.Sort.REAL:
            raise self.error(node, Refusal.WRONG_TYPE, f"{what} must be an integer: use int(...)")
        return builders.numeric(number)

    def join(self, left: Value, right: Value, node: Located) -> ir.Shape:
        """The shape of a value that is one or the other.  Raises ProgramError for lists."""
        try:
            both = shapes.shape_of(left), shapes.shape_of(right)
            joined = shapes.join(*both)
            self.inference.check_truth(both, (joined,))
        except MismatchError:
            one, other = shapes.describe_value(left), shapes.describe_value(right)
            message = f"a value that is {one} or {other} is not supported"
            raise self.error(node, Refusal.MIXED_TYPES, message) from None
        if shapes.has_list(joined):
            raise self.error(node, Refusal.UNSUPPORTED_LIST, "a choice between lists is not supported")
        return joined


def is_local(context: Context, node: ast.expr) -> bool:
    """Whether a name, or the first one before a dot, is a parameter or local variable.

    It hides what else has that name, a module for instance.
    """
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    scope = context.scope
    return node.id in scope.bindings or scope.local(node.id) is not None


def mentions_list(expression: ir.Expression, names: frozenset[str]) -> bool:
    """Whether an expression reads one of the lists, or attributes of objects."""
    for part in ir.subexpressions(expression):
        if isinstance(part, ir.Variable) and part.name in names:
            return True
        if isinstance(part, ir.Element) and part.source in names:
            return True
        if isinstance(part, ir.Length) and part.sequence in names:
            return True
    return False
