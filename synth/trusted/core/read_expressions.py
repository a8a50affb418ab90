"""Expressions of core text: places, names, literals, and operators on operands of the right sorts."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from synth.trusted.core import names
from synth.trusted.errors import SynthError
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

INT, REAL, BOOL = ir.Sort.INT, ir.Sort.REAL, ir.Sort.BOOL
INFIX: dict[type[ast.operator | ast.cmpop], tuple[ir.Operator, tuple[ir.Sort, ...], ir.Sort | None]] = {
    ast.Add: (ir.Operator.ADD, (INT, REAL), None),
    ast.Sub: (ir.Operator.SUBTRACT, (INT, REAL), None),
    ast.Mult: (ir.Operator.MULTIPLY, (INT, REAL), None),
    ast.Div: (ir.Operator.DIVIDE, (REAL,), None),
    ast.FloorDiv: (ir.Operator.FLOOR_DIVIDE, (INT,), None),
    ast.Mod: (ir.Operator.MODULO, (INT,), None),
    ast.Pow: (ir.Operator.POWER, (INT, REAL), None),
    ast.Eq: (ir.Operator.EQUAL, (INT, REAL, BOOL), BOOL),
    ast.Lt: (ir.Operator.LESS, (INT, REAL), BOOL),
    ast.LtE: (ir.Operator.LESS_EQUAL, (INT, REAL), BOOL),
}
"""Operators between two operands of one sort: which sorts they take, and the result's if it is another."""

FUNCTIONS: dict[str, tuple[int, ir.Operator, tuple[ir.Sort, ...], ir.Sort | None]] = {
    "neg": (1, ir.Operator.NEGATE, (INT, REAL), None),
    "abs": (1, ir.Operator.ABSOLUTE, (INT, REAL), None),
    "min": (2, ir.Operator.MINIMUM, (INT, REAL), None),
    "max": (2, ir.Operator.MAXIMUM, (INT, REAL), None),
    "real": (1, ir.Operator.TO_REAL, (INT,), REAL),
    "exp": (1, ir.Operator.EXPONENTIAL, (REAL,), None),
    "log": (1, ir.Operator.LOGARITHM, (REAL,), None),
    "sqrt": (1, ir.Operator.SQUARE_ROOT, (REAL,), None),
    "round": (1, ir.Operator.ROUND, (REAL,), INT),
    "floor": (1, ir.Operator.FLOOR, (REAL,), INT),
    "ceil": (1, ir.Operator.CEILING, (REAL,), INT),
    "int": (1, ir.Operator.TRUNCATE, (REAL,), INT),
}
"""Operators that are written as functions: how many operands, and as above."""

Node = ast.expr | ast.stmt | ast.arg


@dataclass
class CoreError(SynthError):
    """A core text that can't be read: the line and the column, from 1, and what is wrong there."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


@dataclass(frozen=True)
class Scope:
    """What names mean: scalars, parameters with entries, local lists.

    Of ``hidden`` parameters only the length can be read.  ``assigned`` scalars are variables.  In a fact,
    private functions name their run.
    """

    scalars: Mapping[str, ir.Sort]
    arrays: Mapping[str, ir.Parameter]
    lists: Mapping[str, ir.ListType] = field(default_factory=dict)
    hidden: Collection[str] = ()
    assigned: Collection[str] = ()
    in_fact: bool = False

    def knowing(self, more: Mapping[str, ir.Sort]) -> Scope:
        """Return the scope with more scalars."""
        return replace(self, scalars={**self.scalars, **more})


@dataclass(frozen=True)
class ExpressionReader:
    """The lines of a core text."""

    lines: Sequence[str]

    # --- places and names -----------------------------------------------------------------------

    def span(self, node: Node) -> ir.Span:
        """Return the place where a node begins."""
        before = self.lines[node.lineno - 1].encode()[: node.col_offset]
        return ir.Span(node.lineno, len(before.decode(errors="ignore")) + 1)

    def refuse(self, node: Node, message: str) -> CoreError:
        """Return the error at a node."""
        return CoreError(message, self.span(node).line, self.span(node).column)

    def unknown(self, node: Node, needed: str) -> CoreError:
        """Return the refusal of a construct that has no meaning where it stands."""
        return self.refuse(node, f"'{type(node).__name__}', where {needed} is needed")

    def name(self, node: Node, taken: Collection[str] = ()) -> str:
        """Return the name that stands there, which must be none of those taken.  Raises CoreError."""
        match node:
            case ast.Name(id=text) | ast.arg(arg=text) | ast.FunctionDef(name=text):
                return self.decoded(node, text, taken)
        raise self.unknown(node, "a name")

    def decoded(self, node: Node, text: str, taken: Collection[str] = ()) -> str:
        """Return the name that an identifier stands for.  Raises CoreError."""
        found = names.read(text)
        if found is None:
            raise self.refuse(node, f"'{text}' stands for no name")
        if found in taken:
            raise self.refuse(node, f"the name '{text}' is taken")
        return found

    # --- expressions ----------------------------------------------------------------------------

    def constant(self, node: ast.expr) -> ir.Constant | None:
        """Return the literal that stands there; None if it is none.  Raises CoreError."""
        match node:
            case ast.Constant(value=bool(truth)):
                return ir.Constant(truth, BOOL)
            case ast.Constant(value=int(number)):
                found = ir.Constant(number, INT)
            case ast.Constant(value=float(number), end_col_offset=int(end)):
                digits = self.lines[node.lineno - 1].encode()[node.col_offset : end].decode()
                if digits != repr(number):  # Python would round it
                    raise self.refuse(node, "a decimal in another form than Python's shortest one")
                found = ir.Constant(Fraction(digits), REAL)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as operand):
                inner = self.constant(operand)
                if inner is None or inner.sort is BOOL:
                    raise self.refuse(node, "the negative of no number")
                found = ir.Constant(-inner.value, inner.sort)
            case ast.Call(func=ast.Name(id="ratio"), args=[top, bottom], keywords=[]):
                first, second = self.constant(top), self.constant(bottom)
                if first is None or second is None or {first.sort, second.sort} != {INT} or not second.value:
                    raise self.refuse(node, "no ratio of two integers")
                found = ir.Constant(Fraction(int(first.value), int(second.value)), REAL)
            case _:
                return None
        if max(abs(found.value.numerator), found.value.denominator).bit_length() > builders.MAX_BITS:
            raise self.refuse(node, f"a number of more than {builders.MAX_BITS:,} bits")
        return found

    def value(self, node: ast.expr, sort: ir.Sort, scope: Scope) -> ir.Expression:
        """Return the expression, which must be of that sort.  Raises CoreError."""
        found = self.expression(node, scope)
        if found.sort is not sort:
            raise self.refuse(node, f"{found.sort.value}, where {sort.value} is needed")
        return found

    def values(
        self, node: Node, items: Sequence[ast.expr], sorts: Sequence[ir.Sort], scope: Scope
    ) -> tuple[ir.Expression, ...]:
        """Return expressions of these sorts.  Raises CoreError."""
        if len(items) != len(sorts):
            raise self.refuse(node, f"{len(items)} values, where {len(sorts)} are needed")
        return tuple(self.value(item, sort, scope) for item, sort in zip(items, sorts, strict=True))

    def expression(self, node: ast.expr, scope: Scope) -> ir.Expression:
        """Return the expression that stands there.  Raises CoreError."""
        constant = self.constant(node)
        if constant is not None:
            return constant
        match node:
            case ast.Name(id=text):
                name = self.name(node)
                if name not in scope.scalars:
                    raise self.refuse(node, f"'{text}' is no number or truth value here")
                return ir.Variable(name, scope.scalars[name])
            case ast.Subscript():
                return self._entry(node, scope)
            case ast.Call(func=ast.Name(id="len"), args=[of], keywords=[]):
                return self._length(of, scope)
            case ast.Call(func=ast.Name(id=called), args=args, keywords=[]) if called in FUNCTIONS:
                count, operator, sorts, result = FUNCTIONS[called]
                if len(args) != count:
                    raise self.refuse(node, f"'{called}' of {len(args)} operands")
                return self._operation(args, operator, sorts, result, scope)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._operation([inner], ir.Operator.NEGATE, (INT, REAL), None, scope)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._operation([inner], ir.Operator.NOT, (BOOL,), None, scope)
            case ast.BoolOp(op=ast.And(), values=operands):
                return self._operation(operands, ir.Operator.AND, (BOOL,), None, scope)
            case ast.BoolOp(op=ast.Or(), values=operands):
                return self._operation(operands, ir.Operator.OR, (BOOL,), None, scope)
            case ast.BinOp(left=left, op=infix, right=right) if type(infix) in INFIX:
                return self._operation([left, right], *INFIX[type(infix)], scope)
            case ast.Compare(left=left, ops=[relation], comparators=[right]) if type(relation) in INFIX:
                return self._operation([left, right], *INFIX[type(relation)], scope)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                condition, first = self.value(test, BOOL, scope), self.expression(then, scope)
                second = self.value(otherwise, first.sort, scope)
                return ir.Operation(ir.Operator.IF, (condition, first, second), first.sort)
        raise self.unknown(node, "an expression of the core")

    def _operation(
        self,
        operands: Sequence[ast.expr],
        operator: ir.Operator,
        sorts: Collection[ir.Sort],
        result: ir.Sort | None,
        scope: Scope,
    ) -> ir.Operation:
        first = self.expression(operands[0], scope)
        if first.sort not in sorts:
            raise self.refuse(operands[0], f"'{operator.value}' takes no {first.sort.value}")
        others = [self.value(item, first.sort, scope) for item in operands[1:]]
        return ir.Operation(operator, (first, *others), result or first.sort)

    def _length(self, node: ast.expr, scope: Scope) -> ir.Length:
        name = self.name(node)
        item = scope.arrays.get(name)
        if name in scope.lists or (item is not None and item.kind is ir.ParameterKind.SEQUENCE):
            return ir.Length(name)
        raise self.refuse(node, "no sequence or list here")

    def _entry(self, node: ast.Subscript, scope: Scope) -> ir.Expression:
        """``q[i]``, ``f[i, j]``, in facts ``f.one[i]``; of a list ``out[i]``, or ``out[i][component]``."""
        match node.value:
            case ast.Name() as of if self.name(of) in scope.lists:
                return self._element(node, self.name(of), node.slice, None, scope)
            case ast.Subscript(value=ast.Name() as of, slice=index) if self.name(of) in scope.lists:
                return self._element(node, self.name(of), index, node.slice, scope)
            case ast.Name() as of:
                run = None
            case ast.Attribute(value=ast.Name() as of, attr="one" | "two" as side):
                run = 1 if side == "one" else 2
            case _:
                raise self.unknown(node.value, "a sequence, a function or a list")
        name = self.name(of)
        item = scope.arrays.get(name)
        private = item is not None and item.metric is not None
        if item is None or name in scope.hidden or (run is not None) != (scope.in_fact and private):
            raise self.refuse(of, f"'{names.written(name)}' can't be read so here")
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        places = self.values(node, indices, [INT] * item.arity, scope)
        return ir.Read(name if run is None else ir.in_run(name, run), places, item.sort)

    def _element(
        self, node: ast.expr, source: str, index: ast.expr, component: ast.expr | None, scope: Scope
    ) -> ir.Element:
        sorts = scope.lists[source].components
        match component:
            case None if len(sorts) == 1:
                place = 0
            case ast.Constant(value=int(place)) if (
                type(place) is int and len(sorts) != 1 and place < len(sorts)
            ):
                pass
            case _:
                raise self.refuse(node, f"an entry of '{names.written(source)}' has {len(sorts)} components")
        return ir.Element(source, self.value(index, INT, scope), place, sorts[place])
