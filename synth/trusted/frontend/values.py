"""Values of the language and their shapes: how a Python value becomes flat scalars.

A shape says which scalar variables stand for a variable of the program: ``x`` for a scalar,
``x.none`` and ``x`` for a value that may be None, ``x.0``, ``x.1`` for a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from enum import Enum

from synth.trusted.frontend.classes import Class
from synth.trusted.frontend.labels import STRINGS, Codes, LabelType
from synth.trusted.frontend.module import Function
from synth.trusted.frontend.source import Source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class ScalarValue:
    """A scalar."""

    expression: ir.Expression


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

    ``entry`` is each of its ``length`` entries, and ``demands`` hold for each, over :data:`INDEX`.  With a
    ``mask`` the array has the entries of which it holds.  With ``noise`` the entries are still to be drawn,
    once each.
    ``whole`` is what it is the quotient of by the sum of its entries, if it was made so.
    ``owner`` is the variable that had the array first; empty if nothing refers to it yet.
    """

    length: ir.Expression
    entry: ir.Expression
    demands: tuple[ir.Obligation, ...] = ()
    mask: ir.Expression | None = None
    noise: Noise | None = None
    owner: str = ""
    whole: ArrayValue | None = None


@dataclass(frozen=True)
class Cell:
    """The entry of an array that an iteration of a loop over its indices is about.

    ``before`` is the array as it was before the loop, ``entries`` the list of the new ones; ``whole`` says
    that the loop comes to all entries, unless it is left, by ``label``.
    """

    name: str
    before: ArrayValue
    entries: str
    variable: ir.Variable
    whole: bool
    label: str


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


@dataclass(frozen=True)
class UniformValue:
    """``factor`` times what is made of a uniform draw, plus ``offset``; both are reals.

    ``number`` tells draws apart, and ``around`` the loops in which they are made.
    """

    number: int
    around: tuple[int, ...]
    kind: UniformKind
    factor: ir.Expression
    offset: ir.Expression


@dataclass(frozen=True)
class SourceValue:
    """A source of independent draws, whose methods the stub of that module has; None where ``none`` holds."""

    methods: str
    none: ir.Expression = builders.FALSE


@dataclass(frozen=True)
class RecordsValue:
    """A list parameter whose entries have several components, or may be missing or others in one of the runs.

    See :class:`synth.trusted.program.syntax.Records`.  ``kinds`` are the types of components that are labels,
    and ``named`` is the class of entries that are named tuples.
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

    @property
    def is_several(self) -> bool:
        """Whether more than a sequence of the same name stands for it."""
        return self.is_tuple or self.present is not None or self.chosen is not None

    @property
    def records(self) -> ir.Records:
        """The same by names."""
        columns, others = (tuple(item.name for item in group) for group in (self.columns, self.others))
        present, chosen = (None if flag is None else flag.name for flag in (self.present, self.chosen))
        return ir.Records(self.name, columns, self.is_tuple, present, chosen, others)


@dataclass(frozen=True)
class NamedTupleValue(TupleValue):
    """A named tuple: a tuple, of which attributes are items."""

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
    | ClassValue
)


@dataclass(frozen=True)
class NamedTupleShape(ir.TupleShape):
    """A named tuple; what is returned has the shape of a tuple instead, which it is equal to."""

    kind: Class


@dataclass(frozen=True)
class ArrayShape(ir.ListShape):
    """An array whose entries a variable has in a list of its own; they are all of one sort.

    Where the array always has few entries, so ``many``, there is a variable for each instead.  ``length`` is
    their number, if it is always the same one and never changes.
    """

    sort: ir.Sort
    many: int | None = None
    length: ir.Expression | None = None


@dataclass(frozen=True)
class TypedLabelShape(ir.LabelShape):
    """A label; what is returned has its shape with texts instead."""

    kind: LabelType = STRINGS


@dataclass(frozen=True)
class ExtendedShape(ir.OptionalShape):
    """A number, or infinity of one sign; no output has it."""

    sign: int


@dataclass(frozen=True)
class MatrixShape(ArrayShape):
    """An array of two dimensions, of a size that never changes."""

    rows: ir.Expression = builders.ZERO
    width: ir.Expression = builders.ZERO


class MismatchError(Exception):
    """Two shapes that no variable can hold both."""


def shape_of(value: Value) -> ir.Shape:
    """The shape of a value."""
    match value:
        case ScalarValue(expression):
            return ir.ScalarShape(expression.sort)
        case NoneValue():
            return ir.NoneShape()
        case OptionalValue(expression=expression):
            return ir.OptionalShape(expression.sort)
        case LabelValue(kind, none=none):
            return TypedLabelShape(kind.name, (), none != builders.FALSE, kind)
        case ExtendedValue(expression=expression, sign=sign):
            return ExtendedShape(expression.sort, sign)
        case NamedTupleValue(items, kind):
            return NamedTupleShape(tuple(shape_of(item) for item in items), kind)
        case KeyedValue(items, names):
            return ir.DictShape(tuple(shape_of(item) for item in items), names)
        case TupleValue(items):
            return ir.TupleShape(tuple(shape_of(item) for item in items))
        case ListValue() | ListLiteral():
            return ir.ListShape()
        case RecordsValue() | ObjectValue() | FunctionValue() | EnumValue() | ClassValue():
            raise MismatchError
        case DictValue() | SetValue():
            raise MismatchError
        case MatrixValue():
            raise MismatchError
        case ParameterValue() | GeneratorValue() | ArrayValue() | TypeValue() | UniformValue():
            raise MismatchError
        case SourceValue(methods, none):
            return ir.SourceShape(methods, none != builders.FALSE)


def join(a: ir.Shape, b: ir.Shape) -> ir.Shape:
    """The smallest shape that holds the values of both.  Raises MismatchError."""
    if a == b:
        return a
    match a, b:
        case NamedTupleShape(left, kind), NamedTupleShape(right, other) if kind is other:
            return NamedTupleShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)), kind)
        case ir.DictShape(left, keys), ir.DictShape(right, others) if keys == others:
            return ir.DictShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)), keys)
        case (ir.DictShape(), _) | (_, ir.DictShape()):
            raise MismatchError
        case ir.TupleShape(left), ir.TupleShape(right) if len(left) == len(right):
            return ir.TupleShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)))
        case ir.ScalarShape(x), ir.ScalarShape(y):
            return ir.ScalarShape(builders.join(x, y))
        case ExtendedShape(x, sign), ExtendedShape(y, other) if sign == other:
            return ExtendedShape(builders.join(x, y), sign)
        case (ExtendedShape(x, sign), ir.ScalarShape(y)) | (ir.ScalarShape(y), ExtendedShape(x, sign)):
            return ExtendedShape(builders.join(x, y), sign)
        case (ExtendedShape(), _) | (_, ExtendedShape()):
            raise MismatchError
        case MatrixShape(), MatrixShape() if (a.rows, a.width) == (b.rows, b.width):
            return MatrixShape(builders.join(a.sort, b.sort), a.many, a.length, a.rows, a.width)
        case (MatrixShape(), _) | (_, MatrixShape()):
            raise MismatchError
        case ArrayShape(x, many, length), ArrayShape(y, other, another):
            same = length if length == another else None
            return ArrayShape(builders.join(x, y), many if many == other else None, same)
        case ((ir.ScalarShape(x) | ir.OptionalShape(x)), (ir.ScalarShape(y) | ir.OptionalShape(y))):
            return ir.OptionalShape(builders.join(x, y))
        case ((ir.ScalarShape(x) | ir.OptionalShape(x)), ir.NoneShape()):
            return ir.OptionalShape(x)
        case ir.NoneShape(), (ir.ScalarShape(x) | ir.OptionalShape(x)):
            return ir.OptionalShape(x)
        case TypedLabelShape(kind=kind), TypedLabelShape(kind=other) if kind is other:
            return replace_fields(a, optional=True)
        case (TypedLabelShape() as label, ir.NoneShape()) | (ir.NoneShape(), TypedLabelShape() as label):
            return replace_fields(label, optional=True)
        case ir.SourceShape(methods), ir.SourceShape(other) if methods == other:
            return ir.SourceShape(methods, True)
        case (ir.SourceShape(methods), ir.NoneShape()) | (ir.NoneShape(), ir.SourceShape(methods)):
            return ir.SourceShape(methods, True)
        case _:
            raise MismatchError


def plain(shape: ir.Shape, codes: Codes) -> ir.Shape:
    """The shape without names, and with the texts of labels."""
    match shape:
        case ir.DictShape(items, keys):
            return ir.DictShape(tuple(plain(item, codes) for item in items), keys)
        case ir.TupleShape(items):
            return ir.TupleShape(tuple(plain(item, codes) for item in items))
        case TypedLabelShape(name, _, optional, kind):
            return ir.LabelShape(name, codes.texts_of(kind), optional)
        case _:
            return shape


def counts_truth(shape: ir.Shape, joined: ir.Shape) -> bool:
    """Whether a truth value of a shape counts as a number in one that holds its values."""
    match shape, joined:
        case (
            (ir.ScalarShape(sort) | ir.OptionalShape(sort)),
            (ir.ScalarShape(other) | ir.OptionalShape(other)),
        ):
            return sort is ir.Sort.BOOL and other is not ir.Sort.BOOL
        case ir.TupleShape(items), ir.TupleShape(others):
            return any(map(counts_truth, items, others))
        case _:
            return False


def has_list(shape: ir.Shape) -> bool:
    """Whether a shape is or contains a list."""
    match shape:
        case ir.ListShape():
            return True
        case ir.TupleShape(items):
            return any(has_list(item) for item in items)
        case _:
            return False


def describe(shape: ir.Shape) -> str:
    """The shape in words."""
    match shape:
        case ir.ScalarShape(sort):
            return "a truth value" if sort is ir.Sort.BOOL else "a number"
        case ir.NoneShape():
            return "None"
        case ExtendedShape():
            return "a number that may be infinite"
        case ir.OptionalShape(sort):
            return "None or a truth value" if sort is ir.Sort.BOOL else "None or a number"
        case ir.DictShape():
            return "a dict"
        case ir.TupleShape(items):
            return f"a tuple of {len(items)}"
        case MatrixShape():
            return "an array of two dimensions"
        case ArrayShape():
            return "an array"
        case ir.ListShape():
            return "a list"
        case TypedLabelShape(optional=optional, kind=kind):
            named = f"a member of '{kind.name}'" if kind.is_enumeration else "a string"
            return f"None or {named}" if optional else named
        case ir.LabelShape():
            raise AssertionError("the shape of an output")
        case ir.SourceShape():
            return "a source of random numbers"


def describe_value(value: Value) -> str:
    """The kind of value in words."""
    match value:
        case UniformValue():
            return "a uniform draw"
        case ParameterValue(parameter):
            kind = parameter.kind
            return "a function" if kind is ir.ParameterKind.FUNCTION else "a sequence"
        case FunctionValue():
            return "a function"
        case GeneratorValue():
            return "a generator"
        case ArrayValue():
            return "an array"
        case MatrixValue():
            return "an array of two dimensions"
        case TypeValue():
            return "a type"
        case RecordsValue():
            return "a list of records"
        case SetValue():
            return "a set"
        case DictValue(is_tally=is_tally):
            return "a tally" if is_tally else "a dict"
        case EnumValue(kind=labels):
            return f"the Enum '{labels.name}'"
        case ClassValue(kind=kind_of_object):
            return f"the class '{kind_of_object.name}'"
        case ObjectValue(kind=kind_of_object):
            return f"an object of class '{kind_of_object.name}'"
        case TupleValue(items):
            return f"a tuple of {len(items)}"
        case _:
            return describe(shape_of(value))


def components(name: str, shape: ir.Shape) -> Iterator[tuple[str, ir.Sort]]:
    """The flat scalar variables of a variable; lists have none."""
    match shape:
        case ir.ScalarShape(sort):
            yield name, sort
        case ir.OptionalShape(sort):
            yield f"{name}.none", ir.Sort.BOOL
            yield name, sort
        case ir.TupleShape(items):
            for position, item in enumerate(items):
                yield from components(f"{name}.{position}", item)
        case ir.LabelShape(optional=optional):
            if optional:
                yield f"{name}.none", ir.Sort.BOOL
            yield name, ir.Sort.INT
        case ArrayShape(sort, many):
            yield from ((f"{name}[{place}]", sort) for place in range(many or 0))
        case ir.SourceShape(optional=True):
            yield f"{name}.none", ir.Sort.BOOL
        case ir.NoneShape() | ir.ListShape():
            pass


def flatten(value: Value, shape: ir.Shape) -> Iterator[ir.Expression]:
    """The scalars of a value, as :func:`components` of a shape that holds it has them."""
    match value, shape:
        case ScalarValue(expression), ir.ScalarShape(sort):
            yield builders.convert(expression, sort)
        case ExtendedValue(flag, expression), ExtendedShape(sort):
            yield flag
            yield builders.convert(expression, sort)
        case ScalarValue(expression), ir.OptionalShape(sort):
            yield builders.FALSE
            yield builders.convert(expression, sort)
        case OptionalValue(flag, expression), ir.OptionalShape(sort):
            yield flag
            yield builders.convert(expression, sort)
        case NoneValue(), ir.OptionalShape(sort):
            yield builders.TRUE
            yield builders.zero(sort)
        case LabelValue(code=code, none=none), ir.LabelShape(optional=optional):
            if optional:
                yield none
            yield code
        case NoneValue(), ir.LabelShape(optional=True):
            yield builders.TRUE
            yield builders.ZERO
        case SourceValue(none=none), ir.SourceShape(optional=True):
            yield none
        case NoneValue(), ir.SourceShape(optional=True):
            yield builders.TRUE
        case TupleValue(values), ir.TupleShape(shapes):
            for item, inner in zip(values, shapes, strict=True):
                yield from flatten(item, inner)
        case _:
            pass


def rebuild(shape: ir.Shape, scalars: Iterator[ir.Expression], name: str = "") -> Value:
    """The value of a shape that has these scalars; a list in it is called by its place."""
    match shape:
        case ir.ScalarShape():
            return ScalarValue(next(scalars))
        case ir.NoneShape():
            return NoneValue()
        case ExtendedShape(sign=sign):
            return ExtendedValue(next(scalars), next(scalars), sign)
        case ir.OptionalShape():
            return OptionalValue(next(scalars), next(scalars))
        case ir.TupleShape(items):
            parts = tuple(rebuild(item, scalars, f"{name}.{i}") for i, item in enumerate(items))
            return (
                NamedTupleValue(parts, shape.kind)
                if isinstance(shape, NamedTupleShape)
                else TupleValue(parts)
            )
        case MatrixShape(sort, many, length, rows, width):
            flat = rebuild(ArrayShape(sort, many, length), scalars, name)
            assert isinstance(flat, ArrayValue)
            return MatrixValue(flat, rows, width)
        case ArrayShape(sort, many, length):
            if many is not None:
                return written_out([next(scalars) for _ in range(many)], name)
            return ArrayValue(length or ir.Length(name), ir.Element(name, INDEX, 0, sort), owner=name)
        case ir.ListShape():
            return ListValue(name)
        case TypedLabelShape(optional=optional, kind=kind):
            none = next(scalars) if optional else builders.FALSE
            return LabelValue(kind, next(scalars), none)
        case ir.LabelShape():
            raise AssertionError("the shape of an output")
        case ir.SourceShape(methods, optional):
            return SourceValue(methods, next(scalars) if optional else builders.FALSE)


def written_out(entries: list[ir.Expression], owner: str) -> ArrayValue:
    """An array with a variable for each entry."""
    result = entries[-1]
    for place in reversed(range(len(entries) - 1)):
        result = builders.choose(builders.equal(INDEX, builders.integer(place)), entries[place], result)
    return ArrayValue(builders.integer(len(entries)), result, owner=owner)


def variable(name: str, shape: ir.Shape) -> Value:
    """The value of a variable."""
    scalars = (ir.Variable(flat, sort) for flat, sort in components(name, shape))
    return rebuild(shape, scalars, name)


def expressions(value: Value) -> Iterator[ir.Expression]:
    """All expressions in a value."""
    match value:
        case ScalarValue(expression):
            yield expression
        case OptionalValue(flag, expression) | ExtendedValue(flag, expression):
            yield flag
            yield expression
        case LabelValue(code=code, none=none):
            yield none
            yield code
        case SourceValue(none=none):
            yield none
        case UniformValue(factor=factor, offset=offset):
            yield factor
            yield offset
        case TupleValue(items) | ListLiteral(items):
            for item in items:
                yield from expressions(item)
        case _:
            pass


def parts(array: ArrayValue) -> Iterator[ir.Expression]:
    """All expressions of an array, most of them over :data:`INDEX`."""
    yield array.length
    yield array.entry
    yield from (demand.condition for demand in array.demands)
    if array.mask is not None:
        yield array.mask
    if array.noise is not None:
        yield array.noise.scale


def replace(value: Value, scalars: Iterator[ir.Expression]) -> Value:
    """The value with other scalars, in the order of :func:`expressions`."""
    match value:
        case ScalarValue():
            return ScalarValue(next(scalars))
        case OptionalValue():
            return OptionalValue(next(scalars), next(scalars))
        case LabelValue(kind):
            none = next(scalars)
            return LabelValue(kind, next(scalars), none)
        case ExtendedValue(sign=sign):
            return ExtendedValue(next(scalars), next(scalars), sign)
        case SourceValue(methods):
            return SourceValue(methods, next(scalars))
        case UniformValue(number, around, kind):
            return UniformValue(number, around, kind, next(scalars), next(scalars))
        case NamedTupleValue(items, kind):
            return NamedTupleValue(tuple(replace(item, scalars) for item in items), kind)
        case TupleValue(items):
            return replace_fields(value, items=tuple(replace(item, scalars) for item in items))
        case ListLiteral(items):
            return ListLiteral(tuple(replace(item, scalars) for item in items))
        case _:
            return value
