"""Example 1.1 of Gazeau et al. 2013: fixed-point noise scaled by 2^n leaves the secret's last n digits.

All draws of a small generator are enumerated, so that all probabilities are exact fractions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from synth.precision.enclosures import Interval, ball, working_precision
from synth.precision.implementation import Implementation, Kind
from synth.precision.noise import NoisedReal

_MAX_FRACTION_BITS = 24
"""Of fractions that are enumerated as they are described."""


@dataclass(frozen=True)
class Outcome:
    """A result, with its probability for either answer."""

    value: Fraction
    left: Fraction
    right: Fraction


@dataclass(frozen=True)
class Scaling:
    """Noise of scale 2^n on numbers with d fractional bits, added to the answers ``left`` and ``right``.

    Noise of scale 1 comes from the inverse CDF at 2^``generator_bits`` equally likely uniform numbers.
    """

    fraction_bits: int
    scale_bits: int
    generator_bits: int
    left: Fraction
    right: Fraction
    outcomes: tuple[Outcome, ...]

    @property
    def common(self) -> int:
        """How many results both answers can give."""
        return sum(1 for item in self.outcomes if item.left and item.right)

    def probabilities(self) -> tuple[Fraction, Fraction]:
        """That the result is one that the left answer can give, for either answer."""
        possible = [item for item in self.outcomes if item.left]
        return sum((item.left for item in possible), Fraction(0)), sum(
            (item.right for item in possible), Fraction(0)
        )

    def digits(self) -> tuple[str, str]:
        """The last n binary digits of every result, for either answer."""
        return self._last(self.left), self._last(self.right)

    def _last(self, answer: Fraction) -> str:
        units = int(answer * 2**self.fraction_bits)
        return format(units % 2**self.scale_bits, f"0{self.scale_bits}b")


def scaling(fraction_bits: int, scale_bits: int, right: Fraction, generator_bits: int = 8) -> Scaling:
    """The example with the answers 0 and ``right``, a number with so many fractional bits."""
    counts = _noise(fraction_bits, generator_bits)
    step = Fraction(2**scale_bits, 2**fraction_bits)
    chances = {z * step: Fraction(count, 2**generator_bits) for z, count in counts.items()}
    values = sorted({*chances, *(item + right for item in chances)})
    outcomes = tuple(
        Outcome(item, chances.get(item, Fraction(0)), chances.get(item - right, Fraction(0)))
        for item in values
    )
    return Scaling(fraction_bits, scale_bits, generator_bits, Fraction(0), right, outcomes)


def printed_example() -> Scaling:
    """The numbers of the paper: d = 6, b = 2² = 4, the answers 0 and 1 + 2^-5."""
    return scaling(6, 2, 1 + Fraction(1, 32))


def example_for(noise: NoisedReal, implementation: Implementation) -> Scaling | None:
    """The example with this mechanism's own scale, sensitivity and bits, if it is an instance of it.

    Then the product of b = 2^n and a logarithm with d fractional bits is exact, and ends in n zeros.
    """
    item, bits, scale = implementation, implementation.format.bits, noise.scale
    if item.planar or item.noise_error is not None or item.format.kind is not Kind.FIXED:
        return None
    if bits > _MAX_FRACTION_BITS or scale.denominator != 1:
        return None
    exponent = scale.numerator.bit_length() - 1
    if exponent == 0 or scale != 2**exponent:
        return None
    units = int(noise.sensitivity * 2**bits)
    if units % 2**exponent == 0:
        units -= 1
    right = Fraction(units, 2**bits)
    return scaling(bits, exponent, right) if 0 < right <= item.high and item.low <= 0 else None


def _noise(fraction_bits: int, generator_bits: int) -> Counter[int]:
    """How many uniform numbers give which noise, in units of 2^-d: -sgn(u - 1/2)·ln(1 - 2|u - 1/2|), rounded.

    u = (2i + 1)/2^(bits + 1), so that 1 - 2|u - 1/2| is (2i + 1)/2^bits in the lower half.
    """
    found: Counter[int] = Counter()
    with working_precision(128):
        for number in range(2 ** (generator_bits - 1)):
            share = ball(Fraction(2 * number + 1, 2**generator_bits))
            units = _nearest(-share.log() * 2**fraction_bits)
            found[units] += 1
            found[-units] += 1
    return found


def _nearest(number: Any) -> int:
    ends = Interval.of(number)
    low, high = round(ends.low), round(ends.high)
    assert low == high, "a logarithm of a rational is no tie"
    return low
