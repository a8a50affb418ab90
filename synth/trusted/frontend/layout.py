"""Layouts: how entries of a list, or outputs, of several shapes become flat components.

The alternatives are the concrete shapes a value may have when it is appended or returned.  With
one alternative the components are just its scalars; with several, an integer tag comes first and
the components are padded with zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from synth.trusted.frontend.flattening import components, flatten, rebuild
from synth.trusted.frontend.shapes import DataShape, MismatchError, TypedLabelShape, join, shape_of
from synth.trusted.frontend.values import (
    ExtendedValue,
    LabelValue,
    ListValue,
    NoneValue,
    OptionalValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

MAX_CASES = 16


@dataclass(frozen=True)
class Case:
    """A concrete value, without None-or-number in it, under a condition."""

    condition: ir.Expression
    value: Value


def alternatives_of(value: Value) -> ir.Alternatives:
    """The concrete shapes that a value may have.  Raises MismatchError."""
    result: ir.Alternatives = ()
    for case in cases(value):
        result = merge(result, (shape_of(case.value),))
    return result


def unfit(value: Value) -> Value:
    """The smallest part of a value that no shape holds; the value itself where each part has one."""
    for item in value.items if isinstance(value, TupleValue) else ():
        try:
            alternatives_of(item)
        except MismatchError:
            return unfit(item)
    return value


def merge(left: ir.Alternatives, right: ir.Alternatives) -> ir.Alternatives:
    """The alternatives of both, in canonical order; integers and reals are one shape.

    Raises MismatchError for what is neither an entry nor an output.
    """
    found = {_skeleton(shape): shape for shape in left}
    for shape in right:
        key = _skeleton(shape)
        found[key] = join(found[key], shape) if key in found else shape
    return tuple(found[key] for key in sorted(found, key=_rank))


def sorts(alternatives: ir.Alternatives) -> tuple[ir.Sort, ...]:
    """The sorts of the flat components."""
    if len(alternatives) == 1:
        return tuple(sort for _, sort in components("", alternatives[0]))
    if not alternatives:
        return ()
    result = [ir.Sort.INT]
    for shape in alternatives:
        for place, (_, sort) in enumerate(components("", shape), start=1):
            if place == len(result):
                result.append(sort)
            else:
                result[place] = builders.join(result[place], sort)
    return tuple(result)


def encode(value: Value, alternatives: ir.Alternatives) -> tuple[ir.Expression, ...]:
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


def _choose(
    value: Value, condition: ir.Expression, then: ir.Expression, otherwise: ir.Expression
) -> ir.Expression:
    # A value that is None is 0 already, and need not be made so.
    if isinstance(value, TupleValue) and then == builders.zero(then.sort):
        for item in value.items:
            if item == OptionalValue(condition, otherwise):
                return otherwise
    return builders.choose(condition, then, otherwise)


def decode(name: str, index: ir.Expression, alternatives: ir.Alternatives) -> Value | None:
    """An entry of a local list; None if it is a dict, or its shape is only known at run time."""
    layout = sorts(alternatives)
    scalars = [ir.Element(name, index, place, sort) for place, sort in enumerate(layout)]
    match alternatives:
        case (ir.DictShape(),):
            return None
        case (shape,):
            return rebuild(shape, iter(scalars))
        case (ir.NoneShape(), ir.ScalarShape()) | (ir.ScalarShape(), ir.NoneShape()):
            tag = builders.integer(alternatives.index(ir.NoneShape()))
            return OptionalValue(builders.equal(scalars[0], tag), scalars[1])
        case (ir.NoneShape(), TypedLabelShape(kind=kind)) | (TypedLabelShape(kind=kind), ir.NoneShape()):
            tag = builders.integer(alternatives.index(ir.NoneShape()))
            return LabelValue(kind, scalars[1], builders.equal(scalars[0], tag))
        case _:
            return None


def count_lists(shape: ir.Shape) -> int:
    """The number of lists in a shape."""
    match shape:
        case ir.ListShape():
            return 1
        case ir.TupleShape(items):
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
        case LabelValue(kind, code, none) if none != builders.FALSE:
            return (Case(none, NoneValue()), Case(builders.negate(none), LabelValue(kind, code)))
        case ExtendedValue():
            raise MismatchError
        case TupleValue(items):
            options = [cases(item) for item in items]
            total = 1
            for option in options:
                total *= len(option)
            if total > MAX_CASES:
                raise MismatchError
            return tuple(_combine(value, choice) for choice in product(*options))
        case _:
            return (Case(builders.TRUE, value),)


def _combine(value: TupleValue, choice: tuple[Case, ...]) -> Case:
    condition = builders.both(*(case.condition for case in choice))
    return Case(condition, replace(value, items=tuple(case.value for case in choice)))


def _encode_optional(
    value: OptionalValue, alternatives: ir.Alternatives, layout: tuple[ir.Sort, ...]
) -> tuple[ir.Expression, ...]:
    # A value that is None is 0 already, so that only the tag depends on the flag.
    none = _tag(ir.NoneShape(), alternatives)
    some = _row(ScalarValue(value.expression), alternatives, layout)
    return (builders.choose(value.flag, none, some[0]), *some[1:])


def _row(
    value: Value, alternatives: ir.Alternatives, layout: tuple[ir.Sort, ...]
) -> tuple[ir.Expression, ...]:
    shape = shape_of(value)
    scalars = [_tag(shape, alternatives), *flatten(value, shape)]
    padding = [builders.zero(sort) for sort in layout[len(scalars) :]]
    return tuple(
        builders.convert(scalar, sort) for scalar, sort in zip([*scalars, *padding], layout, strict=True)
    )


def _tag(shape: ir.Shape, alternatives: ir.Alternatives) -> ir.Expression:
    keys = [_skeleton(other) for other in alternatives]
    return builders.integer(keys.index(_skeleton(shape)))


def _skeleton(shape: ir.Shape) -> str:
    match shape:
        case ir.ScalarShape():
            return "scalar"
        case ir.NoneShape():
            return "none"
        case ir.OptionalShape():
            raise AssertionError("not a concrete shape")
        case ir.ListShape():
            return "[list]"
        case ir.LabelShape(name):
            return f"label({name})"
        case ir.SourceShape():
            raise MismatchError
        case ir.DictShape(items, keys):
            entries = (f"{key}: {_skeleton(item)}" for key, item in zip(keys, items, strict=True))
            return f"dict({', '.join(entries)})"
        case ir.TupleShape(items):
            name = f"object({shape.kind.name})" if isinstance(shape, DataShape) else "tuple"
            return f"{name}({', '.join(_skeleton(item) for item in items)})"


def _rank(skeleton: str) -> tuple[bool, int, str]:
    return (skeleton != "none", len(skeleton), skeleton)
