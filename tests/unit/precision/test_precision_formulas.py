"""The formulas of Theorem 4.5 against independent computations in decimal arithmetic."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from decimal import Decimal, getcontext
from fractions import Fraction

import pytest
from flint import arb

from synth.precision import Bound, Format, Implementation, Interval, Kind, NoisedReal, bound, table
from synth.precision.closeness import planar_movement
from synth.precision.enclosures import ball, decimal_text, working_precision
from synth.precision.theorem import degraded, printed_robustness, robustness
from synth.trusted.errors import UsageError
from synth.views.precision.document import bound_document

getcontext().prec = 60

NOISE = NoisedReal("noisy", Fraction(1), Fraction(1), Fraction(1), "the adjacency of x")
FLOAT64 = Implementation(Format.read("float64"), Fraction(-8), Fraction(8), Fraction(1, 64))
PLANAR = replace(FLOAT64, planar=True, noise_error=Fraction(1, 2**40))


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def encloses(interval: Interval | None, number: Decimal) -> bool:
    assert interval is not None
    spare = Decimal("1e-45") * (1 + abs(number))
    return decimal(interval.low) - spare <= number <= decimal(interval.high) + spare


def epsilon(found: Bound) -> tuple[Fraction, Fraction]:
    assert found.epsilon is not None, found.reason
    return found.epsilon.low, found.epsilon.high


# --- by hand --------------------------------------------------------------------------------


def test_robustness_by_hand() -> None:
    # L = 1, δt = 1/8: S+ is 5/4 wide, S- is 3/4; the border is 1/2, and 1/2 / (3/4) = 2/3
    assert Interval.of(robustness(Fraction(1), ball(Fraction(1, 8)))).low <= Fraction(2, 3)
    assert Interval.of(robustness(Fraction(1), ball(Fraction(1, 8)))).high >= Fraction(2, 3)
    # in the plane: (25/16 - 9/16) / (9/16) = 16/9
    plane = Interval.of(robustness(Fraction(1), ball(Fraction(1, 8)), planar=True))
    assert plane.low <= Fraction(16, 9) <= plane.high
    printed = Interval.of(printed_robustness(Fraction(1), ball(Fraction(1, 8))))
    assert printed.low <= Fraction(5, 3) <= printed.high


def test_robustness_goes_to_zero_and_the_printed_one_to_one() -> None:
    tiny = Fraction(1, 2**200)
    with working_precision(600):
        assert robustness(Fraction(1), ball(tiny)) < ball(tiny * 5)
        assert 1 < printed_robustness(Fraction(1), ball(tiny)) < 1 + ball(tiny * 5)


def test_degraded_by_hand() -> None:
    # ε = Δ = 1, L + δt = 0: ε' = 1 + ln(1 + R)
    with working_precision(200):
        found = Interval.of(degraded(Fraction(1), Fraction(1), arb(0), arb(0), ball(Fraction(1, 2))))
    assert encloses(found, 1 + Decimal("1.5").ln())


def test_degraded_where_the_exponential_is_huge() -> None:
    with working_precision(200):
        found = Interval.of(degraded(Fraction(1), Fraction(1), ball(10**30), arb(0), arb(1)))
    assert abs(found.low - 10**30 - 1) < Fraction(1, 10**20)


def test_the_linear_bound_from_scratch() -> None:
    """ε', k and δt by iterating the equations in decimal arithmetic."""
    unit, cell, width = Decimal(2) ** -53, Decimal(1) / 64, Decimal(16)
    moved = Decimal(0)
    for _ in range(50):
        radius = width + moved
        factor = 2 * radius.exp()
        noise = radius * ((1 + unit) ** 2 * (1 + 2 * unit) - 1)
        moved = factor * unit + noise + unit * (8 + radius + noise)
    ratio = 4 * moved / (cell - 2 * moved)
    expected = 1 + (1 + ratio * (cell + moved).exp()).ln()
    found = bound(NOISE, FLOAT64)
    assert found.shift is not None
    assert encloses(found.shift.factor, factor)
    assert encloses(found.shift.printed_factor, 2 * width.exp())
    assert encloses(found.shift.total, moved)
    assert encloses(found.robustness, ratio)
    assert encloses(found.epsilon, expected)


def test_the_stated_errors_are_used() -> None:
    """With δ0 and δn given, fixed point adds nothing: δt = k·δ0 + δn."""
    item = replace(
        FLOAT64, format=Format(Kind.FIXED, 60), bias=Fraction(1, 2**50), noise_error=Fraction(1, 2**30)
    )
    moved = Decimal(0)
    for _ in range(50):
        moved = 2 * (16 + moved).exp() / 2**50 + Decimal(1) / 2**30
    found = bound(NOISE, item)
    assert found.shift is not None
    assert encloses(found.shift.total, moved)
    assert found.shift.addition == Interval(Fraction(0), Fraction(0))


# --- the plane ------------------------------------------------------------------------------


def cumulative(radius: Decimal) -> Decimal:
    return 1 - (1 + radius) * (-radius).exp()


@pytest.mark.parametrize("bias", [Fraction(1, 2**53), Fraction(1, 2**20), Fraction(1, 100)])
def test_planar_windows(bias: Fraction) -> None:
    """C^-1(δ0) and the outermost ring really have mass δ0, and no window in between is longer."""
    reach = Decimal(6)
    with working_precision(600):
        found = Interval.of(planar_movement(Fraction(1), ball(bias), ball(6)))
    along = 2 * Decimal("3.14159265358979323846264338327950288419716939937510582097") * reach * decimal(bias)
    longest = (decimal(found.high) ** 2 - along**2).sqrt()
    inner, outer = cumulative(longest), cumulative(reach) - cumulative(reach - longest)
    assert abs(min(inner, outer) - decimal(bias)) < Decimal("1e-30")
    for step in range(1, 60):
        start = (reach - longest) * step / 60
        assert cumulative(start + longest) - cumulative(start) >= decimal(bias) - Decimal("1e-30")


def test_near_the_centre_the_radius_is_not_lipschitz() -> None:
    """The disk of mass δ0 has radius about √(2·δ0), far more than the paper's K_C·δ0."""
    with working_precision(600):
        found = Interval.of(planar_movement(Fraction(1), ball(Fraction(1, 2**60)), ball(1)))
    assert math.isclose(float(found.high), math.sqrt(2 / 2**60), rel_tol=1e-6)


def test_the_planar_bound_from_scratch() -> None:
    found = bound(NOISE, PLANAR)
    assert found.shift is not None and found.shift.factor is None
    moved = decimal(found.shift.total.high)
    cell = Decimal(1) / 64
    ratio = ((cell + 2 * moved) ** 2 - (cell - 2 * moved) ** 2) / (cell - 2 * moved) ** 2
    expected = 1 + (1 + ratio * (cell * Decimal(2).sqrt() + moved).exp()).ln()
    assert found.epsilon is not None
    assert abs(decimal(found.epsilon.high) - expected) < Decimal("1e-25")


def test_planar_noise_needs_a_stated_error() -> None:
    with pytest.raises(UsageError, match="--noise-error"):
        bound(NOISE, replace(PLANAR, noise_error=None))


# --- properties -----------------------------------------------------------------------------


def test_more_bits_give_less() -> None:
    found = [epsilon(item) for item in table(NOISE, FLOAT64, [Fraction(1, 64)], [44, 48, 53, 64, 113, 400])]
    for worse, better in itertools.pairwise(found):
        assert better[1] < worse[0]
    assert found[-1][1] - 1 < Fraction(1, 2**300)


def test_wider_cells_give_less_while_errors_dominate() -> None:
    cells = [Fraction(1, 2**power) for power in (12, 10, 8, 6)]
    found = [epsilon(item) for item in table(NOISE, FLOAT64, cells, [53])]
    for worse, better in itertools.pairwise(found):
        assert better[1] < worse[0]


def test_ever_wider_cells_give_more_again() -> None:
    wide, wider = (epsilon(item) for item in table(NOISE, FLOAT64, [Fraction(1), Fraction(16)], [53]))
    assert wide[1] < wider[0]


@pytest.mark.parametrize("item", [FLOAT64, PLANAR, replace(FLOAT64, format=Format(Kind.FIXED, 48))])
def test_enclosures_are_narrow_and_above_the_exact_epsilon(item: Implementation) -> None:
    low, high = epsilon(bound(NOISE, item))
    assert 1 < low <= high
    assert high - low < Fraction(1, 10**12)


def test_floats_are_rounded_outward() -> None:
    third = Interval(Fraction(1, 3), Fraction(1, 3))
    low, high = third.floats()
    assert Fraction(low) < Fraction(1, 3) < Fraction(high)
    assert Interval(Fraction(10) ** 400, Fraction(10) ** 400).floats()[1] == math.inf


def test_the_printed_value_does_not_go_to_epsilon() -> None:
    found = bound(NOISE, replace(FLOAT64, format=Format(Kind.FLOAT, 400)))
    assert found.printed_epsilon is not None
    assert found.printed_epsilon.low > Fraction(16, 10)


# --- failing conditions ---------------------------------------------------------------------


def failing(item: Implementation, noise: NoisedReal = NOISE) -> str:
    found = bound(noise, item)
    assert found.epsilon is None and found.printed_epsilon is None
    assert any(condition.status == "failed" for condition in found.conditions)
    return found.reason or ""


def test_cells_narrower_than_the_errors() -> None:
    assert "L > 2·δt fails" in failing(replace(FLOAT64, cell=Fraction(1, 2**40)))


def test_a_range_of_broken_cells() -> None:
    assert "Whole cells fails" in failing(replace(FLOAT64, cell=Fraction(3, 64)))


def test_a_range_that_is_too_wide() -> None:
    wide = replace(FLOAT64, low=Fraction(-100), high=Fraction(100))
    assert "Condition 3 fails" in failing(wide)
    assert "Condition 3 fails" in failing(replace(wide, high=Fraction(10) ** 300))


def test_too_small_a_sensitivity_is_fine_and_too_large_a_one_is_not() -> None:
    assert "Condition 1 fails" in failing(FLOAT64, replace(NOISE, sensitivity=Fraction(2)))
    assert epsilon(bound(replace(NOISE, sensitivity=Fraction(1, 2)), FLOAT64))[0] > 1


def test_no_rounding() -> None:
    assert "Rounding fails" in failing(replace(FLOAT64, cell=None))


def test_an_error_of_the_query_raises_the_sensitivity() -> None:
    found = bound(NOISE, replace(FLOAT64, query_error=Fraction(1, 8)))
    assert (found.sensitivity, found.exact_epsilon) == (Fraction(5, 4), Fraction(5, 4))
    assert epsilon(found)[0] > Fraction(5, 4)


@pytest.mark.parametrize(
    "item",
    [
        replace(FLOAT64, bias=Fraction(1, 2**55)),
        replace(FLOAT64, bias=Fraction(1)),
        replace(FLOAT64, cell=Fraction(0)),
        replace(FLOAT64, high=Fraction(-8)),
        replace(FLOAT64, noise_error=Fraction(-1)),
    ],
)
def test_impossible_descriptions(item: Implementation) -> None:
    with pytest.raises(UsageError):
        bound(NOISE, item)


def test_formats() -> None:
    assert Format.read("float32") == Format(Kind.FLOAT, 24)
    assert Format.read("fixed:32").name == "fixed:32"
    for text in ("float16", "fixed", "fixed:0", "fixed:-1", "fixed:99999", "double"):
        with pytest.raises(UsageError):
            Format.read(text)


# --- numbers that no float holds ------------------------------------------------------------


@pytest.mark.parametrize(("bits", "half"), [(10, 4), (11, 4), (12, 4), (16, 6)])
def test_errors_that_grow_without_end_fail_condition_3(bits: int, half: int) -> None:
    implementation = Implementation(Format(Kind.FIXED, bits), Fraction(-half), Fraction(half), Fraction(1))
    found = bound(NOISE, implementation)
    assert found.epsilon is None
    assert found.reason is not None and found.reason.startswith("Condition 3 fails: no U_r: δt would be at")


def test_bounds_beyond_all_floats() -> None:
    wide = Fraction(10) ** 400
    item = Implementation(Format.read("float64"), -wide, wide, 2 * wide, noise_error=Fraction(10) ** 390)
    found = bound(NoisedReal("noisy", 1 / wide, wide, Fraction(1), "stated"), item)
    document = json.loads(json.dumps(bound_document(found), allow_nan=False))
    assert document["range"] == [int(-wide), int(wide)]
    assert decimal_text(wide, 6) == "1e+400" and decimal_text(1 / (3 * wide), 3) == "3.33e-401"
    assert decimal_text(Fraction(0), 6) == "0" and decimal_text(Fraction(16), 6) == "16"
