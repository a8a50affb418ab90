"""Entries, slices and attributes of arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arrays, entrywise, slices, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.source import Located
from synth.trusted.frontend.values import (
    INDEX,
    ArrayValue,
    ListLiteral,
    ListValue,
    ParameterValue,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import replaced

_ATTRIBUTES = ("size", "shape", "ndim", "T", "dtype")


def is_attribute(name: str) -> bool:
    """Whether arrays have an attribute of that name, as far as it is modelled."""
    return name in _ATTRIBUTES


def attribute(context: Context, node: ast.Attribute, array: ArrayValue) -> Value:
    """``array.size`` and the like."""
    match node.attr:
        case "size":
            return ScalarValue(length(context, node, array))
        case "shape":
            return TupleValue((ScalarValue(length(context, node, array)),))
        case "ndim":
            return ScalarValue(builders.ONE)
        case "dtype":
            return values.TypeValue(array.entry.sort)
        case _:
            return array


def length(context: Context, node: Located, array: ArrayValue) -> ir.Expression:
    """The number of entries; those that a mask leaves are counted."""
    if array.mask is None:
        return array.length
    span = context.source.place(node)
    total = ir.Variable(context.temporary("count"), ir.Sort.INT)
    context.emit(ir.Assign(total.name, builders.ZERO, span))

    def count(index: ir.Expression) -> None:
        with arrays.where(context, array, index, span):
            arrays.at(context, array, index)
            context.emit(ir.Assign(total.name, builders.add(total, builders.ONE), span))

    arrays.each(context, array.length, count, span)
    return total


def item(context: Context, node: ast.Subscript, array: ArrayValue, position: Value) -> Value:
    """``array[i]``, or the entries where an array of truth values holds."""
    if isinstance(position, ListValue | ListLiteral | ParameterValue):
        position = arrays.from_value(context, position, node.slice) or position
    if isinstance(position, ArrayValue):
        take = _picked if position.entry.sort is ir.Sort.INT else _selected
        return take(context, node, array, position)
    array = settled(context, node, array)
    return ScalarValue(arrays.at(context, array, checked(context, node, array, position)))


def checked(context: Context, node: ast.Subscript, array: ArrayValue, position: Value) -> ir.Expression:
    """An index of an array, counted from the start, with the obligation that it is in range."""
    index = context.scalar(position, node.slice)
    if index.sort is not ir.Sort.INT:
        raise context.error(node.slice, Refusal.WRONG_TYPE, "an index must be an integer: use int(...)")
    negative = isinstance(index, ir.Constant) and index.value < 0
    if negative:
        index = builders.add(array.length, index)
    inside = builders.less(index, array.length)
    needed = builders.both(builders.less_equal(builders.ZERO, index), inside)
    context.require("index", needed, "index out of range", node)
    return index


def settled(context: Context, node: Located, array: ArrayValue) -> ArrayValue:
    """The array with all of its entries drawn, and none left out."""
    if array.noise is None and array.mask is None:
        return array
    return arrays.filled(context, array, node)


def _picked(context: Context, node: ast.Subscript, array: ArrayValue, places: ArrayValue) -> ArrayValue:
    """The entries at an array of indices, counted from the start: that all are inside is asked at once."""
    array, places = settled(context, node, array), arrays.kept(context, settled(context, node, places), node)

    def check(index: ir.Expression) -> None:
        place = arrays.at(context, places, index)
        inside = builders.both(builders.less_equal(builders.ZERO, place), builders.less(place, array.length))
        context.require("index", inside, "index out of range", node)

    arrays.each(context, places.length, check, context.source.place(node))
    at = {INDEX.name: places.entry}
    return arrays.kept(context, ArrayValue(places.length, replaced(array.entry, at)), node)


def _selected(context: Context, node: ast.Subscript, array: ArrayValue, mask: ArrayValue) -> ArrayValue:
    if array.noise is not None or (array.length, array.mask) != (mask.length, mask.mask):
        array = settled(context, node, array)
    mask = checked_mask(context, node, array, mask)
    both = mask.entry if array.mask is None else builders.both(array.mask, mask.entry)
    return arrays.kept(context, replace(array, mask=both, owner="", whole=None), node)


def checked_mask(context: Context, node: ast.Subscript, array: ArrayValue, mask: ArrayValue) -> ArrayValue:
    """An array of truth values that is as long as the one that it selects from.  Raises ProgramError."""
    if mask.entry.sort is not ir.Sort.BOOL:
        kind = "reals" if mask.entry.sort is ir.Sort.REAL else "integers"
        message = f"an array of {kind} is not supported as an index"
        raise context.error(node.slice, Refusal.UNSUPPORTED_ARRAY, message)
    if mask.noise is not None or mask.mask != array.mask:
        mask = arrays.filled(context, mask, node)
    entrywise.require_equal_lengths(context, node, (array, mask))
    return mask


# --- slices -----------------------------------------------------------------------------


def sliced(context: Context, node: ast.Subscript, part: ast.Slice) -> Value:
    """``array[lower:upper]``; as in Python, ends are cut to the array's."""
    nodes = [end for end in (part.lower, part.upper, part.step) if end is not None]
    found: list[Value] = []

    def whole() -> Value:
        found.append(context.expression(context, node.value))
        return found[0]

    def of_array(end: ast.expr) -> Value:
        return context.expression(context, end) if isinstance(found[0], ArrayValue) else values.NoneValue()

    base, *ends = context.in_turn([(node.value, whole), *((end, partial(of_array, end)) for end in nodes)])
    if not isinstance(base, ArrayValue):
        return slices.part(context, node, base, part)
    array = base if base.mask is None else arrays.filled(context, base, node)
    lower, upper, step = _ends(context, part, ends)
    if step is not None and step != builders.ONE:
        return _stepped(context, node, array, lower, upper, step)
    first, last = _range(context, node, array, lower, upper)
    return between(context, node, array, first, last, upper is not None)


def _ends(context: Context, part: ast.Slice, given: Sequence[Value]) -> list[ir.Expression | None]:
    """Lower end, upper end and step of a slice; those that are written have been evaluated."""
    rest = iter(given)
    return [
        None if end is None else _end(context, end, next(rest)) for end in (part.lower, part.upper, part.step)
    ]


def _range(
    context: Context,
    node: Located,
    array: ArrayValue,
    lower: ir.Expression | None,
    upper: ir.Expression | None,
) -> tuple[ir.Expression, ir.Expression]:
    first = builders.ZERO if lower is None else _cut(context, node, array.length, lower)
    last = array.length if upper is None else _cut(context, node, array.length, upper)
    return first, last


def bounds(
    context: Context, node: Located, array: ArrayValue, part: ast.Slice
) -> tuple[ir.Expression, ir.Expression]:
    """The first index of a slice that is assigned to, and the one behind its last.  Raises ProgramError."""
    nodes = [end for end in (part.lower, part.upper, part.step) if end is not None]
    lower, upper, step = _ends(context, part, context.ordered(nodes))
    if step is not None and step != builders.ONE:
        message = "an assignment to a slice with a step is not supported"
        raise context.error(node, Refusal.UNSUPPORTED_ARRAY, message)
    return _range(context, node, array, lower, upper)


def between(
    context: Context,
    node: Located,
    array: ArrayValue,
    first: ir.Expression,
    last: ir.Expression,
    cut: bool = True,
) -> ArrayValue:
    """The entries from one index to another; ``cut`` says that the last may be before the first."""
    if first == builders.ZERO:
        return _taken(context, node, array, last, INDEX)
    size = builders.subtract(last, first)
    if cut:
        size = builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, size)
    return _taken(context, node, array, size, builders.add(INDEX, first))


def _taken(
    context: Context, node: Located, array: ArrayValue, size: ir.Expression, index: ir.Expression
) -> ArrayValue:
    """So many entries of an array, each at an index that depends on its own.  It is a view of the array."""
    size = arrays.number(context, size, node)
    place = {INDEX.name: index}
    noise = array.noise and replace(array.noise, scale=replaced(array.noise.scale, place))
    return ArrayValue(size, replaced(array.entry, place), None, noise, array.owner)


def _end(context: Context, node: ast.expr, value: Value) -> ir.Expression | None:
    if isinstance(value, values.NoneValue):
        return None
    end = context.scalar(value, node)
    if end.sort is not ir.Sort.INT:
        raise context.error(node, Refusal.WRONG_TYPE, "an end of a slice must be an integer")
    context.public.append(
        (end, context.source.span(node), Refusal.PRIVATE_LOOP_BOUND, "private data in a bound of a slice")
    )
    return arrays.number(context, end, node)


def _cut(context: Context, node: Located, size: ir.Expression, end: ir.Expression) -> ir.Expression:
    """An end of a slice, counted from the start and cut to 0 and the length."""
    if isinstance(end, ir.Constant):
        if end.value >= 0:
            return _least(end, size)
        return builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, builders.add(size, end))
    counted = builders.choose(builders.less(end, builders.ZERO), builders.add(size, end), end)
    cut = builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, _least(counted, size))
    return arrays.number(context, cut, node)


def _least(a: ir.Expression, b: ir.Expression) -> ir.Expression:
    if isinstance(a, ir.Constant) and isinstance(b, ir.Constant):
        return a if a.value <= b.value else b
    return a if a == builders.ZERO else builders.arithmetic(ir.Operator.MINIMUM, a, b)


def _stepped(
    context: Context,
    node: ast.Subscript,
    array: ArrayValue,
    lower: ir.Expression | None,
    upper: ir.Expression | None,
    step: ir.Expression,
) -> ArrayValue:
    if step == builders.integer(-1) and lower is None and upper is None:
        last = builders.subtract(array.length, builders.ONE)
        return _taken(context, node, array, array.length, builders.subtract(last, INDEX))
    message = "a slice with a step is not supported, save '[::-1]'"
    raise context.error(node.slice, Refusal.UNSUPPORTED_ARRAY, message)
