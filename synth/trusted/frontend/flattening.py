"""Values as the scalars that they consist of, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as replace_fields

from synth.trusted.frontend.shapes import (
    ArrayShape,
    DataShape,
    ExtendedShape,
    MatrixShape,
    NamedTupleShape,
    TypedLabelShape,
)
from synth.trusted.frontend.values import (
    INDEX,
    ArrayValue,
    DataValue,
    ExtendedValue,
    LabelValue,
    ListLiteral,
    ListValue,
    MatrixValue,
    NamedTupleValue,
    NoneValue,
    OptionalValue,
    ScalarValue,
    SourceValue,
    TupleValue,
    UniformValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


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
        case ((TupleValue(values) | DataValue(values)), ir.TupleShape(shapes)):
            for item, inner in zip(values, shapes, strict=True):
                yield from flatten(item, inner)
        case (NoneValue(), ir.NoneShape()) | (SourceValue(), ir.SourceShape()) | (_, ir.ListShape()):
            pass
        case _:
            raise AssertionError("a value of another shape")


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
            if isinstance(shape, NamedTupleShape):
                return NamedTupleValue(parts, shape.kind)
            return DataValue(parts, shape.kind) if isinstance(shape, DataShape) else TupleValue(parts)
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
        case ir.SourceShape(methods, optional, kind):
            return SourceValue(methods, next(scalars) if optional else builders.FALSE, kind)


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
        case TupleValue(items) | ListLiteral(items) | DataValue(items):
            for item in items:
                yield from expressions(item)
        case _:
            pass


def parts(array: ArrayValue) -> Iterator[ir.Expression]:
    """All expressions of an array, most of them over :data:`INDEX`."""
    yield array.length
    yield array.entry
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
        case SourceValue():
            return replace_fields(value, none=next(scalars))
        case UniformValue():
            return replace_fields(value, factor=next(scalars), offset=next(scalars))
        case TupleValue(items) | DataValue(items):
            return replace_fields(value, items=tuple(replace(item, scalars) for item in items))
        case ListLiteral(items):
            return ListLiteral(tuple(replace(item, scalars) for item in items))
        case _:
            return value
