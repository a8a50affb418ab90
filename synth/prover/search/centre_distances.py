"""How far apart the centres of a draw are, as far as its couplings tell.

A draw whose noise one case moves by k, and that pays for a distance of at most d + k, has centres that are no
more than d apart, if the case is needed.  Where the centre is a score that takes cases or a loop to compute,
invariants need to know no more of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from synth.bounds.rational import Rational
from synth.bounds.scales import rational
from synth.prover.product.strategy import Case, Shift, Strategy
from synth.trusted.program import syntax as ir

Distance = tuple[Fraction, ir.Expression]


def centre_distances(strategy: Strategy) -> dict[int, Distance]:
    """Return the distances, a factor and a unit each, of draws that are coupled by cases."""
    found = {site: list(_distances(cases)) for site, cases in strategy.cases.items() if len(cases) > 1}
    alike = {site: known for site, known in found.items() if len({rational(unit) for _, unit in known}) == 1}
    return {site: max(known, key=lambda item: item[0]) for site, known in alike.items()}


def _distances(cases: tuple[Case, ...]) -> Iterator[Distance]:
    for case in cases:
        match case:
            case Case(
                coupling=Shift(null=False, units=units, differences=(), changes=()), bound=(factor, unit)
            ):
                own = sum((rational(each) * Rational.number(abs(size)) for size, each in units), _NOTHING)
                left = (Rational.number(factor) * rational(unit) - own) / rational(unit)
                size = left.constant_value()
                if size is not None and size > 0:
                    yield size, unit


_NOTHING = Rational.number(0)
