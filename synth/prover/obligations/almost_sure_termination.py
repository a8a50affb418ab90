"""Loops that end with probability 1: each iteration leaves with the same chance, which is not 0.

In each iteration, whatever else happens, a variable is drawn from a law that the loop does not change, and
a branch leaves the loop for some of its values.  So n + 1 iterations have a chance of at most (1 − p)ⁿ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from synth.bounds.scales import NotConstant, Scales
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.ranking import conjuncts, leaving
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, assigned, exited, length_name, names, target

_UNBOUNDED_BELOW = ("laplace", "gaussian")


def almost_always_ends(mechanism: ir.Mechanism, loop: ir.Loop) -> bool:
    """Whether the loop ends with probability 1 wherever it begins, if loops in it do."""
    certain = list(_certain(loop.body))
    draws = _only_draws(loop, certain)
    return any(
        any(branch is item for item in certain) and _has_chance(mechanism, loop, draws, builders.negate(part))
        for branch, stays in leaving(loop)
        for part in conjuncts(stays)
    )


def _certain(body: Body) -> Iterator[ir.Statement]:
    """What is executed in each iteration that doesn't leave the loop before."""
    for statement in body:
        yield statement
        if isinstance(statement, ir.Block):
            for inner in _certain(statement.body):
                yield inner
                if statement.label in exited((inner,)):
                    break  # what comes later in the block may be skipped


def _only_draws(loop: ir.Loop, certain: list[ir.Statement]) -> Mapping[str, ir.Draw | ir.Choose]:
    """The variables that nothing but one draw, made in each iteration, assigns."""
    writers = [target(item) for item in ir.statements(loop.body)]
    return {
        item.target: item
        for item in certain
        if isinstance(item, ir.Draw | ir.Choose) and writers.count(item.target) == 1
    }


def _has_chance(
    mechanism: ir.Mechanism, loop: ir.Loop, draws: Mapping[str, ir.Draw | ir.Choose], condition: ir.Expression
) -> bool:
    """Whether a condition holds with the same positive chance each time its variable is drawn."""
    match condition:
        case ir.Operation(ir.Operator.LESS | ir.Operator.LESS_EQUAL, (left, right)):
            below, above = _drawn(draws, left), _drawn(draws, right)
            if isinstance(below, ir.Draw) and below.distribution in _UNBOUNDED_BELOW:
                return _is_fixed(loop, right, *below.arguments)
            return isinstance(above, ir.Draw) and _is_fixed(loop, left, *above.arguments)
        case ir.Operation(ir.Operator.NOT, (ir.Variable() as coin,)):
            return _comes_up(mechanism, loop, _drawn(draws, coin), builders.negate)
        case ir.Variable():
            return _comes_up(mechanism, loop, _drawn(draws, condition), lambda index: index)
        case _:
            return False


def _comes_up(
    mechanism: ir.Mechanism,
    loop: ir.Loop,
    coin: ir.Draw | ir.Choose | None,
    side: Callable[[ir.Expression], ir.Expression],
) -> bool:
    """Whether a coin has a positive chance, always the same, to fall on a side."""
    if not isinstance(coin, ir.Choose) or not isinstance(coin.law, ir.Chances):
        return False
    wanted = side(ir.Variable(coin.index, ir.Sort.BOOL))
    return any(
        shown == wanted and _is_fixed(loop, chance) and _is_positive(mechanism, chance, coin)
        for shown, chance in coin.law.outcomes
    )


def _drawn(draws: Mapping[str, ir.Draw | ir.Choose], expression: ir.Expression) -> ir.Draw | ir.Choose | None:
    """The draw that a side of a comparison is."""
    match expression:
        case ir.Variable(name) | ir.Operation(ir.Operator.TO_REAL, (ir.Variable(name),)):
            return draws.get(name)
        case _:
            return None


def _is_positive(mechanism: ir.Mechanism, chance: ir.Expression, coin: ir.Choose) -> bool:
    try:
        resolved = Scales(mechanism).resolve(chance, coin.span)
    except NotConstant:
        return False
    return PublicFacts(mechanism.requires).holds(builders.less(builders.zero(ir.Sort.REAL), resolved))


def _is_fixed(loop: ir.Loop, *items: ir.Expression) -> bool:
    """Whether the loop changes nothing that these expressions read."""
    changed = assigned(loop.body)
    changed |= {item.target for item in ir.statements(loop.body) if isinstance(item, ir.Append | ir.NewList)}
    changed |= {length_name(name) for name in changed}
    lists = {
        part.source for item in items for part in ir.subexpressions(item) if isinstance(part, ir.Element)
    }
    mentioned = set(lists).union(*(names(item) for item in items))
    return not mentioned & changed
