"""From payments to candidate bounds: nothing observed is above a candidate, nothing is lost in a class."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.costs.costs import CasePayment, CostClass, Costs, TrialCost
from synth.prover.testing.valuations import Valuation
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Cost
from tests.support.proving import bound, from_text

TrialCost.__test__ = False  # type: ignore[attr-defined]

MECHANISM = from_text(
    """
    @mechanism(adjacent={"q": linf_distance("d")}, requires="eps > 0 and d > 0 and k > 0")
    def f(q: list[int], k: int, d: int, eps: float) -> int:
        return laplace(k, d / eps)
    """
)
ONE: ir.Expression = ir.Constant(Fraction(1), ir.Sort.REAL)
PROFILES = [
    Valuation({"k": k, "d": d, "eps": Fraction(1)}, length)
    for k, d, length in ((1, 1, 24), (5, 2, 2), (3, 1, 10), (2, 7, 1), (4, 3, 24))
]


def _costs(units: tuple[ir.Expression, ...], tests: list[TrialCost]) -> Costs:
    return Costs(MECHANISM, Scales(MECHANISM), units, tests)


def _at(valuation: Valuation) -> dict[str, Fraction | int]:
    return {
        **{name: Fraction(value) for name, value in valuation.scalars.items()},
        "len(q)": valuation.length,
    }


@settings(deadline=None)
@given(st.integers(0, 2), st.integers(0, 3), st.integers(0, 2))
def test_candidates_contain_the_true_count(constant: int, times: int, per_entry: int) -> None:
    """Of constant + times*k + per_entry*len(q) payments, with at most two kinds of terms."""
    if times and per_entry:
        constant = min(constant, 1)
        times = min(times, 3)
    tests = []
    for valuation in PROFILES:
        count = constant + times * int(valuation.scalars["k"]) + per_entry * valuation.length
        tests.append(TrialCost(valuation, (CasePayment((0, 0), Fraction(1), Fraction(1), 1.0),) * count))
    item = CostClass(Cost(0), Rational.number(1), {(0, 0): 1})
    candidates = _costs((ONE,), tests).candidates(item)
    for candidate in candidates:
        for test in tests:
            assert candidate.rational().value(_at(test.valuation)) >= len(test.payments)
    truth = bound(MECHANISM, f"{constant} + {times}*k + {per_entry}*len(q)")
    assert truth in [candidate.rational() for candidate in candidates]


WEIGHTS = st.fractions(min_value=Fraction(1, 8), max_value=8, max_denominator=8)


@given(st.lists(st.tuples(WEIGHTS, st.sampled_from(("eps", "eps/d", "eps/k"))), min_size=1, max_size=5))
def test_classes_keep_every_weight(cases: list[tuple[Fraction, str]]) -> None:
    """A case's multiple of its class's weight is factor·unit·rate, and each case is in one class."""
    units = {(site, 0): (factor, ONE) for site, (factor, _) in enumerate(cases)}
    rates = {(site, 0): bound(MECHANISM, rate) for site, (_, rate) in enumerate(cases)}
    classes = _costs((ONE,), []).classes(units, rates)
    assert sorted(case for item in classes for case in item.multiples) == sorted(units)
    assert len(classes) == len({rate for _, rate in cases})
    for item in classes:
        for case, multiple in item.multiples.items():
            assert multiple > 0
            wanted = Rational.number(units[case][0]) * rational(ONE) * rates[case]
            assert item.weight * Rational.number(multiple) == wanted


@given(st.lists(st.tuples(st.sampled_from(PROFILES), st.fractions(0, 6, max_denominator=2)), min_size=1))
def test_unit_covers_what_was_paid(paid: list[tuple[Valuation, Fraction]]) -> None:
    """No observed distance exceeds the unit."""
    tests = [
        TrialCost(valuation, (CasePayment((0, 0), distance, distance, 1.0),)) for valuation, distance in paid
    ]
    sensitivity = MECHANISM.parameter("q").metric
    assert sensitivity is not None
    assert sensitivity.bound is not None
    unit = _costs((sensitivity.bound,), tests).unit((0, 0))
    assert unit is not None
    factor, expression = unit
    for valuation, distance in paid:
        assert factor * rational(expression).value(_at(valuation)) >= distance


def test_no_unit_without_payments() -> None:
    assert _costs((ONE,), []).unit((0, 0)) is None


def test_a_scale_that_is_not_public_is_named_as_in_the_text() -> None:
    """The counter of a loop over a list has no name there: ``asked[e%2]`` looks like a remainder."""
    mechanism = from_text(
        """
        @mechanism(adjacent={"x": absolute_distance(1)})
        def f(x: float, asked: list[float]) -> list[float]:
            out = []
            for e in asked:
                if e > 0:
                    out.append(laplace(x, 1 / e))
            return out
        """
    )
    (draw,) = (item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw))
    with pytest.raises(NotConstant, match=r"^e$"):
        Scales(mechanism).resolve(draw.arguments[1], draw.span)
