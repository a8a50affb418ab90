"""The typed program: what the reader makes of a mechanism, and all that later stages see of it.

What it means is defined in :mod:`synth.trusted.core.interpreter`.

Values are flat.  The reader splits a tuple into its components (``x.0``, ``x.1``), a value that
may be ``None`` into a flag and a value (``x.none``, ``x``), and gives values of several shapes a
leading integer tag; so every variable has one scalar sort, or is a list.  Names with a dot or a
percent sign can't be written in Python, and never collide with the user's.

Control is structured: the only loop is the endless :class:`Loop`; ``break``, ``continue`` and the
``return`` of an inlined function leave a labelled :class:`Block` by :class:`Exit`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from synth.trusted.program.beside import Specification


@dataclass(frozen=True, order=True)
class Span:
    """A place in the program file: line from 1, column from 1."""

    line: int
    column: int


class Sort(Enum):
    """Sorts of scalar values: mathematical integers, ideal reals, truth values."""

    INT = "int"
    REAL = "real"
    BOOL = "bool"


# --- expressions ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """A literal; integers and reals are exact."""

    value: bool | int | Fraction
    sort: Sort


@dataclass(frozen=True)
class Variable:
    """A scalar parameter or local variable."""

    name: str
    sort: Sort


@dataclass(frozen=True)
class Length:
    """``len`` of a sequence parameter (public, at least 0) or of a local list."""

    sequence: str

    @property
    def sort(self) -> Sort:
        return Sort.INT


@dataclass(frozen=True)
class Read:
    """An entry of a sequence parameter, or a call of a ``Callable`` parameter, at public indices."""

    source: str
    index: tuple[Expression, ...]
    sort: Sort


@dataclass(frozen=True)
class Element:
    """One flat component of entry ``index`` of a local list."""

    source: str
    index: Expression
    component: int
    sort: Sort


class Operator(Enum):
    """Operators of expressions.  Those in :data:`OPAQUE` may be left uninterpreted."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    FLOOR_DIVIDE = "//"
    MODULO = "%"
    NEGATE = "neg"
    POWER = "**"
    EQUAL = "=="
    LESS = "<"
    LESS_EQUAL = "<="
    AND = "and"
    OR = "or"
    NOT = "not"
    IF = "if"
    TO_REAL = "to_real"
    ABSOLUTE = "abs"
    MINIMUM = "min"
    MAXIMUM = "max"
    EXPONENTIAL = "exp"
    LOGARITHM = "log"
    SQUARE_ROOT = "sqrt"
    ROUND = "round"
    FLOOR = "floor"
    CEILING = "ceil"
    TRUNCATE = "int"


@dataclass(frozen=True)
class Operation:
    """An operator applied to operands.

    Operands of one operation have one sort: the reader inserts ``TO_REAL`` where an integer meets
    a real, and ``IF(b, 1, 0)`` where a boolean is used as a number.  ``EQUAL`` on booleans is
    equivalence.  ``DIVIDE`` takes and gives reals; ``FLOOR_DIVIDE`` and ``MODULO`` on integers
    are Python's; ``ROUND`` (half to even), ``FLOOR``, ``CEILING`` and ``TRUNCATE`` go from real
    to integer; ``POWER`` of integers has an exponent from 0 on.  ``AND``, ``OR`` and ``IF`` evaluate
    their operands in turn, no more than Python does.
    """

    operator: Operator
    operands: tuple[Expression, ...]
    sort: Sort


Expression = Constant | Variable | Length | Read | Element | Operation


# --- statements -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Assign:
    """``target = value`` for a scalar variable."""

    target: str
    value: Expression
    span: Span


@dataclass(frozen=True)
class Draw:
    """A sampling site: ``target`` is drawn from ``distribution``.

    The arguments of ``laplace``, ``exponential`` and ``gaussian`` are centre and scale (sigma), which is
    positive; ``sort`` is the sort of the draw (an integer centre gives the discrete law) and the centre
    has that sort, the scale is real.
    """

    site: int
    target: str
    distribution: str
    arguments: tuple[Expression, ...]
    sort: Sort
    span: Span


@dataclass(frozen=True)
class Chances:
    """Outcomes by their probabilities: ``outcomes`` pairs conditions, which exclude each other, with
    probabilities; where no condition holds the probability is 0.  Over all values they add up to 1.
    """

    outcomes: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True)
class Weights:
    """The indices 0 to ``count`` - 1 with probabilities proportional to exp(``score`` * ``rate``).

    ``rate`` doesn't mention the index.  ``demands`` must hold for every index in range.
    """

    count: Expression
    score: Expression
    rate: Expression
    demands: tuple[Obligation, ...] = ()


@dataclass(frozen=True)
class Choose:
    """A sampling site with finitely many outcomes: a truth value or an integer, as ``sort`` says.

    ``index`` is the name under which the expressions of ``law`` speak of the outcome; no variable of
    the program has it.  ``distribution`` is what the program calls.
    """

    site: int
    target: str
    distribution: str
    index: str
    law: Chances | Weights
    sort: Sort
    span: Span


@dataclass(frozen=True)
class NewList:
    """``target = []``: a local list becomes empty."""

    target: str
    span: Span


@dataclass(frozen=True)
class Append:
    """Append one entry, given by its flat components, to a local list."""

    target: str
    values: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True)
class If:
    """A branch; ``branch`` numbers the branches of the program."""

    branch: int
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True)
class Block:
    """Statements that ``Exit(label)`` leaves."""

    label: str
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Loop:
    """Repeat ``body`` until an exit leaves it; ``loop`` numbers the loops of the program.

    ``counter`` names the hidden variable that a ``for`` loop counts with, and ``count`` the
    number of iterations at the most, an expression over variables that the loop does not assign;
    None for ``while``.
    """

    loop: int
    body: tuple[Statement, ...]
    span: Span
    counter: str | None = None
    count: Expression | None = None


@dataclass(frozen=True)
class Exit:
    """Leave the innermost enclosing block of that label."""

    label: str
    span: Span


@dataclass(frozen=True)
class Return:
    """End the run: the output is these flat values and the contents of these local lists.

    All returns of a mechanism have the same number and sorts of values, and of lists.
    """

    values: tuple[Expression, ...]
    lists: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Obligation:
    """``condition`` must hold whenever control comes here, in every run; ``reason`` says why.

    Kinds: ``index``, ``divisor``, ``scale`` (also other parameters of distributions), ``domain`` (of
    log, sqrt, a None used as a number).
    """

    kind: str
    condition: Expression
    reason: str
    span: Span


@dataclass(frozen=True)
class Assume:
    """``assert`` on public facts: a run that violates it ends without output, in both runs alike."""

    condition: Expression
    span: Span


Statement = (
    Assign | Draw | Choose | NewList | Append | If | Block | Loop | Exit | Return | Obligation | Assume
)


# --- declarations ---------------------------------------------------------------------------


class MetricKind(Enum):
    """The adjacency metrics of the language."""

    ABSOLUTE = "absolute_distance"
    LINF = "linf_distance"
    L1 = "l1_distance"
    L2 = "l2_distance"
    CHANGE_ONE = "change_one_distance"
    DISCRETE = "discrete_distance"


@dataclass(frozen=True)
class Metric:
    """What may differ between the two runs, and by how much.

    ``bound`` is a real expression over public parameters; None for ``discrete_distance``, and for a
    ``change_one_distance`` of which the one entry may change to any value.
    """

    kind: MetricKind
    bound: Expression | None
    monotone: bool = False


class ParameterKind(Enum):
    """A scalar, a sequence of scalars, or a function of public arguments to a scalar."""

    SCALAR = "scalar"
    SEQUENCE = "sequence"
    FUNCTION = "function"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a mechanism; ``metric`` is None for a public one.

    ``sort`` is that of the scalar, of the entries, or of the result; ``arity`` the number of
    indices that a read takes (0 for a scalar, 1 for a sequence).  One that is ``published`` was handed on
    by an earlier part of the program (synth.trusted.normal_form.sequential_parts): no bound may depend on it.
    """

    name: str
    kind: ParameterKind
    sort: Sort
    arity: int
    metric: Metric | None
    span: Span
    published: bool = False


@dataclass(frozen=True)
class Records:
    """What a list of the Python program is, by the parameters that stand for it; only reports look at it.

    Entry t has the components ``columns``, or ``others`` where the flag ``chosen`` is true, moved to within
    ``reach`` of the columns; it is there where the flag ``present`` is true.  ``is_tuple`` says that an entry
    is a tuple, also of one component; ``fields`` are the names of its class and of its fields, if it has any.
    """

    name: str
    columns: tuple[str, ...]
    is_tuple: bool = False
    present: str | None = None
    chosen: str | None = None
    others: tuple[str, ...] = ()
    reach: Expression | None = None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class Domain:
    """Between which public numbers the values of a private parameter lie; None for no bound.

    ``text`` is how that is stated.  Only reports look at it: the program keeps to it by itself.
    """

    parameter: str
    low: Expression | None
    high: Expression | None
    text: str


@dataclass(frozen=True)
class Labels:
    """Parameters whose integers are codes of labels, with the ``texts`` of these; for reports.

    Of an Enum there are no others (``closed``); of strings, other codes are those of other strings.
    """

    parameters: tuple[str, ...]
    texts: tuple[str, ...]
    closed: bool


@dataclass(frozen=True)
class Fact:
    """An assumption about opaque functions: ``condition`` holds for all integers in place of its variables.

    ``trigger`` is a function of exactly these variables; ``each`` says that the fact is about each run by
    itself.  Reads of a private function name the run that they are about (:func:`in_run`).
    """

    text: str
    condition: Expression
    trigger: Read
    each: bool
    span: Span

    @property
    def alone(self) -> bool:
        """Whether it is about run 1 by itself, or about no run."""
        reads = [part for part in subexpressions(self.condition) if isinstance(part, Read)]
        return self.each and not any(without_run(part.source)[1] == 2 for part in reads)


def in_run(source: str, run: int) -> str:
    """A private function as facts name it in one of the runs."""
    return f"{source}<{run}>"


def without_run(source: str) -> tuple[str, int | None]:
    """The function, and the run if one is named."""
    return (source[:-3], int(source[-2])) if source.endswith(("<1>", "<2>")) else (source, None)


@dataclass(frozen=True)
class ListType:
    """A local list: the sorts of the flat components of its entries."""

    components: tuple[Sort, ...]


@dataclass(frozen=True)
class ScalarShape:
    """A number or a truth value."""

    sort: Sort


@dataclass(frozen=True)
class NoneShape:
    """Always None."""


@dataclass(frozen=True)
class OptionalShape:
    """None or a scalar."""

    sort: Sort


@dataclass(frozen=True)
class TupleShape:
    """A tuple of fixed length."""

    items: tuple[Shape, ...]


@dataclass(frozen=True)
class DictShape(TupleShape):
    """A dict with these keys, as texts, in order; its values are the items."""

    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListShape:
    """A local list; the shapes of its entries are kept apart from it."""


@dataclass(frozen=True)
class LabelShape:
    """A string or a member of an Enum, as its code; or None, with a flag, if it is ``optional``.

    ``texts`` are the labels of that type by their codes, for reports; other codes are other strings.
    """

    type: str
    texts: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class SourceShape:
    """A source of draws, whose methods the stub of that module has; with a flag if it may be None."""

    methods: str
    optional: bool = False
    kind: str = ""


Shape = ScalarShape | NoneShape | OptionalShape | TupleShape | ListShape | LabelShape | SourceShape
Alternatives = tuple[Shape, ...]
"""The concrete shapes that a value may have."""


@dataclass(frozen=True)
class Layout:
    """The shapes of what is returned, and of the entries of the lists in it."""

    values: Alternatives
    lists: tuple[Alternatives, ...]


@dataclass(frozen=True)
class Model:
    """A function of a library that a program calls, and what is assumed of it: what its stub ``says``.

    ``function`` has the name of the module, ``stub`` the file of the stub with the line.  ``floating`` says
    that the real function computes in floating point.
    """

    function: str
    stub: str
    says: str
    floating: bool


class Notion(Enum):
    """A notion of privacy other than (ε, δ), named as claims name it."""

    GDP = "gdp"
    ZCDP = "zcdp"


@dataclass(frozen=True)
class Divergence:
    """A claim about how far apart the laws of the outputs of two adjacent inputs are, by one number.

    Of GDP the bound is μ: they are no easier to tell apart than N(0, 1) and N(μ, 1) (Dong, Roth & Su 2022,
    Def. 2.4).  Of zCDP it is ρ: for each α > 1 their Rényi divergence is at most ρα nats (Bun & Steinke
    2016, Def. 1.1).
    """

    notion: Notion
    bound: Expression


@dataclass(frozen=True)
class Mechanism:
    """A mechanism, ready for proof.

    ``variables`` maps every scalar local to its sort, ``lists`` every local list to its type.
    ``epsilon`` and ``delta`` are the claim, real expressions over public parameters, or None, and so is
    ``divergence``, which no ``epsilon`` or ``delta`` stands beside.  ``facts`` are what the user assumes;
    they may speak of ``ghosts``, the last of the parameters, which the program can't see: for adjacent inputs
    there are some of which the facts hold.  ``output`` says what the flat output stands for; None for a part
    of a program.  ``source`` is the text that it can be read from: a whole file,
    or what it needs of one.  Then ``lines`` has the number in the file of each line of the text, rising;
    all places are in the file.  Without ``lines`` the text is the file.  ``preconditions`` are what the
    program asserts first, where it does; ``requires`` has them, too.  ``specification`` is what is stated
    beside the text, if it isn't stated in it.  ``unread`` are the lines of the file that the reader left out,
    and that are assumed to change nothing that the mechanism uses.  ``records`` are the lists of the text
    that several parameters stand for, ``domains`` what is claimed only of private inputs inside, ``labels``
    the parameters that are strings or members of an Enum in the text, ``open_arrays`` the arrays of
    which the text doesn't say the entries: they have one dimension, and are of float64.  ``sources`` are the
    parameters of the text that are sources of draws, of which it doesn't say what has seeded them,
    ``left_out`` those for which callers give nothing.  ``shown`` are the lines that print something, where
    that is part of the output: then each output is a pair of what the text gives and a list of what is shown.
    """

    name: str
    parameters: tuple[Parameter, ...]
    requires: Expression
    epsilon: Expression | None
    delta: Expression | None
    body: tuple[Statement, ...]
    variables: dict[str, Sort]
    lists: dict[str, ListType]
    span: Span
    path: str
    source: str = field(repr=False)
    facts: tuple[Fact, ...] = ()
    ghosts: frozenset[str] = frozenset()
    output: Layout | None = None
    lines: tuple[int, ...] = ()
    preconditions: tuple[Assume, ...] = ()
    models: tuple[Model, ...] = ()
    specification: Specification | None = None
    unread: tuple[int, ...] = ()
    records: tuple[Records, ...] = ()
    domains: tuple[Domain, ...] = ()
    labels: tuple[Labels, ...] = ()
    open_arrays: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    shown: tuple[int, ...] = ()
    divergence: Divergence | None = None

    @property
    def visible(self) -> tuple[Parameter, ...]:
        """The parameters that the program can see."""
        return tuple(item for item in self.parameters if item.name not in self.ghosts)

    @property
    def is_claimed(self) -> bool:
        """Whether an ε, or the bound of another notion, is claimed."""
        return self.epsilon is not None or self.divergence is not None

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name.  Raises KeyError."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)

    def line_of_source(self, line: int) -> int:
        """The number in ``source`` of a line of the file.  Raises ValueError if it isn't there."""
        return self.lines.index(line) + 1 if self.lines else line

    def text_of_line(self, line: int) -> str:
        """A line of the file; empty if ``source`` doesn't have it."""
        lines = self.source.split("\n")
        if not self.lines:
            return lines[line - 1] if 0 < line <= len(lines) else ""
        return dict(zip(self.lines, lines, strict=False)).get(line, "")


# --- traversals -----------------------------------------------------------------------------


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions."""
    match expression:
        case Operation(operands=operands):
            return operands
        case Read(index=index):
            return index
        case Element(index=index):
            return (index,)
        case _:
            return ()


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """The expression and all below it, outermost first."""
    yield expression
    for child in children(expression):
        yield from subexpressions(child)


def blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The statement lists directly inside a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Block(body=body) | Loop(body=body):
            return (body,)
        case _:
            return ()


def statements(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements of a body, nested ones included, in program order."""
    for statement in body:
        yield statement
        for inner in blocks(statement):
            yield from statements(inner)
