"""Every coupling of every template against the definition of a lifting, which a maximum flow decides.

The solver that verifies templates sees the change of the log density; the kernel has rules of its own.  Here
neither is used: laws are enclosed, cut off and renormalized (`truncated.py` says what that costs), and
`synth.liftings.flow` looks for the two witnesses.  Templates are found, not listed.  If one rests on a
lemma, the kernel says what its couplings cost: `test_prices_by_lifting.py`.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.truncated import Case, allowed, cases, wrong_cases

LEAST = Fraction(999, 1000)
"""Costs are tight, also of templates to come: at this part of what a coupling costs there is no lifting."""

by_density = pytest.mark.parametrize("case", cases(lemma=False))


@by_density
def test_the_cost_is_enough(case: Case) -> None:
    for use in allowed(case):
        assert use.holds(use.cost), use


@by_density
def test_less_than_the_cost_is_not_enough(case: Case) -> None:
    for use in allowed(case):
        if use.distance != 0:
            assert use.fails(LEAST * use.cost), use


@pytest.mark.parametrize("case", wrong_cases(lemma=False))
def test_a_wrong_template_has_no_lifting(case: Case) -> None:
    assert any(use.fails(use.cost) for use in allowed(case))
