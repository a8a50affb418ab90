"""Ranges: the numbers between two public bounds, by a constant step."""

from __future__ import annotations

import ast

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, flattening
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.iterations import Iterable, Iteration
from synth.trusted.frontend.values import ScalarValue
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


def read_range(context: Context, node: ast.Call) -> Iterable:
    nodes = arguments.positional(context.source, node, "range", 1, 3)
    start: ir.Expression = builders.ZERO
    if len(nodes) > 1:
        start = _bound(context, nodes[0], "start")
    stop = _bound(context, nodes[min(1, len(nodes) - 1)], "stop")
    stride = _step(context, nodes[2]) if len(nodes) > 2 else 1
    return steps(context, start, stop, stride)


def _bound(context: Context, node: ast.expr, stem: str) -> ir.Expression:
    """A bound of a range: evaluated once, before the loop."""
    return end(context, ScalarValue(context.integer(node, "a bound of a range")), node, stem)


def end(context: Context, value: ScalarValue, node: ast.expr, stem: str) -> ir.Expression:
    """How far a loop goes, which must be public; a name for it if it may change."""
    bound = value.expression
    span = context.source.span(node)
    context.public.append((bound, span, Refusal.PRIVATE_LOOP_BOUND, "private data in a loop bound"))
    if context.is_fixed(bound):
        return bound
    (saved,) = flattening.expressions(context.save(ScalarValue(bound), node, stem))
    return saved


def _step(context: Context, node: ast.expr) -> int | ir.Expression:
    """The step of a range: a nonzero number, or a public one that is shown to be positive."""
    found = context.integer(node, "the step of a range")
    if not isinstance(found, ir.Constant):
        positive = builders.less(builders.ZERO, found)
        context.require("domain", positive, "the step of a range may not be positive", node)
        return end(context, ScalarValue(found), node, "step")
    return _nonzero(context, node, "the step of a range", found)


def step(context: Context, node: ast.expr, what: str) -> int:
    """A step, which must be a nonzero constant.  Raises ProgramError."""
    return _nonzero(context, node, what, context.integer(node, what))


def _nonzero(context: Context, node: ast.expr, what: str, found: ir.Expression) -> int:
    if not isinstance(found, ir.Constant) or found.value == 0:
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, f"{what} must be a nonzero constant")
    return int(found.value)


def steps(
    context: Context, start: ir.Expression, stop: ir.Expression, step: int | ir.Expression
) -> Iteration:
    """The numbers from one to another one, which is left out; a step that is no number is positive."""
    if not isinstance(step, int):
        return _strides(context, start, stop, step)

    def entry(counter: ir.Expression) -> ir.Expression:
        distance = builders.arithmetic(ir.Operator.MULTIPLY, builders.integer(abs(step)), counter)
        if step in (1, -1):
            distance = counter
        return builders.add(start, distance) if step > 0 else builders.subtract(start, distance)

    def going(counter: ir.Expression) -> ir.Expression:
        if step == 1:
            return builders.less(counter, builders.subtract(stop, start))
        if step > 0:
            return builders.less(entry(counter), stop)
        return builders.less(stop, entry(counter))

    span = builders.subtract(stop, start) if step > 0 else builders.subtract(start, stop)
    count = _count(context, span, abs(step))
    size = span if step in (1, -1) else count
    bounds = (start, stop) if step == 1 else None
    return Iteration(going, lambda counter: ScalarValue(entry(counter)), count, size=size, bounds=bounds)


def _strides(context: Context, start: ir.Expression, stop: ir.Expression, step: ir.Expression) -> Iteration:
    """The numbers from one to another one, which is left out, by a positive step."""

    def entry(counter: ir.Expression) -> ir.Expression:
        return builders.add(start, builders.arithmetic(ir.Operator.MULTIPLY, step, counter))

    def going(counter: ir.Expression) -> ir.Expression:
        return builders.less(entry(counter), stop)

    padded = builders.subtract(builders.add(builders.subtract(stop, start), step), builders.ONE)
    count = context.natural(ir.Operation(ir.Operator.FLOOR_DIVIDE, (padded, step), ir.Sort.INT))
    return Iteration(going, lambda counter: ScalarValue(entry(counter)), count, size=count)


def _count(context: Context, distance: ir.Expression, step: int) -> ir.Expression:
    """How many steps fit into a distance; none if it is negative."""
    if step > 1:
        padded = builders.add(distance, builders.integer(step - 1))
        operands = (padded, builders.integer(step))
        distance = ir.Operation(ir.Operator.FLOOR_DIVIDE, operands, ir.Sort.INT)
    return context.natural(distance)
