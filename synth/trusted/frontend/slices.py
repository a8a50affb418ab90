"""Slices: parts of tuples, and new lists of the entries of a list from one end to another.

Ends are cut to the list as Python does: whatever they are, there is a part.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from synth.trusted.errors import Refusal
from synth.trusted.frontend import flattening, iterables, iterations, loops, ranges, shapes
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import (
    DictValue,
    EnumValue,
    GeneratorValue,
    ListLiteral,
    ScalarValue,
    TupleValue,
    Value,
)
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def part(context: Context, node: ast.Subscript, base: Value, slice_: ast.Slice) -> Value:
    """``base[a:b]`` or ``base[a:b:c]``, with a step that is a constant."""
    match base:
        case TupleValue(items):
            return TupleValue(_constant_part(context, slice_, items))
        case ListLiteral(items):
            return ListLiteral(_constant_part(context, slice_, items))
        case DictValue() | EnumValue() | GeneratorValue():
            kind = shapes.describe_value(base)
            raise context.error(node, Refusal.WRONG_TYPE, f"a slice of {kind} is not supported")
        case _:
            return loops.collect(context, node, _entries(context, node, base, slice_))


def _constant_part(context: Context, slice_: ast.Slice, items: tuple[Value, ...]) -> tuple[Value, ...]:
    ends: list[int | None] = []
    for end in (slice_.lower, slice_.upper, slice_.step):
        value = None if end is None else context.integer(end, "an end of a slice")
        if value is not None and not isinstance(value, ir.Constant):
            message = "an end of a slice of what is written out must be a constant"
            raise context.error(end or slice_, Refusal.WRONG_INDEX, message)
        ends.append(None if value is None else int(value.value))
    if ends[2] == 0:
        raise context.error(slice_, Refusal.WRONG_INDEX, "the step of a slice is 0")
    return items[slice(*ends)]


def _entries(context: Context, node: ast.Subscript, base: Value, slice_: ast.Slice) -> iterations.Iteration:
    """The entries of a list between two ends."""
    whole = iterables.over(context, node, base)
    if not isinstance(whole, iterations.Iteration) or whole.size is None:
        kind = shapes.describe_value(base)
        raise context.error(node, Refusal.WRONG_TYPE, f"a slice of {kind} is not supported")
    ends = [end for end in (slice_.lower, slice_.upper) if end is not None]
    saved = {id(end): _saved(context, end) for end in ends}
    step = 1 if slice_.step is None else ranges.step(context, slice_.step, "the step of a slice")
    if step not in (1, -1) or (step == -1 and ends):
        message = "a step of a slice is only supported in xs[::-1]"
        raise context.error(slice_.step or slice_, Refusal.UNSUPPORTED_LIST, message)
    if step == -1:
        return iterations.backwards(whole, whole.size)
    return _between(
        whole,
        whole.size,
        *(None if end is None else saved[id(end)] for end in (slice_.lower, slice_.upper)),
    )


def _between(
    whole: iterations.Iteration,
    length: ir.Expression,
    lower: ir.Expression | None,
    upper: ir.Expression | None,
) -> iterations.Iteration:
    first = builders.ZERO if lower is None else _cut(lower, length)
    end = length if upper is None else _cut(upper, length)
    size = builders.subtract(end, first)
    count = (
        size
        if upper is None or lower is None
        else builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, size)
    )

    def entry(counter: ir.Expression) -> Value:
        return whole.entry(builders.add(first, counter))

    return replace(
        whole, going=lambda counter: builders.less(counter, size), entry=entry, count=count, size=size
    )


def _cut(end: ir.Expression, length: ir.Expression) -> ir.Expression:
    """Where a slice begins or ends: a negative end counts from the end of the list."""
    above = builders.arithmetic(ir.Operator.MINIMUM, end, length)
    below = builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, builders.add(length, end))
    return builders.choose(builders.less(end, builders.ZERO), below, above)


def _saved(context: Context, node: ast.expr) -> ir.Expression:
    """An end of a slice; the length of the new list is public."""
    end = context.integer(node, "an end of a slice")
    span = context.source.span(node)
    context.public.append((end, span, Refusal.PRIVATE_LOOP_BOUND, "private data in an end of a slice"))
    if context.is_fixed(end):
        return end
    (saved,) = flattening.expressions(context.save(ScalarValue(end), node, "end"))
    return saved
