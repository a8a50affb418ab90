"""Values: what an expression of Python is while it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from enum import Enum

from synth.trusted.frontend.classes import Class
from synth.trusted.frontend.labels import LabelType
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class ScalarValue:
    """A scalar; ``written`` if it is a number or truth value that the text says, so none of numpy's."""

    expression: ir.Expression
    written: bool = False


@dataclass(frozen=True)
class NoneValue:
    """None."""


@dataclass(frozen=True)
class OptionalValue:
    """None where ``flag`` holds, otherwise ``expression``."""

    flag: ir.Expression
    expression: ir.Expression


@dataclass(frozen=True)
class LabelValue:
    """A string or a member of an Enum, by its code; None where ``none`` holds."""

    kind: LabelType
    code: ir.Expression
    none: ir.Expression = builders.FALSE


@dataclass(frozen=True)
class ExtendedValue:
    """Infinity where ``flag`` holds, of that sign, otherwise ``expression``."""

    flag: ir.Expression
    expression: ir.Expression
    sign: int


@dataclass(frozen=True)
class TupleValue:
    """A tuple."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class ListValue:
    """A local list; ``fresh`` if a call made it, so that nothing else refers to it."""

    name: str
    fresh: bool = False


@dataclass(frozen=True)
class ListLiteral:
    """A list display that has no place yet."""

    items: tuple[Value, ...]


@dataclass(frozen=True)
class ParameterValue:
    """A sequence or function parameter of the mechanism."""

    parameter: ir.Parameter


@dataclass(frozen=True)
class GeneratorValue:
    """A generator that has not begun: ``run`` emits its loops, with a body made of each value it yields.

    The label that ``run`` takes is what its end leaves.  ``number`` tells generators apart; ``depth`` is the
    number of loops around the place where it was made.  ``holds`` is its truth, ``bounds`` are those of a
    range with the step 1.  ``lists`` are those that it runs over: Python may have looked at their lengths.
    """

    run: Callable[[Callable[[Callable[[], Value]], None], str], tuple[ir.Statement, ...]]
    number: int
    depth: int
    holds: ir.Expression = builders.TRUE
    bounds: tuple[ir.Expression, ir.Expression] | None = None
    lists: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypeValue:
    """A type of entries, as a ``dtype`` says it."""

    sort: ir.Sort


INDEX = ir.Variable("index%", ir.Sort.INT)
"""The index under which the expressions of an array speak of an entry."""


UNSET = "unset%"
"""What variables begin with, before a dot, that have no value before they are assigned."""


def unset(sort: ir.Sort) -> ir.Variable:
    """An entry that no one has assigned: a program that may read it is refused."""
    return ir.Variable(f"{UNSET}.entry", sort)


@dataclass(frozen=True)
class Noise:
    """What the entries of an array are drawn from, around them; ``scale`` may depend on the index."""

    distribution: str
    scale: ir.Expression
    span: ir.Span


UNIFORM_NOISE = "uniform"
"""Uniform draws that are still to be compared, each once."""

GUMBEL = "gumbel"
"""Noise that is never drawn: the place of the largest entry has a law of its own."""


@dataclass(frozen=True)
class ArrayValue:
    """A numpy array of one dimension; see :mod:`synth.trusted.frontend.arrays`.

    ``entry`` is each of its ``length`` entries, over :data:`INDEX`.  With a ``mask`` the array has the
    entries of which it holds.  With ``noise`` the entries are still to be drawn,
    once each.
    ``whole`` is what it is the quotient of by the sum of its entries, if it was made so.
    ``owner`` is the variable that had the array first; empty if nothing refers to it yet.
    """

    length: ir.Expression
    entry: ir.Expression
    mask: ir.Expression | None = None
    noise: Noise | None = None
    owner: str = ""
    whole: ArrayValue | None = None


@dataclass(frozen=True)
class Cell:
    """The entry of an array or list that an iteration of a loop over its indices is about.

    ``before`` is the array as it was before the loop, ``entries`` the list of the new ones; ``whole`` says
    that the loop comes to all entries, unless it is left, by ``label``.  ``source`` is the list, or the
    parameter that is one; empty for an array.
    """

    name: str
    before: ArrayValue
    entries: str
    variable: ir.Variable
    whole: bool
    label: str
    source: str = ""


@dataclass(frozen=True)
class MatrixValue:
    """An array of two dimensions: its entries, row by row; see :mod:`synth.trusted.frontend.matrices`."""

    flat: ArrayValue
    rows: ir.Expression
    width: ir.Expression


class UniformKind(Enum):
    """What is made of a draw u from 0..1, with v = 2u - 1."""

    LINEAR = "u"
    SPREAD = "abs(v)"
    SIGN = "the sign of v"
    LOG = "log(1 - abs(v))"
    TURN = "pi * u"
    COSINE = "cos(pi * u)"
    HALF = "cos(pi * u) times an exponential draw"
    DEPTH = "log(abs(w))"
    FLOOR = "floor(log(abs(w)) / s)"
    WHOLE = "float(floor(log(abs(w)) / s))"


@dataclass(frozen=True)
class UniformValue:
    """``factor`` times what is made of a uniform draw, plus ``offset``; both are reals.

    ``number`` tells draws apart, and ``around`` the loops in which they are made.  Of a sign and of what is
    made of w, ``of`` is the number that was asked for it.
    """

    number: int
    around: tuple[int, ...]
    kind: UniformKind
    factor: ir.Expression
    offset: ir.Expression
    of: UniformValue | None = None


@dataclass(frozen=True)
class SourceValue:
    """A source of independent draws, whose methods the stub of that module has; None where ``none`` holds.

    ``kind`` is its class, where that is known.
    """

    methods: str
    none: ir.Expression = builders.FALSE
    kind: str = ""


@dataclass(frozen=True)
class RecordsValue:
    """A list parameter whose entries have several components, or may be missing or others in one of the runs.

    See :class:`synth.trusted.program.syntax.Records`.  ``kinds`` are the types of components that are labels,
    and ``named`` is the class of entries that are named tuples.  ``reach`` says how far others may be away.
    """

    name: str
    columns: tuple[ir.Parameter, ...]
    is_tuple: bool = False
    present: ir.Parameter | None = None
    chosen: ir.Parameter | None = None
    others: tuple[ir.Parameter, ...] = ()
    domains: tuple[ir.Domain | None, ...] = ()
    kinds: tuple[LabelType | None, ...] = ()
    named: Class | None = None
    reach: ir.Expression | None = None

    @property
    def is_several(self) -> bool:
        """Whether more than a sequence of the same name stands for it."""
        return self.is_tuple or self.present is not None or self.chosen is not None

    @property
    def records(self) -> ir.Records:
        """The same by names."""
        columns, others = (tuple(item.name for item in group) for group in (self.columns, self.others))
        present, chosen = (None if flag is None else flag.name for flag in (self.present, self.chosen))
        fields = (self.named.name, *(item.name for item in self.named.fields)) if self.named else ()
        return ir.Records(self.name, columns, self.is_tuple, present, chosen, others, self.reach, fields)


@dataclass(frozen=True)
class NamedTupleValue(TupleValue):
    """A named tuple: a tuple, of which attributes are items."""

    kind: Class


@dataclass(frozen=True)
class DataValue:
    """An object of a dataclass that is a record of a list: it has attributes, and nothing changes it."""

    items: tuple[Value, ...]
    kind: Class


@dataclass(frozen=True)
class EnumValue:
    """An Enum itself, which can be run over."""

    kind: LabelType

    @property
    def members(self) -> tuple[LabelValue, ...]:
        """All members, in order."""
        codes = range(len(self.kind.members))
        return tuple(LabelValue(self.kind, builders.integer(code)) for code in codes)


@dataclass(frozen=True)
class DictValue:
    """A dict that is made at a ``place``, or a tally; see :mod:`synth.trusted.frontend.dicts`."""

    place: str
    is_tally: bool = False


@dataclass(frozen=True)
class SetValue:
    """A set that is written out: numbers, labels, None and tuples of these, no two of them equal.

    In which order Python goes through it is not known.
    """

    items: tuple[Value, ...]


@dataclass(frozen=True)
class KeyedValue(TupleValue):
    """The values of a dict that is published, with its keys as texts."""

    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObjectValue:
    """An object of a class; its attributes are variables ``place.name``."""

    place: str
    kind: Class


@dataclass(frozen=True, eq=False)
class FunctionValue:
    """A function of Python: one of the file or of a stub, one within another, or a lambda.

    ``free`` tells what the names stand for that it doesn't bind, as bindings and variables; None if these are
    names of the module.  ``source`` is the text that it stands in.  The ``first`` arguments are given, and
    those of ``words``; ``defaults`` are values of parameters of a function within another.
    """

    function: Function
    free: Callable[[], tuple[dict[str, Value], dict[str, str]]] | None = None
    source: Source | None = None
    first: tuple[Value, ...] = ()
    words: Mapping[str, Value] = field(default_factory=dict)
    defaults: Mapping[str, Value] | None = None

    def with_arguments(self, first: tuple[Value, ...], words: Mapping[str, Value]) -> FunctionValue:
        """The function with more arguments given, behind those that are."""
        return replace_fields(self, first=(*self.first, *first), words={**self.words, **words})


@dataclass(frozen=True)
class ClassValue:
    """A class of the file, as its class methods have it."""

    kind: Class


@dataclass(frozen=True)
class LoggerValue:
    """A logger, which shows something to somebody, and its name; the text says which one it is."""

    text: str


Value = (
    ScalarValue
    | FunctionValue
    | RecordsValue
    | NoneValue
    | OptionalValue
    | LabelValue
    | ExtendedValue
    | TupleValue
    | ListValue
    | ListLiteral
    | ParameterValue
    | GeneratorValue
    | ArrayValue
    | MatrixValue
    | SourceValue
    | TypeValue
    | UniformValue
    | EnumValue
    | DictValue
    | SetValue
    | ObjectValue
    | DataValue
    | ClassValue
    | LoggerValue
)
