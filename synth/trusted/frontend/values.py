"""Values of the language and their shapes: how a Python value becomes flat scalars.

A shape says which scalar variables stand for a variable of the program: ``x`` for a scalar,
``x.none`` and ``x`` for a value that may be None, ``x.0``, ``x.1`` for a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.trusted.program import builders
from synth.trusted.program.syntax import (
    Expression,
    ListShape,
    NoneShape,
    OptionalShape,
    Parameter,
    ParameterKind,
    ScalarShape,
    Shape,
    Sort,
    TupleShape,
    Variable,
)


@dataclass(frozen=True)
class ScalarValue:
    """A scalar."""

    expression: Expression


@dataclass(frozen=True)
class NoneValue:
    """None."""


@dataclass(frozen=True)
class OptionalValue:
    """None where ``flag`` holds, otherwise ``expression``."""

    flag: Expression
    expression: Expression


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

    parameter: Parameter


Value = ScalarValue | NoneValue | OptionalValue | TupleValue | ListValue | ListLiteral | ParameterValue


class MismatchError(Exception):
    """Two shapes that no variable can hold both."""


def shape_of(value: Value) -> Shape:
    """The shape of a value."""
    match value:
        case ScalarValue(expression):
            return ScalarShape(expression.sort)
        case NoneValue():
            return NoneShape()
        case OptionalValue(expression=expression):
            return OptionalShape(expression.sort)
        case TupleValue(items):
            return TupleShape(tuple(shape_of(item) for item in items))
        case ListValue() | ListLiteral():
            return ListShape()
        case ParameterValue():
            raise MismatchError


def join(a: Shape, b: Shape) -> Shape:
    """The smallest shape that holds the values of both.  Raises MismatchError."""
    if a == b:
        return a
    match a, b:
        case TupleShape(left), TupleShape(right) if len(left) == len(right):
            return TupleShape(tuple(join(x, y) for x, y in zip(left, right, strict=True)))
        case ScalarShape(x), ScalarShape(y):
            return ScalarShape(builders.join(x, y))
        case ((ScalarShape(x) | OptionalShape(x)), (ScalarShape(y) | OptionalShape(y))):
            return OptionalShape(builders.join(x, y))
        case ((ScalarShape(x) | OptionalShape(x)), NoneShape()):
            return OptionalShape(x)
        case NoneShape(), (ScalarShape(x) | OptionalShape(x)):
            return OptionalShape(x)
        case _:
            raise MismatchError


def has_list(shape: Shape) -> bool:
    """Whether a shape is or contains a list."""
    match shape:
        case ListShape():
            return True
        case TupleShape(items):
            return any(has_list(item) for item in items)
        case _:
            return False


def describe(shape: Shape) -> str:
    """The shape in words."""
    match shape:
        case ScalarShape(sort):
            return "a truth value" if sort is Sort.BOOL else "a number"
        case NoneShape():
            return "None"
        case OptionalShape(sort):
            return "None or a truth value" if sort is Sort.BOOL else "None or a number"
        case TupleShape(items):
            return f"a tuple of {len(items)}"
        case ListShape():
            return "a list"


def describe_value(value: Value) -> str:
    """The kind of value in words."""
    match value:
        case ParameterValue(parameter):
            kind = parameter.kind
            return "a function" if kind is ParameterKind.FUNCTION else "a sequence"
        case _:
            return describe(shape_of(value))


def components(name: str, shape: Shape) -> Iterator[tuple[str, Sort]]:
    """The flat scalar variables of a variable; lists have none."""
    match shape:
        case ScalarShape(sort):
            yield name, sort
        case OptionalShape(sort):
            yield f"{name}.none", Sort.BOOL
            yield name, sort
        case TupleShape(items):
            for position, item in enumerate(items):
                yield from components(f"{name}.{position}", item)
        case NoneShape() | ListShape():
            pass


def flatten(value: Value, shape: Shape) -> Iterator[Expression]:
    """The scalars of a value, as :func:`components` of a shape that holds it has them."""
    match value, shape:
        case ScalarValue(expression), ScalarShape(sort):
            yield builders.convert(expression, sort)
        case ScalarValue(expression), OptionalShape(sort):
            yield builders.FALSE
            yield builders.convert(expression, sort)
        case OptionalValue(flag, expression), OptionalShape(sort):
            yield flag
            yield builders.convert(expression, sort)
        case NoneValue(), OptionalShape(sort):
            yield builders.TRUE
            yield builders.zero(sort)
        case TupleValue(values), TupleShape(shapes):
            for item, inner in zip(values, shapes, strict=True):
                yield from flatten(item, inner)
        case _:
            pass


def rebuild(shape: Shape, scalars: Iterator[Expression], name: str = "") -> Value:
    """The value of a shape that has these scalars; a list in it is called by its place."""
    match shape:
        case ScalarShape():
            return ScalarValue(next(scalars))
        case NoneShape():
            return NoneValue()
        case OptionalShape():
            return OptionalValue(next(scalars), next(scalars))
        case TupleShape(items):
            return TupleValue(tuple(rebuild(item, scalars, f"{name}.{i}") for i, item in enumerate(items)))
        case ListShape():
            return ListValue(name)


def variable(name: str, shape: Shape) -> Value:
    """The value of a variable."""
    scalars = (Variable(flat, sort) for flat, sort in components(name, shape))
    return rebuild(shape, scalars, name)


def expressions(value: Value) -> Iterator[Expression]:
    """All expressions in a value."""
    match value:
        case ScalarValue(expression):
            yield expression
        case OptionalValue(flag, expression):
            yield flag
            yield expression
        case TupleValue(items) | ListLiteral(items):
            for item in items:
                yield from expressions(item)
        case _:
            pass


def replace(value: Value, scalars: Iterator[Expression]) -> Value:
    """The value with other scalars, in the order of :func:`expressions`."""
    match value:
        case ScalarValue():
            return ScalarValue(next(scalars))
        case OptionalValue():
            return OptionalValue(next(scalars), next(scalars))
        case TupleValue(items):
            return TupleValue(tuple(replace(item, scalars) for item in items))
        case ListLiteral(items):
            return ListLiteral(tuple(replace(item, scalars) for item in items))
        case _:
            return value
