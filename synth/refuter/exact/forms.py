"""Values that depend on noise not looked at yet: ``constant + Σ coefficient · noise``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from synth.refuter.exact.laws import Bound, Enclosure, Noise

Exact = bool | int | Fraction


@dataclass(frozen=True, slots=True)
class Form:
    """An affine combination of noises, given by number; no coefficient is 0."""

    constant: int | Fraction
    terms: tuple[tuple[int, int | Fraction], ...]

    def bounds(self, noises: Mapping[int, Noise]) -> tuple[Bound, Bound]:
        """The least interval that holds all its values, ends included."""
        low: Bound = self.constant
        high: Bound = self.constant
        for number, coefficient in self.terms:
            least, most = noises[number].ends()
            if coefficient == 1:
                low, high = low + least, high + most
            elif coefficient == -1:
                low, high = low - most, high - least
            elif coefficient > 0:
                low, high = low + coefficient * least, high + coefficient * most
            else:
                low, high = low + coefficient * most, high + coefficient * least
        return low, high

    def is_continuous(self, noises: Mapping[int, Noise]) -> bool:
        """Whether each single value has probability 0."""
        return any(not noises[number].law.is_integer for number, _ in self.terms)

    def center(self, noises: Mapping[int, Noise]) -> int | Fraction:
        """Its value at the smallest noise."""
        total = self.constant
        for number, coefficient in self.terms:
            noise = noises[number]
            nearest = min(max(0, noise.low), noise.high)
            assert not isinstance(nearest, float)
            total += coefficient * nearest
        return total

    def without(self, number: int, value: int | Fraction) -> Exact | Form:
        """The form with a value put in for a noise."""
        constant = self.constant
        rest = []
        for item in self.terms:
            if item[0] == number:
                constant += item[1] * value
            else:
                rest.append(item)
        return Form(constant, tuple(rest)) if rest else constant

    def renumbered(self, numbers: Mapping[int, int]) -> Form:
        """The same with other numbers for the noises, in the same order."""
        return Form(self.constant, tuple((numbers[old], factor) for old, factor in self.terms))


Value = Exact | Form | Enclosure


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low``, which is included, to ``high``, which is not."""

    low: Bound
    high: Bound


Wanted = Exact | Range
"""A part of an output, or a range that it lies in."""


def add(left: Exact | Form, right: Exact | Form, sign: int = 1) -> Exact | Form:
    """``left + sign · right``."""
    if not isinstance(left, Form) and not isinstance(right, Form):
        return left + sign * right
    factors = dict(left.terms) if isinstance(left, Form) else {}
    if isinstance(right, Form):
        for number, coefficient in right.terms:
            factors[number] = factors.get(number, 0) + sign * coefficient
    constants = [item.constant if isinstance(item, Form) else item for item in (left, right)]
    return make(constants[0] + sign * constants[1], factors)


def scale(form: Form, factor: int | Fraction) -> Exact | Form:
    """``factor · form``."""
    return make(form.constant * factor, {number: item * factor for number, item in form.terms})


def make(constant: int | Fraction, factors: Mapping[int, int | Fraction]) -> Exact | Form:
    """A form, or its constant if no noise is left in it."""
    terms = tuple(sorted((number, factor) for number, factor in factors.items() if factor != 0))
    return Form(constant, terms) if terms else constant
