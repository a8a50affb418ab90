"""Loops that add up what each record of a list does, while one record may change: sums, counts, histograms.

Of such a loop the exact summary is known: up to the record that changes both runs have the same sums, and
behind it they differ by what that record adds in the one run and in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, Body, assigned, is_pure
from synth.trusted.program.substitution import mapped, replaced

MAX_PARTS = 2000
"""Subexpressions of all that an iteration adds."""


@dataclass(frozen=True)
class Fold:
    """A loop whose iteration ``counter`` adds ``increments`` to some variables, from the entries there.

    Of the sequences that it reads only ``source`` differs between the runs, and at one index.  ``needed`` are
    the variables that an increment depends on.
    """

    label: str
    counter: ir.Variable
    source: str
    increments: Mapping[str, ir.Expression]
    needed: frozenset[str]


def folds(analysis: Analysis) -> dict[int, Fold]:
    """Return the loops of a mechanism that add up, by their numbers."""
    loops = (item for item in ir.statements(analysis.mechanism.body) if isinstance(item, ir.Loop))
    found = ((item.loop, _fold(analysis, item)) for item in loops)
    return {number: fold for number, fold in found if fold is not None}


def _fold(analysis: Analysis, loop: ir.Loop) -> Fold | None:
    match loop.body:
        case (
            ir.If(then=(ir.Exit(label=label),), otherwise=()) as head,
            *rest,
            ir.Assign(target=name, value=value),
        ) if name == loop.counter and value == builders.add(_integer(name), builders.ONE):
            body, counter = tuple(rest), _integer(name)
            source = _source(analysis.mechanism, (head, *body), counter)
            if source is None or not _only_computes(body) or name in assigned(body):
                return None
            increments = _increments(body, analysis.live_at_loop[loop.loop])
            used = {part.name for item in increments.values() for part in _variables(item)}
            return Fold(label, counter, source, increments, frozenset(used - {name})) if increments else None
        case _:
            return None


def _integer(name: str) -> ir.Variable:
    return ir.Variable(name, ir.Sort.INT)


def _only_computes(body: Body) -> bool:
    return is_pure(body) and not any(isinstance(item, ir.Exit) for item in ir.statements(body))


def _source(mechanism: ir.Mechanism, body: Body, counter: ir.Variable) -> str | None:
    """The one sequence that is read and may differ, at one index; None if others differ, or elsewhere."""
    changing = set()
    for part in _parts(body):
        if isinstance(part, ir.Element):
            return None
        if isinstance(part, ir.Read):
            metric = mechanism.parameter(part.source).metric
            if metric is None or _is_same(metric):
                continue
            if metric.kind is not ir.MetricKind.CHANGE_ONE or part.index != (counter,):
                return None
            changing.add(part.source)
    return changing.pop() if len(changing) == 1 else None


def _parts(body: Body) -> Iterator[ir.Expression]:
    for statement in ir.statements(body):
        match statement:
            case ir.Assign(value=whole) | ir.If(condition=whole):
                yield from ir.subexpressions(whole)
            case _:
                pass


def _is_same(metric: ir.Metric) -> bool:
    return metric.kind is ir.MetricKind.LINF and metric.bound == builders.zero(ir.Sort.REAL)


def _increments(body: Body, live: frozenset[str]) -> dict[str, ir.Expression]:
    """What an iteration adds to each variable that is ``live``; nothing if it does more to one than that."""
    after = _executed(body, {})
    found = {}
    for name in sorted(live & (after or {}).keys()):
        assert after is not None
        added = _added(after[name], name)
        if added is None or any(part.name in after for part in _variables(added)):
            return {}
        found[name] = added
    return found


Values = Mapping[str, ir.Expression]


def _executed(body: Body, values: Values) -> Values | None:
    """The values that the statements assign, in terms of those before; None if these are too large."""
    current = dict(values)
    for statement in body:
        match statement:
            case ir.Assign(target=target, value=value):
                current[target] = replaced(value, current)
            case ir.Block(body=inner):
                after = _executed(inner, current)
                if after is None:
                    return None
                current = dict(after)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                sides = _executed(then, current), _executed(otherwise, current)
                if sides[0] is None or sides[1] is None:
                    return None
                current = _chosen(replaced(condition, current), sides[0], sides[1], assigned((statement,)))
            case _:
                pass
        if not all(builders.is_small(value, MAX_PARTS) for value in current.values()):
            return None
    return current


def _chosen(
    condition: ir.Expression, one: Values, other: Values, changed: set[str]
) -> dict[str, ir.Expression]:
    """The values behind a branch; what only one of its sides assigns keeps its old value on the other."""
    current = {name: value for name, value in one.items() if name not in changed}
    for name in changed:
        sort = (one[name] if name in one else other[name]).sort
        before = ir.Variable(name, sort)
        current[name] = builders.choose(condition, one.get(name, before), other.get(name, before))
    return current


def _added(value: ir.Expression, name: str) -> ir.Expression | None:
    """What is added to a variable where it is assigned this value; None if that isn't a sum."""
    if not _mentions(value, name):
        return None
    match value:
        case ir.Variable():
            return builders.zero(value.sort)
        case ir.Operation(
            operator=ir.Operator.ADD | ir.Operator.SUBTRACT as operator, operands=(left, right)
        ) if not _mentions(right, name):
            inner = _added(left, name)
            return None if inner is None else builders.arithmetic(operator, inner, right)
        case ir.Operation(operator=ir.Operator.ADD, operands=(left, right)) if not _mentions(left, name):
            inner = _added(right, name)
            return None if inner is None else builders.add(left, inner)
        case ir.Operation(operator=ir.Operator.IF, operands=(test, one, other)) if not _mentions(test, name):
            sides = _added(_where(test, one), name), _added(_where_not(test, other), name)
            if sides[0] is None or sides[1] is None:
                return None
            return builders.choose(test, sides[0], sides[1])
        case _:
            return None


def _where(condition: ir.Expression, value: ir.Expression) -> ir.Expression:
    """The value where a condition holds: of the choices in it those that the condition makes are made."""

    def made(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Operation(operator=ir.Operator.IF, operands=(test, one, other)):
                if test == condition:
                    return _where(condition, one)
                return _where(condition, other) if _exclude_each_other(test, condition) else None
            case _:
                return None

    return mapped(value, made)


def _where_not(condition: ir.Expression, value: ir.Expression) -> ir.Expression:
    """The value where a condition doesn't hold."""

    def made(part: ir.Expression) -> ir.Expression | None:
        match part:
            case ir.Operation(operator=ir.Operator.IF, operands=(test, _, other)) if test == condition:
                return _where_not(condition, other)
            case _:
                return None

    return mapped(value, made)


def _exclude_each_other(one: ir.Expression, other: ir.Expression) -> bool:
    """Whether two conditions say of one value that it is one number, and another."""
    match one, other:
        case (
            ir.Operation(operator=ir.Operator.EQUAL, operands=(first, ir.Constant(value=left))),
            ir.Operation(operator=ir.Operator.EQUAL, operands=(second, ir.Constant(value=right))),
        ):
            return first == second and left != right
        case _:
            return False


def _mentions(expression: ir.Expression, name: str) -> bool:
    return any(part.name == name for part in _variables(expression))


def _variables(expression: ir.Expression) -> Iterator[ir.Variable]:
    return (part for part in ir.subexpressions(expression) if isinstance(part, ir.Variable))
