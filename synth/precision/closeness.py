"""How far the computed noise may be from the exact one: δt of Gazeau et al. 2013, eq. (3), by Condition 3.

Condition 3 asks for a set U_r of uniform numbers outside of which every result is ∞: with answers in M_r,
those whose noise is at most diam(M_r) + δt.  But δt itself is how far the errors on U_r go.  So it is a
least fixed point, which § 4.2 of the paper constructs from below; here it is also enclosed from above.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from synth.precision.enclosures import Interval, ball
from synth.precision.implementation import Implementation

_MAX_STEPS = 100
_MARGIN = Fraction(1, 2**60)


@dataclass(frozen=True)
class Shift:
    """δt and its parts, in the unit of the released value.

    ``generator`` is what δ0 does: k·δ0 in one dimension, where ``factor`` is k.  ``noise`` and ``addition``
    make up δn.  ``reach`` is the largest exact noise on U_r.
    """

    total: Interval
    generator: Interval
    noise: Interval
    addition: Interval
    reach: Interval
    factor: Interval | None
    printed_factor: Interval | None


@dataclass(frozen=True)
class TooFar:
    """There is no such U_r within twice the range: δt would be at least so much, as text."""

    at_least: str


@dataclass(frozen=True)
class _Errors:
    """The errors of an implementation of noise of scale b, as functions of the largest noise considered."""

    implementation: Implementation
    scale: Fraction

    def generator(self, radius: arb) -> arb:
        bias = ball(self.implementation.generator_bias)
        if self.implementation.planar:
            return planar_movement(self.scale, bias, radius)
        return linear_factor(self.scale, radius) * bias

    def noise(self, radius: arb) -> arb:
        return self.implementation.noise_function_error(self.scale, radius)

    def addition(self, radius: arb) -> arb:
        return self.implementation.sum_error(radius, self.noise(radius))

    def total(self, radius: arb) -> arb:
        return self.generator(radius) + self.noise(radius) + self.addition(radius)


def linear_factor(scale: Fraction, radius: arb) -> arb:
    """k: inverse-CDF Laplace noise of scale b is 2b·exp(radius/b)-Lipschitz while at most radius (§ 5)."""
    size = ball(scale)
    return 2 * size * (radius / size).exp()


def planar_movement(scale: Fraction, bias: arb, radius: arb) -> arb:
    """How far planar Laplace noise of norm at most radius moves when both uniform numbers move by δ0.

    The inverse of C(r) = 1 - (1 + r/b)·exp(-r/b) is not Lipschitz at 0, so the paper's K_C doesn't exist
    there.  But C' rises and then falls, so a window of mass δ0 is longest at one end of [0, radius].
    The angle moves by 2π·δ0, a point by no more than 2π·radius·δ0 along its circle.
    """
    radial = _inner_window(scale, bias).min(radius).max(_outer_window(scale, bias, radius))
    along = 2 * arb.pi() * radius * bias
    return (radial * radial + along * along).sqrt()


def _inner_window(scale: Fraction, bias: arb) -> arb:
    """The radius of the disk of mass δ0 around the centre: C^-1(δ0)."""
    return ball(scale) * _radius_beyond(1 - bias)


def _outer_window(scale: Fraction, bias: arb, radius: arb) -> arb:
    """The width of the ring of mass δ0 just inside the radius; all of the radius if there is none."""
    reach = radius / ball(scale)
    beyond = (1 + reach) * (-reach).exp() + bias
    return radius - ball(scale) * _radius_beyond(beyond) if beyond < 1 else radius


def _radius_beyond(mass: arb) -> arb:
    """x with (1 + x)·exp(-x) = mass: by Lambert's W on its lower branch."""
    return -1 - (-mass / arb(1).exp()).lambertw(-1)


def shift(implementation: Implementation, scale: Fraction) -> Shift | TooFar:
    """The least δt for which Condition 3 holds, enclosed."""
    errors = _Errors(implementation, scale)
    diameter = implementation.diameter()
    low = arb(0)
    for _ in range(_MAX_STEPS):
        found = errors.total(diameter + low)
        if not found < diameter:
            return _too_far(found)
        if not found.lower() > low * (1 + ball(_MARGIN)):
            break
        low = found.lower()
    high = _fixed_above(errors, diameter, low)
    return _too_far(low) if high is None else _parts(errors, diameter, low, high)


def _too_far(least: arb) -> TooFar:
    return TooFar(least.str(3, radius=False) if least.is_finite() else "any number that can be written")


def _fixed_above(errors: _Errors, diameter: arb, start: arb) -> arb | None:
    """Some δ that the errors on the noise up to diam + δ stay below."""
    candidate = (start * (1 + ball(_MARGIN))).upper()
    for _ in range(_MAX_STEPS):
        found = errors.total(diameter + candidate).upper()
        if found <= candidate:
            return found
        if not found < diameter:
            return None
        candidate = (found * (1 + ball(_MARGIN))).upper()
    return None


def _parts(errors: _Errors, diameter: arb, low: arb, high: arb) -> Shift:
    nearest, farthest = diameter + low, diameter + high
    linear = not errors.implementation.planar
    factors = [linear_factor(errors.scale, item) for item in (nearest, farthest)] if linear else None
    printed = Interval.of(linear_factor(errors.scale, diameter)) if linear else None
    return Shift(
        total=Interval.of(low.union(high)),
        generator=Interval.of(errors.generator(nearest).union(errors.generator(farthest))),
        noise=Interval.of(errors.noise(nearest).union(errors.noise(farthest))),
        addition=Interval.of(errors.addition(nearest).union(errors.addition(farthest))),
        reach=Interval.of(nearest.union(farthest)),
        factor=Interval.of(factors[0].union(factors[1])) if factors else None,
        printed_factor=printed,
    )
