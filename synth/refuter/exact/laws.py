"""The laws of noise around 0, and the probability of a range, enclosed.

For two- and one-sided exponentials a range on one side of 0 has mass ``c · exp(-a/s) · (1 - exp(-w/s))``:
``a`` is its end next to 0 and ``w`` its width (for integers, the number of points).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from flint import arb, ctx, fmpq

from synth.refuter.exact.gaussian import Gaussian
from synth.trusted.program import syntax as ir

ctx.prec = 128  # bits: relative errors stay far below what the cells cost

Bound = int | Fraction | float
"""An end of a range: an exact number, or an infinity (the only float)."""


@dataclass(frozen=True)
class Enclosure:
    """A real number known to lie in [low, high]: what exp, log and sqrt give."""

    low: Fraction
    high: Fraction

    @staticmethod
    def of(ball: arb) -> Enclosure:
        """The rational interval around a ball."""
        return Enclosure(*(_rational(end) for end in (ball.lower(), ball.upper())))

    def ball(self) -> arb:
        """The smallest ball that holds the interval."""
        return to_arb(self.low).union(to_arb(self.high))


def _rational(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def to_arb(value: int | Fraction | Enclosure) -> arb:
    """An enclosure of a number."""
    if isinstance(value, Enclosure):
        return value.ball()
    return arb(fmpq(value.numerator, value.denominator))


@dataclass(frozen=True, eq=False)
class Law:
    """Noise around 0: ``laplace``, ``exponential`` (never below 0) or ``gaussian``, of that scale > 0.

    Where a grid is another one at a draw, its law has the ``site``.  On the integers ranges are closed; on
    the reals ends do not matter.  Made by :func:`law_of`, so that equal laws are one object: comparing and
    hashing them is what merging states does most.
    """

    distribution: str
    sort: ir.Sort
    scale: Fraction | Enclosure
    site: int | None = None

    @property
    def is_integer(self) -> bool:
        """Whether the noise is an integer."""
        return self.sort is ir.Sort.INT

    @property
    def low(self) -> Bound:
        """The lower end of the support."""
        return 0 if self.distribution == "exponential" else -math.inf

    def size(self) -> float:
        """The scale (of a Gaussian: sigma), roughly."""
        return float(self.scale.low if isinstance(self.scale, Enclosure) else self.scale)


@lru_cache(maxsize=1 << 12)
def law_of(distribution: str, sort: ir.Sort, scale: Fraction | Enclosure, site: int | None = None) -> Law:
    """The law with these parameters."""
    return Law(distribution, sort, scale, site)


@dataclass(frozen=True, eq=False)
class Noise:
    """Noise of a law that is known to lie in a range, and nothing else about it.

    If there is a ``point``, the noise is taken to be there.  Made by :func:`noise_in`; equal noises are one
    object.
    """

    law: Law
    low: Bound
    high: Bound
    point: int | Fraction | None = None

    @cached_property
    def mass(self) -> arb:
        """The probability of the range."""
        return mass(self.law, self.low, self.high)

    @cached_property
    def is_whole(self) -> bool:
        """Whether nothing is known of it."""
        return self.high == math.inf and self.low == self.law.low and self.point is None

    def ends(self) -> tuple[Bound, Bound]:
        """Between which values the noise is taken to be."""
        return (self.low, self.high) if self.point is None else (self.point, self.point)


@lru_cache(maxsize=1 << 18)
def noise_in(law: Law, low: Bound, high: Bound) -> Noise:
    """The noise of a law in a range."""
    return Noise(law, low, high)


@lru_cache(maxsize=1 << 16)
def pinned(law: Law, low: Bound, high: Bound) -> Noise:
    """The noise of a law in a range, taken to be in the middle of it (a scale behind its only end)."""
    point = _middle(low, high, Fraction(law.size()).limit_denominator(64))
    return Noise(law, low, high, math.floor(point) if law.is_integer else _simple(point))


def _middle(low: Bound, high: Bound, size: Fraction) -> Fraction:
    if isinstance(low, float):
        return Fraction(0) if isinstance(high, float) else high - size
    return low + size if isinstance(high, float) else Fraction(low + high) / 2


def mass(law: Law, low: Bound, high: Bound) -> arb:
    """The probability that noise lies in the range, enclosed."""
    step = 1 if law.is_integer else 0
    if low >= 0:
        return _one_side(law, low, high - low + step)
    if high <= -step:
        return _one_side(law, -high, high - low + step)
    return _one_side(law, step, -low) + _one_side(law, 0, high + step)


def _one_side(law: Law, near: Bound, width: Bound) -> arb:
    """The mass of a range at a distance from 0, of a width, on one side."""
    if width <= 0 or near == math.inf:
        return arb(0)
    if law.distribution == "gaussian":
        assert not isinstance(near, float)
        if law.is_integer:
            last = near + width - 1
            return _gaussian(law).integer(int(near), last if isinstance(last, float) else int(last))
        return _gaussian(law).real(near, near + width)
    share = arb(1) if width == math.inf else -_exponent(law, width).expm1()
    return _factor(law) * _exponent(law, near).exp() * share


def _exponent(law: Law, distance: Bound) -> arb:
    assert not isinstance(distance, float)
    if isinstance(law.scale, Fraction):
        return to_arb(-Fraction(distance) / law.scale)
    return -to_arb(distance) / law.scale.ball()


@lru_cache(maxsize=64)
def _gaussian(law: Law) -> Gaussian:
    return Gaussian(to_arb(law.scale))


@lru_cache(maxsize=1024)
def _factor(law: Law) -> arb:
    if law.distribution == "exponential":
        return arb(1)
    if law.distribution != "laplace":
        raise NotImplementedError(f"{law.distribution} noise has no law here")
    return 1 / (1 + _exponent(law, 1).exp()) if law.is_integer else arb(1) / 2


@dataclass(frozen=True, eq=False)
class Grid:
    """How finely noise is cut into cells where two samples have to be compared.

    So many cells per scale (integers: at least 1 wide) and four times wider ones far out, up to where
    the tail has mass ``tail``.  Up to ``doubts`` guesses about what cells leave open are told apart.  If
    ``points``, a cell stands for its middle: nothing is left open, and probabilities are only likely ones.

    With a ``width`` cells of reals are that wide, whatever the scale is, up to a distance of ``reach``: noise
    of a small scale is far from where it is likely wherever it costs something.  Noise drawn at sites in
    ``broad`` is only cut where it is unlikely to be beyond.  What cells leave open is not followed if only
    what is ``sure`` is asked for.
    """

    integers: int
    reals: int
    tail: float
    doubts: int = 1
    points: bool = False
    width: Fraction | None = None
    reach: int = 2
    broad: frozenset[int] = frozenset()
    sure: bool = False

    def coarser(self) -> Grid:
        """Cells for one more sample where others are points already: there are products of them."""
        return _COARSER if self.points and self.width is None else self


_COARSER = Grid(32, 1, 1e-4, points=True)
_BROAD = 2
"""Noise that is cut at two points only is cut between so many scales and twice as many away."""

_FAR = 8
"""So many scales away cells of reals are wider."""


@lru_cache(maxsize=1 << 16)
def cells(noise: Noise, grid: Grid) -> tuple[tuple[Bound, Bound], ...]:
    """The range cut at the points of the grid; one cell if it has none inside."""
    cuts = [cut for cut in _points(noise.law, grid) if noise.low < cut < noise.high or cut == noise.high]
    if noise.law.is_integer:
        return tuple(zip([noise.low, *cuts], [*(cut - 1 for cut in cuts), noise.high], strict=True))
    inner = [cut for cut in cuts if cut < noise.high]
    return tuple(zip([noise.low, *inner], [*inner, noise.high], strict=True))


@lru_cache(maxsize=1 << 10)
def _points(law: Law, grid: Grid) -> tuple[int | Fraction, ...]:
    """The points of the grid.  They are multiples of a power of 2, so that they fit to inputs on integers."""
    size = law.size()
    if law.site in grid.broad:
        end = _BROAD * Fraction(2) ** math.ceil(math.log2(size))
        return (-math.ceil(end), math.ceil(end)) if law.is_integer else (_simple(-end), _simple(end))
    if grid.width is not None and not law.is_integer:
        most = math.ceil(grid.reach / grid.width)
        if most == 0:
            return ()
        return tuple(_simple(step * grid.width) for step in range(-most, most + 1))
    exponent = math.floor(math.log2(size / (grid.integers if law.is_integer else grid.reals)))
    width = 2 ** max(exponent, 0) if law.is_integer else Fraction(2) ** exponent
    reach = -math.log(grid.tail)
    last = math.ceil(size * (math.sqrt(2 * reach) if law.distribution == "gaussian" else reach) / width)
    near = last if law.is_integer else math.ceil(_FAR * size / width)
    steps = [*range(min(near, last)), *range(near, last + 1, 4)]
    found = sorted({sign * step for step in steps for sign in (1, -1)})
    return tuple(_simple(step * width) for step in found)


def _simple(number: int | Fraction) -> int | Fraction:
    return int(number) if number.denominator == 1 else number
