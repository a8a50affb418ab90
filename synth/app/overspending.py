"""Where the best bound that was proved passes the claim: the first draw with which too much is paid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational
from synth.prover.codes import Code
from synth.prover.obligations.public_facts import PublicFacts
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.claim import read_bound
from synth.trusted.program import syntax as ir
from synth.views.certificate.couplings import SQUARES
from synth.views.results import Result, Site

_NOTHING = Rational.number(0)


def placed(mechanism: ir.Mechanism, result: Result) -> Result:
    """Return a result whose bound misses the claim with the draw that is to blame, if the table tells.

    Draws are taken in the order of the program, each at its largest cost, once.  The first with which their
    sum is not shown to be at most the claim is to blame; if all of them are, the first that pays in a loop.
    """
    loops = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop)]
    repeated = {
        item.span.line
        for loop in loops
        for item in ir.statements(loop.body)
        if isinstance(item, ir.Draw | ir.Choose)
    }
    claim, facts = mechanism.epsilon, PublicFacts(mechanism.requires)
    if mechanism.divergence is not None:
        claim = mechanism.divergence.bound
    elif result.epsilon is None:
        return result
    if claim is None:
        return result
    most = _most(mechanism, rational(claim))
    spent, paying = _NOTHING, []
    for site in result.sites:
        cost = largest_cost(mechanism, site)
        if cost is None:
            return result
        if not cost.is_zero():
            spent += cost
            if not facts.at_most(spent, most, opaque_parts(claim)):
                return _at(mechanism, result, site)
            paying.append((site, cost))
    for site, cost in paying:
        if site.line in repeated:
            found = _at(mechanism, result, site)
            return found if result.epsilon is None else _in_each_iteration(mechanism, found, site, cost)
    return result


def _most(mechanism: ir.Mechanism, claim: Rational) -> Rational:
    """What costs may add up to: of GDP and zCDP the squares, μ² and 2ρ."""
    if mechanism.divergence is None:
        return claim
    return claim * (claim if mechanism.divergence.notion is ir.Notion.GDP else Rational.number(2))


def largest_cost(mechanism: ir.Mechanism, site: Site) -> Rational | None:
    """Return what a use of a draw costs at the most; None if it costs a pair, or what differs."""
    unit = "" if mechanism.divergence is None else f" in {SQUARES}"
    costs = dict.fromkeys(case.cost.removesuffix(unit) for case in site.cases if case.cost != "0")
    if not costs:
        return _NOTHING
    if len(costs) > 1:
        return None
    try:
        return rational(read_bound(mechanism, *costs))
    except (ProgramError, RecursionError):
        return None


def draws_at(mechanism: ir.Mechanism, line: int) -> Iterator[ir.Draw]:
    """Give the draws of noise that stand in a line of the program, as it was read."""
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Draw) and item.span.line == line:
            yield item


def _at(mechanism: ir.Mechanism, result: Result, site: Site) -> Result:
    column = min((draw.span.column for draw in draws_at(mechanism, site.line)), default=None)
    return replace(result, reason_line=site.line, reason_column=column)


def _in_each_iteration(mechanism: ir.Mechanism, result: Result, site: Site, cost: Rational) -> Result:
    """With what is paid in each iteration, where the number of them makes the bound."""
    try:
        total = rational(read_bound(mechanism, str(result.epsilon)))
    except (ProgramError, RecursionError):
        return result
    if (total / cost).constant_value() is not None or any(case.when != "always" for case in site.cases):
        return result
    why = Code.PAID_IN_EACH_ITERATION(
        cost=site.cases[0].cost, bound=str(result.epsilon), claim=str(result.claim.epsilon)
    )
    return replace(result, reason=str(why), code=why.code.id)
