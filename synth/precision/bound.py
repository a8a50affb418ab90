"""ε' of an implementation, with each condition of Theorem 4.5 checked or listed as assumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.precision.closeness import Shift, TooFar, shift
from synth.precision.enclosures import Interval, ball, decimal_text, working_precision
from synth.precision.implementation import Implementation
from synth.precision.noise import NoisedReal
from synth.precision.theorem import degraded, printed_robustness, robustness

CHECKED, ASSUMED, FAILED = "checked", "assumed", "failed"

_SPARE_BITS = 192


@dataclass(frozen=True)
class Condition:
    """Something that the theorem, or the derivation of its constants, needs."""

    name: str
    status: str
    says: str


@dataclass(frozen=True)
class Bound:
    """What the theorem gives for one implementation of a mechanism.

    ``exact_epsilon`` (ε, nats) and ``sensitivity`` (Δ) are those of the computed query; ``epsilon`` is ε',
    None with a ``reason`` if a condition fails.  ``printed_*`` are by the R that the paper prints.
    """

    implementation: Implementation
    exact_epsilon: Fraction
    sensitivity: Fraction
    conditions: tuple[Condition, ...]
    shift: Shift | None = None
    robustness: Interval | None = None
    epsilon: Interval | None = None
    printed_robustness: Interval | None = None
    printed_epsilon: Interval | None = None
    reason: str | None = None


def bound(noise: NoisedReal, implementation: Implementation) -> Bound:
    """ε' of Gazeau et al. 2013, Thm. 4.5, for the noise in this implementation.  Raises UsageError."""
    implementation.checked()
    with working_precision(_SPARE_BITS + 4 * _bits(implementation.generator_bias)):
        return _bound(noise, implementation)


def table(
    noise: NoisedReal, implementation: Implementation, cells: Sequence[Fraction], bits: Sequence[int]
) -> tuple[Bound, ...]:
    """A bound for each cell width with each number of bits.  Raises UsageError."""
    return tuple(
        bound(noise, replace(implementation, cell=cell, format=implementation.format.with_bits(count)))
        for cell in cells
        for count in bits
    )


def _bits(small: Fraction) -> int:
    return max(0, small.denominator.bit_length() - small.numerator.bit_length())


def _bound(noise: NoisedReal, implementation: Implementation) -> Bound:
    sensitivity = noise.sensitivity + 2 * implementation.query_error
    found = Bound(
        implementation=implementation,
        exact_epsilon=noise.epsilon * sensitivity / noise.sensitivity,
        sensitivity=sensitivity,
        conditions=(*_about_noise(noise, implementation), *_about_implementation(implementation)),
    )
    failed = next((item for item in found.conditions if item.status == FAILED), None)
    if failed is not None:
        return replace(found, reason=f"{failed.name} fails: {failed.says}")
    if implementation.cell is None:
        return _without(found, "Rounding", "without a grid S^{-δt} is empty, and R is not defined")
    moved = shift(implementation, noise.scale)
    if isinstance(moved, TooFar):
        return _without(found, "Condition 3", f"no U_r: δt would be at least {moved.at_least}")
    return _degraded(found, moved, implementation.cell)


def _without(found: Bound, name: str, says: str) -> Bound:
    failed = Condition(name, FAILED, says)
    return replace(found, conditions=(*found.conditions, failed), reason=f"{name} fails: {says}")


def _degraded(found: Bound, moved: Shift, cell: Fraction) -> Bound:
    item = found.implementation
    reached = f"outside U_r, where the noise exceeds {_short(moved.reach.high)}, every result is ∞"
    found = replace(
        found, shift=moved, conditions=(*found.conditions, Condition("Condition 3", CHECKED, reached))
    )
    fits = f"L = {power_text(cell)}, 2·δt = {_short(2 * moved.total.high)}"
    if not 2 * moved.total.high < cell:
        return _without(found, "L > 2·δt", f"{fits}; cells must be wider than the errors")
    total = ball(moved.total.low).union(ball(moved.total.high))
    ratio = robustness(cell, total, item.planar)
    printed = printed_robustness(cell, total, item.planar)
    start, sensitivity = found.exact_epsilon, found.sensitivity
    return replace(
        found,
        conditions=(*found.conditions, Condition("L > 2·δt", CHECKED, fits)),
        robustness=Interval.of(ratio),
        epsilon=Interval.of(degraded(start, sensitivity, item.cell_diameter(), total, ratio)),
        printed_robustness=Interval.of(printed),
        printed_epsilon=Interval.of(degraded(start, sensitivity, ball(cell), total, printed)),
    )


# --- conditions -----------------------------------------------------------------------------


def _about_noise(noise: NoisedReal, implementation: Implementation) -> Iterator[Condition]:
    ratio = noise.sensitivity / noise.scale
    yield Condition(
        "Condition 1",
        CHECKED if ratio <= noise.epsilon else FAILED,
        f"Laplace noise of scale b = {noise.scale} has ratio exp(d/b), and Δ/b = {ratio} "
        f"{'<=' if ratio <= noise.epsilon else '>'} ε = {noise.epsilon}",
    )
    yield Condition(
        "Sensitivity",
        ASSUMED if noise.stated else CHECKED,
        f"Δ = {noise.sensitivity}: {noise.sensitivity_source}",
    )
    if implementation.planar:
        yield Condition(
            "Planar noise",
            ASSUMED,
            f"the noise has density exp(-|x|/b)/(2π·b²) in the plane, and adjacent answers are at most "
            f"Δ = {noise.sensitivity} apart (Euclidean); the certificate is about one coordinate",
        )


def _about_implementation(implementation: Implementation) -> Iterator[Condition]:
    item = implementation
    yield Condition("Query", ASSUMED, _query(item))
    yield Condition("Condition 2", ASSUMED, _order(item))
    yield Condition("Bias", ASSUMED, _bias(item))
    yield Condition("Noise error", ASSUMED, _noise_error(item))
    yield Condition("Exceptions", ASSUMED, "overflow and what is not a number count as outside of the range")
    if item.cell is not None:
        whole = (item.width / item.cell).denominator == 1
        count = f"the range is {item.width / item.cell} cells wide"
        yield Condition("Whole cells", CHECKED if whole else FAILED, count)
        ends = f"a cell begins at {item.low}, and each result in the range goes to just its cell"
        yield Condition("Rounding", ASSUMED, ends)


def _query(item: Implementation) -> str:
    off = f"within {item.query_error} of the true one" if item.query_error else "the true one"
    place = f"[{item.low}, {item.high}]{'²' if item.planar else ''}"
    return f"the computed answer f'(D) is a {item.format.name} number in {place}, {off}"


def _bias(item: Implementation) -> str:
    numbers = "two numbers are each" if item.planar else "number is"
    near = f"within δ0 = {power_text(item.generator_bias)} of"
    ideal = "independent, exactly uniform ones" if item.planar else "an exactly uniform one"
    return f"the generator's {numbers} {near} {ideal} on [0, 1]"


def _order(item: Implementation) -> str:
    if item.planar:
        return "the computed radius grows with u (coordinates that are rounded can't keep the order of norms)"
    if item.noise_error is None:
        return "the computed logarithm is monotone; so then is the noise"
    return "the computed noise keeps the order of absolute values, and its sign is right"


def _noise_error(item: Implementation) -> str:
    if item.noise_error is not None:
        return f"|n'(u) - n(u)| <= {power_text(item.noise_error)} on U_r, before the addition"
    ulps = "1 unit" if item.log_error == 1 else f"{item.log_error} units"
    return (
        f"u' is a multiple of 2^-{item.format.bits}; the logarithm is off by at most {ulps} in the last "
        "place; b is rounded to nearest, and so is each operation, without overflow or underflow"
    )


def power_text(number: Fraction) -> str:
    """A number, as a power of 2 if it is a small one."""
    denominator = number.denominator
    if number.numerator == 1 and denominator > 1024 and denominator & (denominator - 1) == 0:
        return f"2^-{denominator.bit_length() - 1}"
    return str(number)


def _short(number: Fraction) -> str:
    return decimal_text(number, 6)
