"""Gaussian noise around 0: the probability of a range, on the reals and on the integers, enclosed.

On the integers the weight of v is g(v) = exp(-v²/(2σ²)), and all weights together are the sum from 0 on
plus the sum from 1 on.  A sum from k on is a table's entry, or its first terms and a geometric series
that is larger than the rest; for a very large σ it is an integral and a remainder.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb, fmpq

_SMOOTH = 4096
"""From this σ on sums are enclosed by integrals; their relative error is below 1e-8."""

_REACH = 14
"""A table holds the sums that start up to so many σ away; the rest has less than 1e-43."""

_NATS = 92
"""What has less than exp(-_NATS) of a sum's first term is enclosed by a geometric series."""

_SHORT = 256
"""Ranges of so many integers are summed term by term where a difference would be coarse."""

Distance = int | Fraction
Far = int | Fraction | float
"""A distance from 0; the only float is infinity."""


def _ball(value: Distance) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


@dataclass(frozen=True, eq=False)
class Gaussian:
    """Noise with this sigma, a positive ball.  All ranges lie on one side of 0."""

    sigma: arb

    # --- reals ------------------------------------------------------------------------------

    def real(self, near: Distance, far: Far) -> arb:
        """The probability of the range from ``near`` >= 0 up to ``far``."""
        return self._beyond(near) - (arb(0) if isinstance(far, float) else self._beyond(far))

    def _beyond(self, start: Distance) -> arb:
        return (_ball(start) / (self.sigma * arb(2).sqrt())).erfc() / 2

    # --- integers ---------------------------------------------------------------------------

    def integer(self, near: int, far: int | float) -> arb:
        """The probability of the integers from ``near`` >= 0 to ``far``, both included."""
        if far < near:
            return arb(0)
        few = near == far or (self._is_smooth and far - near < _SHORT)
        if few and not isinstance(far, float):
            weight = sum((self._weight(value) for value in range(near, far + 1)), arb(0))
        else:
            weight = self._from(near) - (arb(0) if isinstance(far, float) else self._from(far + 1))
        return weight / self._all

    @cached_property
    def _all(self) -> arb:
        return self._from(0) + self._from(1)

    @cached_property
    def _rate(self) -> arb:
        return -1 / (2 * self.sigma**2)

    @cached_property
    def _is_smooth(self) -> bool:
        return not self.sigma < _SMOOTH

    def _weight(self, value: int) -> arb:
        return (self._rate * value**2).exp()

    def _from(self, start: int) -> arb:
        """The sum of the weights from ``start`` >= 0 on."""
        if self._is_smooth:
            return self._integrated(start)
        return self._table[start] if start < len(self._table) else self._summed(start)

    @cached_property
    def _table(self) -> list[arb]:
        """The sums from 0, 1, 2, … on."""
        last = math.ceil(_REACH * float(self.sigma.upper())) + 1
        sums = [self._summed(last)]
        for value in range(last - 1, -1, -1):
            sums.append(sums[-1] + self._weight(value))
        return sums[::-1]

    def _summed(self, start: int) -> arb:
        """From ``start`` >= 1 on, term by term.

        g(v + 1)/g(v) = exp(-(2v + 1)/(2σ²)) falls, so the rest from v on is at most g(v)/(1 - that).
        """
        end = start + 1 + math.ceil(_NATS * float(self.sigma.upper()) ** 2 / start)
        terms = sum((self._weight(value) for value in range(start, end)), arb(0))
        rest = self._weight(end) / -(self._rate * (2 * end + 1)).expm1()
        return terms + arb(0).union(rest)

    def _integrated(self, start: int) -> arb:
        """From ``start`` >= 0 on, by the trapezoidal rule.

        Its error is at most the integral of abs(g'')/8.  That is abs(g'(start)) = start·g(start)/σ² from
        σ on, where g is convex, and never more than twice the largest slope exp(-1/2)/σ.
        """
        first = self._weight(start)
        integral = self._beyond(start) * self.sigma * (2 * arb.pi()).sqrt()
        if start >= self.sigma:
            slopes = start * first / self.sigma**2
        else:
            slopes = 2 * (arb(-1) / 2).exp() / self.sigma
        return integral + first / 2 + (slopes / 8).union(-slopes / 8)
