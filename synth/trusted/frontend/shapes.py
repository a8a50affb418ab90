"""Shapes: what values of a kind have in common, and how two of them are joined.

A shape says which scalar variables stand for a variable of the program: ``x`` for a scalar,
``x.none`` and ``x`` for a value that may be None, ``x.0``, ``x.1`` for a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from synth.trusted.frontend.classes import Class
from synth.trusted.frontend.labels import STRINGS, Codes, LabelType
from synth.trusted.frontend.values import (
    ArrayValue,
    ClassValue,
    DataValue,
    DictValue,
    EnumValue,
    ExtendedValue,
    FunctionValue,
    GeneratorValue,
    KeyedValue,
    LabelValue,
    ListLiteral,
    ListValue,
    LoggerValue,
    MatrixValue,
    NamedTupleValue,
    NoneValue,
    ObjectValue,
    OptionalValue,
    ParameterValue,
    RecordsValue,
    ScalarValue,
    SetValue,
    SourceValue,
    TupleValue,
    TypeValue,
    UniformValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class NamedTupleShape(ir.TupleShape):
    """A named tuple; what is returned has the shape of a tuple instead, which it is equal to."""

    kind: Class


@dataclass(frozen=True)
class DataShape(ir.TupleShape):
    """A record that is an object of a dataclass; it is no tuple, and in no output."""

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
    """The shape of a value.  Raises MismatchError for one that no variable holds."""
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
        case DataValue(items, kind):
            return DataShape(tuple(shape_of(item) for item in items), kind)
        case KeyedValue(items, names):
            return ir.DictShape(tuple(shape_of(item) for item in items), names)
        case TupleValue(items):
            return ir.TupleShape(tuple(shape_of(item) for item in items))
        case ListValue() | ListLiteral():
            return ir.ListShape()
        case SourceValue(methods, none, kind):
            return ir.SourceShape(methods, none != builders.FALSE, kind)
        case _:
            raise MismatchError


def join(a: ir.Shape, b: ir.Shape) -> ir.Shape:
    """The smallest shape that holds the values of both.  Raises MismatchError."""
    if a == b:
        return a
    match a, b:
        case NamedTupleShape(left, kind), NamedTupleShape(right, other) if kind is other:
            return NamedTupleShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)), kind)
        case ir.DictShape(left, keys), ir.DictShape(right, others) if keys == others:
            return ir.DictShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)), keys)
        case (ir.DictShape() | DataShape(), _) | (_, ir.DictShape() | DataShape()):
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
        case ir.SourceShape(methods, optional, name), ir.SourceShape(other, another, same):
            if methods != other:
                raise MismatchError
            return ir.SourceShape(methods, optional or another, name if name == same else "")
        case (ir.SourceShape() as source, ir.NoneShape()) | (ir.NoneShape(), ir.SourceShape() as source):
            return replace_fields(source, optional=True)
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
    return any(one is ir.Sort.BOOL is not other for one, other in sorts(shape, joined))


def is_widened(shape: ir.Shape, joined: ir.Shape) -> bool:
    """Whether a value of a shape counts as one of another type in one that holds its values."""
    return any(one is not other for one, other in sorts(shape, joined))


def sorts(shape: ir.Shape, joined: ir.Shape) -> Iterator[tuple[ir.Sort, ir.Sort]]:
    """The sorts of numbers and truth values of a shape, and those in one that holds its values."""
    match shape, joined:
        case (
            (ir.ScalarShape(sort) | ir.OptionalShape(sort)),
            (ir.ScalarShape(other) | ir.OptionalShape(other)),
        ):
            yield sort, other
        case ir.TupleShape(items), ir.TupleShape(others):
            for item, other_item in zip(items, others, strict=False):
                yield from sorts(item, other_item)


def has_object(shape: ir.Shape) -> bool:
    """Whether a shape is or contains an object."""
    return isinstance(shape, ir.TupleShape) and (
        isinstance(shape, DataShape) or any(map(has_object, shape.items))
    )


def has_list(shape: ir.Shape) -> bool:
    """Whether a shape is or contains a list."""
    match shape:
        case ir.ListShape():
            return True
        case ir.TupleShape(items):
            return any(has_list(item) for item in items)
        case _:
            return False


def may_hold_list(value: Value) -> bool:
    """Whether a value is or contains a list, or something that has no shape."""
    try:
        return has_list(shape_of(value))
    except MismatchError:
        return True


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
        case DataShape(kind=kind):
            return f"an object of class '{kind.name}'"
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
        case LoggerValue():
            return "a logger"
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
        case ObjectValue(kind=kind_of_object) | DataValue(kind=kind_of_object):
            return f"an object of class '{kind_of_object.name}'"
        case TupleValue(items):
            return f"a tuple of {len(items)}"
        case _:
            return describe(shape_of(value))
