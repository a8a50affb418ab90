"""Layouts: how entries of a list, or outputs, of several shapes become flat components.

The alternatives are the concrete shapes a value may have when it is appended or returned.  With
one alternative the components are just its scalars; with several, an integer tag comes first and
the components are padded with zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from synth.trusted.frontend.values import (
    ListValue,
    MismatchError,
    NoneValue,
    OptionalValue,
    ScalarValue,
    TupleValue,
    Value,
    components,
    flatten,
    join,
    rebuild,
    shape_of,
)
from synth.trusted.program import builders
from synth.trusted.program.syntax import (
    Alternatives,
    Element,
    Expression,
    ListShape,
    NoneShape,
    OptionalShape,
    ScalarShape,
    Shape,
    Sort,
    TupleShape,
)

MOST_CASES = 16


@dataclass(frozen=True)
class Case:
    """A concrete value, without None-or-number in it, under a condition."""

    condition: Expression
    value: Value


def alternatives_of(value: Value) -> Alternatives:
    """The concrete shapes that a value may have.  Raises MismatchError."""
    result: Alternatives = ()
    for case in cases(value):
        result = merge(result, (shape_of(case.value),))
    return result


def merge(left: Alternatives, right: Alternatives) -> Alternatives:
    """The alternatives of both, in canonical order; integers and reals are one shape."""
    found = {_skeleton(shape): shape for shape in left}
    for shape in right:
        key = _skeleton(shape)
        found[key] = join(found[key], shape) if key in found else shape
    return tuple(found[key] for key in sorted(found, key=_rank))


def sorts(alternatives: Alternatives) -> tuple[Sort, ...]:
    """The sorts of the flat components."""
    if len(alternatives) == 1:
        return tuple(sort for _, sort in components("", alternatives[0]))
    if not alternatives:
        return ()
    result = [Sort.INT]
    for shape in alternatives:
        for place, (_, sort) in enumerate(components("", shape), start=1):
            if place == len(result):
                result.append(sort)
            else:
                result[place] = builders.join(result[place], sort)
    return tuple(result)


def encode(value: Value, alternatives: Alternatives) -> tuple[Expression, ...]:
    """The flat components of a value."""
    if len(alternatives) == 1:
        return tuple(flatten(value, alternatives[0]))
    layout = sorts(alternatives)
    if isinstance(value, OptionalValue):
        return _encode_optional(value, alternatives, layout)
    *others, last = cases(value)
    row = _row(last.value, alternatives, layout)
    for case in reversed(others):
        upper = _row(case.value, alternatives, layout)
        pairs = zip(upper, row, strict=True)
        row = tuple(_choose(value, case.condition, *pair) for pair in pairs)
    return row


def _choose(value: Value, condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    # A value that is None is 0 already, and need not be made so.
    if isinstance(value, TupleValue) and then == builders.zero(then.sort):
        for item in value.items:
            if item == OptionalValue(condition, otherwise):
                return otherwise
    return builders.choose(condition, then, otherwise)


def decode(name: str, index: Expression, alternatives: Alternatives) -> Value | None:
    """An entry of a local list; None if its shape is only known at run time."""
    layout = sorts(alternatives)
    scalars = [Element(name, index, place, sort) for place, sort in enumerate(layout)]
    match alternatives:
        case (shape,):
            return rebuild(shape, iter(scalars))
        case (NoneShape(), ScalarShape()) | (ScalarShape(), NoneShape()):
            tag = builders.integer(alternatives.index(NoneShape()))
            return OptionalValue(builders.equal(scalars[0], tag), scalars[1])
        case _:
            return None


def count_lists(shape: Shape) -> int:
    """The number of lists in a shape."""
    match shape:
        case ListShape():
            return 1
        case TupleShape(items):
            return sum(count_lists(item) for item in items)
        case _:
            return 0


def lists_in(value: Value) -> Iterator[str]:
    """The names of the lists in a value."""
    match value:
        case ListValue(name):
            yield name
        case TupleValue(items):
            for item in items:
                yield from lists_in(item)
        case _:
            pass


def cases(value: Value) -> tuple[Case, ...]:
    """The concrete values that a value stands for, with exclusive conditions."""
    match value:
        case OptionalValue(flag, expression):
            some = Case(builders.negate(flag), ScalarValue(expression))
            return (Case(flag, NoneValue()), some)
        case TupleValue(items):
            options = [cases(item) for item in items]
            total = 1
            for option in options:
                total *= len(option)
            if total > MOST_CASES:
                raise MismatchError
            return tuple(_combine(choice) for choice in product(*options))
        case _:
            return (Case(builders.TRUE, value),)


def _combine(choice: tuple[Case, ...]) -> Case:
    condition = builders.both(*(case.condition for case in choice))
    return Case(condition, TupleValue(tuple(case.value for case in choice)))


def _encode_optional(
    value: OptionalValue, alternatives: Alternatives, layout: tuple[Sort, ...]
) -> tuple[Expression, ...]:
    # A value that is None is 0 already, so that only the tag depends on the flag.
    none = _tag(NoneShape(), alternatives)
    some = _row(ScalarValue(value.expression), alternatives, layout)
    return (builders.choose(value.flag, none, some[0]), *some[1:])


def _row(value: Value, alternatives: Alternatives, layout: tuple[Sort, ...]) -> tuple[Expression, ...]:
    shape = shape_of(value)
    scalars = [_tag(shape, alternatives), *flatten(value, shape)]
    padding = [builders.zero(sort) for sort in layout[len(scalars) :]]
    return tuple(
        builders.convert(scalar, sort) for scalar, sort in zip([*scalars, *padding], layout, strict=True)
    )


def _tag(shape: Shape, alternatives: Alternatives) -> Expression:
    keys = [_skeleton(other) for other in alternatives]
    return builders.integer(keys.index(_skeleton(shape)))


def _skeleton(shape: Shape) -> str:
    match shape:
        case ScalarShape():
            return "scalar"
        case NoneShape():
            return "none"
        case OptionalShape():
            raise AssertionError("not a concrete shape")
        case ListShape():
            return "[list]"
        case TupleShape(items):
            return f"tuple({', '.join(_skeleton(item) for item in items)})"


def _rank(skeleton: str) -> tuple[bool, int, str]:
    return (skeleton != "none", len(skeleton), skeleton)
