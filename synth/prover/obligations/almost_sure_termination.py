"""Loops that end with probability 1: each iteration leaves with the same chance, which is not 0.

In each iteration, whatever else happens, a variable is drawn from a law that the loop does not change, and
a branch leaves the loop for some of its values.  So n + 1 iterations have a chance of at most (1 − p)ⁿ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from synth.prover.costs.scales import NotConstant, Scales
from synth.prover.obligations.public_facts import PublicFacts
from synth.prover.obligations.ranking import conjuncts, leaving
from synth.trusted.program import builders
from synth.trusted.program.dataflow import Body, assigned, exited, length_name, names, target
from synth.trusted.program.syntax import (
    Append,
    Block,
    Chances,
    Choose,
    Draw,
    Element,
    Expression,
    Loop,
    Mechanism,
    NewList,
    Operation,
    Operator,
    Sort,
    Statement,
    Variable,
    statements,
    subexpressions,
)

_UNBOUNDED_BELOW = ("laplace", "gaussian")


def almost_always_ends(mechanism: Mechanism, loop: Loop) -> bool:
    """Whether the loop ends with probability 1 wherever it begins, if loops in it do."""
    certain = list(_certain(loop.body))
    draws = _only_draws(loop, certain)
    return any(
        any(branch is item for item in certain) and _has_chance(mechanism, loop, draws, builders.negate(part))
        for branch, stays in leaving(loop)
        for part in conjuncts(stays)
    )


def _certain(body: Body) -> Iterator[Statement]:
    """What is executed in each iteration that doesn't leave the loop before."""
    for statement in body:
        yield statement
        if isinstance(statement, Block):
            for inner in _certain(statement.body):
                yield inner
                if statement.label in exited((inner,)):
                    break  # what comes later in the block may be skipped


def _only_draws(loop: Loop, certain: list[Statement]) -> Mapping[str, Draw | Choose]:
    """The variables that nothing but one draw, made in each iteration, assigns."""
    writers = [target(item) for item in statements(loop.body)]
    return {
        item.target: item
        for item in certain
        if isinstance(item, Draw | Choose) and writers.count(item.target) == 1
    }


def _has_chance(
    mechanism: Mechanism, loop: Loop, draws: Mapping[str, Draw | Choose], condition: Expression
) -> bool:
    """Whether a condition holds with the same positive chance each time its variable is drawn."""
    match condition:
        case Operation(Operator.LESS | Operator.LESS_EQUAL, (left, right)):
            below, above = _drawn(draws, left), _drawn(draws, right)
            if isinstance(below, Draw) and below.distribution in _UNBOUNDED_BELOW:
                return _is_fixed(loop, right, *below.arguments)
            return isinstance(above, Draw) and _is_fixed(loop, left, *above.arguments)
        case Operation(Operator.NOT, (Variable() as coin,)):
            return _comes_up(mechanism, loop, _drawn(draws, coin), builders.negate)
        case Variable():
            return _comes_up(mechanism, loop, _drawn(draws, condition), lambda index: index)
        case _:
            return False


def _comes_up(
    mechanism: Mechanism, loop: Loop, coin: Draw | Choose | None, side: Callable[[Expression], Expression]
) -> bool:
    """Whether a coin has a positive chance, always the same, to fall on a side."""
    if not isinstance(coin, Choose) or not isinstance(coin.law, Chances):
        return False
    wanted = side(Variable(coin.index, Sort.BOOL))
    return any(
        shown == wanted and _is_fixed(loop, chance) and _is_positive(mechanism, chance, coin)
        for shown, chance in coin.law.outcomes
    )


def _drawn(draws: Mapping[str, Draw | Choose], expression: Expression) -> Draw | Choose | None:
    """The draw that a side of a comparison is."""
    match expression:
        case Variable(name) | Operation(Operator.TO_REAL, (Variable(name),)):
            return draws.get(name)
        case _:
            return None


def _is_positive(mechanism: Mechanism, chance: Expression, coin: Choose) -> bool:
    try:
        resolved = Scales(mechanism).resolve(chance, coin.span)
    except NotConstant:
        return False
    return PublicFacts(mechanism.requires).holds(builders.less(builders.zero(Sort.REAL), resolved))


def _is_fixed(loop: Loop, *items: Expression) -> bool:
    """Whether the loop changes nothing that these expressions read."""
    changed = assigned(loop.body)
    changed |= {item.target for item in statements(loop.body) if isinstance(item, Append | NewList)}
    changed |= {length_name(name) for name in changed}
    lists = {part.source for item in items for part in subexpressions(item) if isinstance(part, Element)}
    mentioned = set(lists).union(*(names(item) for item in items))
    return not mentioned & changed
