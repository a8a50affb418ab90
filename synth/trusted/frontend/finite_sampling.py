"""Sampling calls with finitely many outcomes: coins, uniform integers, weighted choices."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from synth.trusted.errors import Refusal
from synth.trusted.frontend import arguments, arrays, inlining, layout, store
from synth.trusted.frontend.context import Context
from synth.trusted.frontend.values import FunctionValue, ParameterValue, ScalarValue, Value
from synth.trusted.frontend.vocabulary import CHOICES
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import assigned
from synth.trusted.program.substitution import replaced

_INDEX = "index of the choice"
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


def sample(context: Context, node: ast.Call, distribution: str) -> Value:
    """A call that draws one of finitely many values; the draw is emitted."""
    context.check_decorated(node)
    bound = arguments.bind(context.source, node, distribution, CHOICES[distribution])
    index = ir.Variable(context.temporary("outcome"), _SORTS[distribution])
    law = _LAWS[distribution](context, bound, index)
    name = context.temporary("draw")
    context.emit(ir.Choose(0, name, distribution, index.name, law, index.sort, context.source.span(node)))
    context.unnamed_draws.add(name)
    return ScalarValue(ir.Variable(name, index.sort))


def _bernoulli(context: Context, bound: dict[str, ast.expr], index: ir.Variable) -> ir.Chances:
    p = _real(context, bound["p"])
    inside = builders.both(builders.less_equal(builders.zero(ir.Sort.REAL), p), builders.less_equal(p, _ONE))
    reason = "the probability of bernoulli must be between 0 and 1"
    context.require("scale", inside, reason, bound["p"])
    return laws.bernoulli(index, p)


def _randomized_response(context: Context, bound: dict[str, ast.expr], index: ir.Variable) -> ir.Chances:
    nodes = list(bound.values())
    values = dict(zip(bound, context.ordered(nodes), strict=True))
    bit = context.truth(values["bit"], bound["bit"])
    epsilon = builders.convert(context.numeric(values["epsilon"], bound["epsilon"]), ir.Sort.REAL)
    _public(context, epsilon, bound["epsilon"], "private data in the epsilon of randomized_response")
    reason = "the epsilon of randomized_response must not be negative"
    context.require(
        "scale", builders.less_equal(builders.zero(ir.Sort.REAL), epsilon), reason, bound["epsilon"]
    )
    return laws.randomized_response(index, bit, epsilon)


def _uniform_int(context: Context, bound: dict[str, ast.expr], index: ir.Variable) -> ir.Chances:
    values = dict(zip(bound, context.ordered(list(bound.values())), strict=True))
    low, high = (context.whole(values[name], bound[name], f"'{name}'") for name in ("lo", "hi"))
    for name, value in (("lo", low), ("hi", high)):
        _public(context, value, bound[name], "private data in a bound of uniform_int")
    context.require(
        "scale", builders.less_equal(low, high), "uniform_int must have something to draw from", bound["hi"]
    )
    return laws.uniform_int(index, low, high)


def _choice(context: Context, bound: dict[str, ast.expr], index: ir.Variable) -> ir.Weights:
    (count,) = _ordered(context, bound, "log_weight")
    weight, demands = _of_index(context, bound["log_weight"], index, count, "log weight")
    _check_count(context, count, bound["n"])
    return ir.Weights(count, builders.convert(weight, ir.Sort.REAL), _ONE, demands)


def _exponential_mechanism(context: Context, bound: dict[str, ast.expr], index: ir.Variable) -> ir.Weights:
    count, *rest = _ordered(context, bound, "score")
    epsilon, sensitivity = (builders.convert(item, ir.Sort.REAL) for item in rest)
    score, demands = _of_index(context, bound["score"], index, count, "score")
    _check_count(context, count, bound["n"])
    for name, value in (("epsilon", epsilon), ("sensitivity", sensitivity)):
        _public(context, value, bound[name], f"private data in the {name} of exponential_mechanism")
        positive = builders.less(builders.zero(ir.Sort.REAL), value)
        context.require(
            "scale", positive, f"the {name} of exponential_mechanism must be positive", bound[name]
        )
    double = builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(Fraction(2), ir.Sort.REAL), sensitivity)
    return ir.Weights(count, builders.convert(score, ir.Sort.REAL), builders.divide(epsilon, double), demands)


_LAWS: dict[str, Callable[[Context, dict[str, ast.expr], ir.Variable], ir.Chances | ir.Weights]] = {
    "bernoulli": _bernoulli,
    "randomized_response": _randomized_response,
    "uniform_int": _uniform_int,
    "choice": _choice,
    "exponential_mechanism": _exponential_mechanism,
}
_SORTS = {
    "bernoulli": ir.Sort.BOOL,
    "randomized_response": ir.Sort.BOOL,
    "uniform_int": ir.Sort.INT,
    "choice": ir.Sort.INT,
    "exponential_mechanism": ir.Sort.INT,
}


# --- arguments ------------------------------------------------------------------------------


def _real(context: Context, node: ast.expr) -> ir.Expression:
    return builders.convert(context.numeric(context.expression(context, node), node), ir.Sort.REAL)


def _ordered(context: Context, bound: dict[str, ast.expr], function: str) -> list[ir.Expression]:
    """The arguments but the function, evaluated in the order of the call, given in that of the definition."""
    nodes = [node for name, node in bound.items() if name != function]
    values = dict(zip((name for name in bound if name != function), context.ordered(nodes), strict=True))
    names = [name for name in ("n", "epsilon", "sensitivity") if name in values]
    return [context.numeric(values[name], bound[name]) for name in names]


def _check_count(context: Context, count: ir.Expression, node: ast.expr) -> None:
    if count.sort is not ir.Sort.INT:
        raise context.error(node, Refusal.WRONG_TYPE, "'n' must be an integer")
    _public(context, count, node, "private data in the number of candidates")
    reason = "there must be a candidate to choose"
    context.require("scale", builders.less_equal(builders.ONE, count), reason, node)


def _public(context: Context, value: ir.Expression, node: ast.expr, message: str) -> None:
    context.public.append((value, context.source.span(node), Refusal.PRIVATE_SCALE, message))


# --- functions of the index -----------------------------------------------------------------


def _of_index(
    context: Context, node: ast.expr, index: ir.Variable, count: ir.Expression, what: str
) -> tuple[ir.Expression, tuple[ir.Obligation, ...]]:
    """A function of the index, applied to it; and what must hold for every index.

    What takes loops to compute is computed for all indices before, as Python does.  Raises ProgramError if
    the function draws, or changes what is not its own.
    """
    made_before = context.number()
    with context.nested() as emitted:
        number = context.numeric(_at(context, node, index, what), node)
    for statement in ir.statements(tuple(emitted)):
        _check_computes(context, statement, made_before, node, what)
    if all(isinstance(statement, ir.Assign | ir.Obligation) for statement in emitted):
        return _without_assignments(number, emitted)
    return _listed(context, node, index, count, what)


def _at(context: Context, node: ast.expr, index: ir.Expression, what: str) -> Value:
    """The value of the function at an index."""
    match node:
        case ast.Lambda():
            return _applied(context, node, index)
        case ast.Name(id=name) if context.module.functions.get(name) is not None:
            with _bound(context, _INDEX, index):
                return context.expression(context, _call(context, node))
        case _:
            return _called(context, node, index, what)


def _check_computes(
    context: Context, statement: ir.Statement, made_before: int, node: ast.expr, what: str
) -> None:
    """Refuse what doesn't only compute, with variables and lists that the function has made itself."""
    match statement:
        case ir.Assign(target=name) | ir.NewList(target=name) | ir.Append(target=name):
            if not _is_own(context, name, made_before, node):
                message = f"the {what} must not change a variable, attribute or list that is not its own"
                raise context.error(node, Refusal.WRONG_CANDIDATES, message)
        case ir.Obligation() | ir.If() | ir.Block() | ir.Loop() | ir.Exit():
            pass
        case _:
            raise context.error(
                node,
                Refusal.WRONG_CANDIDATES,
                f"the {what} must only compute, without draws and asserts",
            )


def _is_own(context: Context, name: str, made_before: int, node: ast.expr) -> bool:
    """Whether a variable or list is made where the function is read: hidden, or of a call or object in it."""
    hidden = re.search(r"(?<!%)%(\d+)$", name)
    if hidden is not None and int(hidden[1]) > made_before:
        return True
    inlined = re.match(r"[^%]*%%(\d+)", name)
    parts = {*ast.walk(node), context.module.applied.get(node)}
    depth = len(context.scope.path)
    return inlined is not None and any(
        len(path) > depth and path[:depth] == context.scope.path and path[depth] in parts
        for path, number in context.inlinings.items()
        if number == int(inlined[1])
    )


def _listed(
    context: Context, node: ast.expr, index: ir.Variable, count: ir.Expression, what: str
) -> tuple[ir.Expression, tuple[ir.Obligation, ...]]:
    """The value at the index, made of entries of lists of what statements compute for each index."""
    span = context.source.span(node)
    lists: dict[str, str] = {}
    value: ir.Expression = index

    def computed(counter: ir.Expression) -> None:
        nonlocal value
        number = context.numeric(_at(context, node, counter, what), node)
        parts = [part for part in ir.subexpressions(number) if isinstance(part, ir.Variable)]
        own = [part for part in dict.fromkeys(parts) if part.name in assigned(context.body)]
        if assigned(context.body) & {
            part.source for part in ir.subexpressions(number) if isinstance(part, ir.Element)
        }:
            own = [_saved(context, number, span)]
            number = own[0]
        for part in own:
            lists[part.name] = context.temporary("candidates")
            store.append(context, lists[part.name], ScalarValue(part), node)
        assert isinstance(counter, ir.Variable)
        entries = {part.name: _entry(context, lists[part.name], index) for part in own}
        value = replaced(number, {**entries, counter.name: index})

    with context.nested() as looped:
        arrays.each(context, count, computed, span)
    for name in lists.values():
        context.emit(ir.NewList(name, span))
    context.body.extend(looped)
    inside = (
        builders.both(builders.less_equal(builders.ZERO, index), builders.less(index, ir.Length(name)))
        for name in lists.values()
    )
    return value, tuple(ir.Obligation("index", each, "index out of range", span) for each in inside)


def _saved(context: Context, number: ir.Expression, span: ir.Span) -> ir.Variable:
    name = context.temporary("candidate")
    context.emit(ir.Assign(name, number, span))
    return ir.Variable(name, number.sort)


def _entry(context: Context, name: str, index: ir.Expression) -> ir.Expression:
    entry = layout.decode(name, index, context.inference.entries(name))
    assert isinstance(entry, ScalarValue)
    return entry.expression


def _call(context: Context, node: ast.expr) -> ast.Call:
    """A call with the index, the same node in each pass."""
    known = context.module.applied
    if node not in known:
        index = ast.copy_location(ast.Name(_INDEX, ast.Load()), node)
        known[node] = ast.copy_location(ast.Call(node, [index], []), node)
    return known[node]


def _applied(context: Context, node: ast.Lambda, index: ir.Expression) -> Value:
    parameters = node.args
    plain = len(parameters.args) == 1 and not (
        parameters.posonlyargs
        or parameters.vararg
        or parameters.kwonlyargs
        or parameters.kwarg
        or parameters.defaults
    )
    if not plain:
        raise context.error(node, Refusal.WRONG_CANDIDATES, "this lambda must have one parameter, the index")
    with _bound(context, parameters.args[0].arg, index):
        return context.expression(context, node.body)


@contextmanager
def _bound(context: Context, name: str, index: ir.Expression) -> Iterator[None]:
    """The index under its name."""
    outer = context.scope
    context.scope = replace(outer, bindings={**outer.bindings, name: ScalarValue(index)})
    try:
        yield
    finally:
        context.scope = outer


def _called(context: Context, node: ast.expr, index: ir.Expression, what: str) -> Value:
    value = context.expression(context, node)
    match value:
        case ParameterValue(parameter) if (
            parameter.kind is ir.ParameterKind.FUNCTION and parameter.arity == 1
        ):
            return ScalarValue(ir.Read(parameter.name, (index,), parameter.sort))
        case FunctionValue():
            with _bound(context, _INDEX, index):
                return inlining.call(context, _call(context, node), value)
        case _:
            raise context.error(node, Refusal.WRONG_CANDIDATES, f"the {what} must be a function of the index")


def _without_assignments(
    value: ir.Expression, emitted: list[ir.Statement]
) -> tuple[ir.Expression, tuple[ir.Obligation, ...]]:
    """The value with what was computed before it put in."""
    known: dict[str, ir.Expression] = {}
    demands: list[ir.Obligation] = []
    for statement in emitted:
        match statement:
            case ir.Assign(target=target, value=item):
                known[target] = replaced(item, known)
            case ir.Obligation(condition=condition):
                demands.append(replace(statement, condition=replaced(condition, known)))
    return replaced(value, known), tuple(demands)
