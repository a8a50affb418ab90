"""Loops: ``while`` and ``for`` as endless loops that an exit leaves."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import arguments, expressions, store, values
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.inference import UnresolvedError
from synth.trusted.frontend.sampling import is_local
from synth.trusted.frontend.values import ListValue, ParameterValue, ScalarValue, TupleValue, Value
from synth.trusted.frontend.vocabulary import Known, Role
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.flow import finish_block, runs_on

Test = Callable[[Context, ast.expr], ir.Expression]


@dataclass(frozen=True)
class Iteration:
    """What a for loop runs over, by the counter of the iterations done.

    ``going`` says whether another one follows, ``entry`` gives its value; ``count`` is their
    number at the most.
    """

    going: Callable[[ir.Expression], ir.Expression]
    entry: Callable[[ir.Expression], Value]
    count: ir.Expression
    local: str | None = None


def while_loop(context: Context, node: ast.While, test: Test) -> None:
    """``while test: ...``"""
    labels = _labels(context)
    with context.nested() as inside:
        going = test(context, node.test)
        _leave_unless(context, going, _exit_label(node, labels), node)
        _body(context, node, labels)
    _finish(context, node, ir.Loop(0, tuple(inside), context.source.span(node)), labels)


def for_loop(context: Context, node: ast.For) -> None:
    """``for target in ...: ...``"""
    iteration = _iteration_or_none(context, node)
    labels = _labels(context)
    name = node.target.id if isinstance(node.target, ast.Name) else "loop"
    counter = context.temporary(context.scope.prefix + name)
    variable = ir.Variable(counter, ir.Sort.INT)
    span = context.source.span(node)
    context.emit(ir.Assign(counter, builders.ZERO, span))
    with context.nested() as inside:
        _leave_unless(context, iteration.going(variable), _exit_label(node, labels), node)
        if iteration.local is not None:
            context.iterating.append(iteration.local)
        _assign_target(context, node, iteration, variable)
        _body(context, node, labels)
        if iteration.local is not None:
            context.iterating.pop()
        if runs_on(context.body):
            context.emit(ir.Assign(counter, builders.add(variable, builders.ONE), span))
    loop = ir.Loop(0, tuple(inside), span, counter, iteration.count)
    _finish(context, node, loop, labels)


def _labels(context: Context) -> tuple[str, str, str]:
    number = context.number()
    return f"break%{number}", f"continue%{number}", f"else%{number}"


def _exit_label(node: ast.For | ast.While, labels: tuple[str, str, str]) -> str:
    return labels[2] if node.orelse else labels[0]


def _leave_unless(context: Context, going: ir.Expression, label: str, node: ast.For | ast.While) -> None:
    if going != builders.TRUE:
        span = context.source.span(node)
        context.emit(ir.If(0, builders.negate(going), (ir.Exit(label, span),), (), span))


def _body(context: Context, node: ast.For | ast.While, labels: tuple[str, str, str]) -> None:
    context.scope.loops.append(labels[:2])
    with context.nested() as body:
        context.execute(context, node.body)
    context.scope.loops.pop()
    context.body.extend(finish_block(labels[1], body))


def _finish(context: Context, node: ast.For | ast.While, loop: ir.Loop, labels: tuple[str, str, str]) -> None:
    body: tuple[ir.Statement, ...] = (loop,)
    if node.orelse:
        with context.nested() as after:
            context.body.extend(finish_block(labels[2], body))
            context.execute(context, node.orelse)
        body = tuple(after)
    context.body.extend(finish_block(labels[0], body))


def _assign_target(context: Context, node: ast.For, iteration: Iteration, counter: ir.Expression) -> None:
    try:
        store.assign(context, node.target, iteration.entry(counter))
    except UnresolvedError as unresolved:
        context.unresolved.append(unresolved.error)
    except ProgramError as error:
        context.hinder(error)


# --- what a for loop runs over ----------------------------------------------------------


def _iteration_or_none(context: Context, node: ast.For) -> Iteration:
    try:
        return _iteration(context, node.iter)
    except UnresolvedError as unresolved:
        error = unresolved.error
        context.unresolved.append(error)
    except ProgramError as obstacle:
        error = obstacle
        context.hinder(error)

    def unknown(counter: ir.Expression) -> Value:
        raise UnresolvedError(error)

    return Iteration(lambda counter: builders.FALSE, unknown, builders.ZERO)


def _iteration(context: Context, node: ast.expr) -> Iteration:
    match node:
        case ast.Call(func=called) if _is_builtin(context, called, "range"):
            return _range(context, node)
        case ast.Call(func=called) if _is_builtin(context, called, "enumerate"):
            return _enumerate(context, node)
        case _:
            value = store.materialise(context, context.expression(context, node), node)
            return _sequence(context, node, value)


def _is_builtin(context: Context, node: ast.expr, name: str) -> bool:
    known = context.module.known(node)
    return known == Known(Role.FUNCTION, name) and not is_local(context, node)


def _sequence(context: Context, node: ast.expr, value: Value) -> Iteration:
    match value:
        case ParameterValue(parameter) if parameter.kind is ir.ParameterKind.SEQUENCE:
            name, sort = parameter.name, parameter.sort
            length = ir.Length(name)
            return Iteration(
                lambda counter: builders.less(counter, length),
                lambda counter: ScalarValue(ir.Read(name, (counter,), sort)),
                length,
            )
        case ListValue(name):
            length = ir.Length(name)
            return Iteration(
                lambda counter: builders.less(counter, length),
                lambda counter: expressions.entry(context, node, name, counter),
                length,
                name,
            )
        case _:
            kind = values.describe_value(value)
            raise context.error(node, Refusal.UNSUPPORTED_LOOP, f"a loop over {kind} is not supported")


def _enumerate(context: Context, node: ast.Call) -> Iteration:
    bound = arguments.bind(context.source, node, "enumerate", ("iterable", "start"), optional=("start",))
    start: ir.Expression = builders.ZERO
    for name, argument in bound.items():  # in the order of the call
        if name == "start":
            start = _bound(context, argument, "start")
        else:
            inner = _iteration(context, argument)

    def entry(counter: ir.Expression) -> Value:
        position = ScalarValue(builders.add(start, counter))
        return TupleValue((position, inner.entry(counter)))

    return Iteration(inner.going, entry, inner.count, inner.local)


def _range(context: Context, node: ast.Call) -> Iteration:
    nodes = arguments.positional(context.source, node, "range", 1, 3)
    start: ir.Expression = builders.ZERO
    if len(nodes) > 1:
        start = _bound(context, nodes[0], "start")
    stop = _bound(context, nodes[min(1, len(nodes) - 1)], "stop")
    step = _step(context, nodes[2]) if len(nodes) > 2 else 1
    return _steps(context, start, stop, step)


def _bound(context: Context, node: ast.expr, stem: str) -> ir.Expression:
    """A bound of a range: evaluated once, before the loop."""
    bound = context.integer(node, "a bound of a range")
    span = context.source.span(node)
    context.public.append((bound, span, Refusal.PRIVATE_LOOP_BOUND, "private data in a loop bound"))
    if context.is_fixed(bound):
        return bound
    (saved,) = values.expressions(context.save(ScalarValue(bound), node, stem))
    return saved


def _step(context: Context, node: ast.expr) -> int:
    step = context.integer(node, "the step of a range")
    if not isinstance(step, ir.Constant) or step.value == 0:
        raise context.error(node, Refusal.UNSUPPORTED_LOOP, "the step of a range must be a nonzero constant")
    return int(step.value)


def _steps(context: Context, start: ir.Expression, stop: ir.Expression, step: int) -> Iteration:
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
    return Iteration(going, lambda counter: ScalarValue(entry(counter)), count)


def _count(context: Context, distance: ir.Expression, step: int) -> ir.Expression:
    """How many steps fit into a distance; none if it is negative."""
    if step > 1:
        padded = builders.add(distance, builders.integer(step - 1))
        operands = (padded, builders.integer(step))
        distance = ir.Operation(ir.Operator.FLOOR_DIVIDE, operands, ir.Sort.INT)
    if isinstance(distance, ir.Constant):
        return builders.integer(max(0, int(distance.value)))
    if _is_natural(context, distance):
        return distance
    return builders.arithmetic(ir.Operator.MAXIMUM, builders.ZERO, distance)


def _is_natural(context: Context, expression: ir.Expression) -> bool:
    """Whether a number is evidently at least 0, as a length or by the precondition."""
    if isinstance(expression, ir.Length):
        return True
    for fact in context.facts:
        match fact:
            case ir.Operation(ir.Operator.LESS | ir.Operator.LESS_EQUAL, (ir.Constant(value=least), larger)):
                if larger == expression and least >= 0:
                    return True
    return False
