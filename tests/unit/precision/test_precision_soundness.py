"""ε' and δt against small implementations that can be enumerated."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest

from synth.precision import Format, Implementation, NoisedReal, bound, example_for, printed_example, scaling

BITS = 14
NOISE = NoisedReal("noisy", Fraction(1), Fraction(1), Fraction(1), "the adjacency of x")
SMALL = Implementation(Format.read(f"fixed:{BITS}"), Fraction(-2), Fraction(2), Fraction(1, 2))


def fixed_noise(number: int) -> Fraction:
    """The inverse-CDF Laplace of scale 1 in fixed point, at the uniform number number/2^14."""
    share = 1 - 2 * abs(Fraction(number, 2**BITS) - Fraction(1, 2))
    if share == 0:
        return Fraction(100)
    size = Fraction(round(-math.log(share) * 2**BITS), 2**BITS)
    return size if 2 * number >= 2**BITS else -size


def released(answer: Fraction) -> Counter[int | None]:
    """How many uniform numbers end in which cell; None is ∞."""
    found: Counter[int | None] = Counter()
    for number in range(2**BITS):
        result = answer + fixed_noise(number)
        inside = SMALL.low <= result < SMALL.high
        found[math.floor((result - SMALL.low) * 2) if inside else None] += 1
    return found


@pytest.mark.parametrize("answers", [(0, 1), (-2, -1), (Fraction(-1, 2), Fraction(1, 2))])
def test_no_pair_of_answers_loses_more_than_the_bound(answers: tuple[Fraction, Fraction]) -> None:
    found = bound(NOISE, SMALL)
    assert found.epsilon is not None
    left, right = (released(Fraction(item)) for item in answers)
    for cell in left.keys() | right.keys():
        loss = abs(math.log(left[cell] / right[cell]))
        assert loss <= found.epsilon.high


def test_the_computed_noise_is_within_the_derived_error() -> None:
    """|n(u) - n'(u')| <= δt, for exact u up to δ0 away from u', as far as U_r goes."""
    found = bound(NOISE, SMALL)
    assert found.shift is not None
    reach, allowed = float(found.shift.reach.high), float(found.shift.total.high)
    for number in range(2 ** (BITS - 1) + 1, 2**BITS - 1, 7):
        for exact in (number, number + 1):
            true = -math.log(1 - 2 * abs(exact / 2**BITS - 0.5)) if exact < 2**BITS else math.inf
            if true <= reach:
                assert abs(true - float(fixed_noise(number))) <= allowed


# --- Example 1.1 ----------------------------------------------------------------------------


def test_the_printed_example() -> None:
    example = printed_example()
    assert (example.fraction_bits, example.scale_bits, example.right) == (6, 2, Fraction(33, 32))
    assert example.digits() == ("00", "10")
    assert example.common == 0
    left, right = example.probabilities()
    assert left == 1 and right == 0
    assert sum(item.left for item in example.outcomes) == sum(item.right for item in example.outcomes) == 1
    for item in example.outcomes:
        units = item.value * 2**6
        assert units.denominator == 1
        assert units % 4 == (0 if item.left else 2)


def test_answers_that_agree_in_the_last_digits_are_not_told_apart_so() -> None:
    assert scaling(6, 2, Fraction(4, 64)).common > 0


@pytest.mark.parametrize("offset", range(1, 4))
def test_every_offset_of_the_example_tells_the_answers_apart(offset: int) -> None:
    """r1 and r2 differ by (2^n·k + h)/2^d, with h from 1 to 2^n - 1."""
    assert scaling(6, 2, Fraction(4 * 3 + offset, 64)).common == 0


def test_the_mechanism_itself_may_be_the_example() -> None:
    quarter = NoisedReal("noisy", Fraction(1, 4), Fraction(4), Fraction(1), "")
    fixed = Implementation(Format.read("fixed:6"), Fraction(-8), Fraction(8), None)
    example = example_for(quarter, fixed)
    assert example is not None and example.right == Fraction(63, 64) and example.common == 0
    assert example_for(NOISE, fixed) is None
    assert (
        example_for(quarter, SMALL.__class__(Format.read("float64"), Fraction(-8), Fraction(8), None)) is None
    )
