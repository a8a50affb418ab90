"""How a mechanism is implemented: its number format, range and grid, and the errors that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from flint import arb

from synth.precision.enclosures import ball
from synth.trusted.errors import UsageError

MAX_BITS = 1024


class Kind(Enum):
    """Floating point with p significant bits, or fixed point with d fractional bits."""

    FLOAT = "float"
    FIXED = "fixed"


_NAMED = {"float64": 53, "float32": 24}


@dataclass(frozen=True)
class Format:
    """A number format; ``bits`` is p of floating point (53 for float64), d of fixed point."""

    kind: Kind
    bits: int

    @staticmethod
    def read(text: str) -> Format:
        """``float64``, ``float32`` or ``fixed:D``.  Raises UsageError."""
        if text in _NAMED:
            return Format(Kind.FLOAT, _NAMED[text])
        name, _, bits = text.partition(":")
        if name != Kind.FIXED.value or not (bits.isascii() and bits.isdigit() and len(bits) < 6):
            raise UsageError(f"'{text}' is no number format; there are float64, float32 and fixed:D")
        return Format(Kind.FIXED, int(bits)).checked()

    def checked(self) -> Format:
        """The format, with as many bits as can be computed with.  Raises UsageError."""
        if not 1 <= self.bits <= MAX_BITS:
            raise UsageError(f"{self.bits} bits: there must be 1 to {MAX_BITS}")
        return self

    @property
    def name(self) -> str:
        """As the command line writes it."""
        for name, bits in _NAMED.items():
            if self == Format(Kind.FLOAT, bits):
                return name
        return f"{self.kind.value}:{self.bits}"

    @property
    def unit(self) -> Fraction:
        """2^-bits: fixed point's step; floating point's largest relative error of one operation."""
        return Fraction(1, 2**self.bits)

    def with_bits(self, bits: int) -> Format:
        """The same kind of format with other bits.  Raises UsageError."""
        return replace(self, bits=bits).checked()


@dataclass(frozen=True)
class Implementation:
    """What Gazeau et al. 2013, § 4, ask for, in the unit of the released value (δ0: a probability).

    Results outside ``low``..``high`` (M_r; in the plane its square) become ∞, the rest is rounded to cells
    of width ``cell`` (L; None for no rounding).  ``bias`` is δ0 and ``noise_error`` δn; None stands for
    what follows from the format.  ``log_error`` is that of the logarithm, in units in the last place;
    ``query_error`` bounds |f - f'| (their Remark 1).
    """

    format: Format
    low: Fraction
    high: Fraction
    cell: Fraction | None
    bias: Fraction | None = None
    noise_error: Fraction | None = None
    log_error: Fraction = Fraction(1)
    query_error: Fraction = Fraction(0)
    planar: bool = False

    def checked(self) -> Implementation:
        """The same, if it makes sense.  Raises UsageError."""
        if not self.low < self.high:
            raise UsageError(f"the range {self.low}..{self.high} is empty")
        if self.cell is not None and self.cell <= 0:
            raise UsageError(f"the grid {self.cell} must be positive")
        if min(self.noise_error or 0, self.log_error, self.query_error) < 0:
            raise UsageError("an error can't be negative")
        if self.generator_bias < self.least_bias:
            raise UsageError(
                f"no generator of {self.format.name} numbers has a bias below 2^-{self.format.bits + 1}: "
                "it would have to give numbers between those that there are"
            )
        if self.generator_bias >= 1:
            raise UsageError("the bias of the generator must be less than 1")
        if self.planar and self.noise_error is None:
            message = "the error of planar noise can't be derived: state it (--noise-error, noise_error=)"
            raise UsageError(message)
        return self

    @property
    def generator_bias(self) -> Fraction:
        """δ0: as stated, or the spacing of the uniform numbers."""
        return self.format.unit if self.bias is None else self.bias

    @property
    def least_bias(self) -> Fraction:
        """Half the spacing of the format's numbers below 1: some u is so far from each of them."""
        return self.format.unit / 2

    @property
    def width(self) -> Fraction:
        """The side of M_r."""
        return self.high - self.low

    def diameter(self) -> arb:
        """The Euclidean diameter of M_r."""
        return ball(self.width) * _diagonal(self.planar)

    def cell_diameter(self) -> arb:
        """L of Thm. 4.5: the Euclidean diameter of a cell."""
        assert self.cell is not None
        return ball(self.cell) * _diagonal(self.planar)

    def noise_function_error(self, scale: Fraction, radius: arb) -> arb:
        """|n - n'| where |n| ≤ radius, of b·ln(1 - 2|u - 1/2|) computed in the format.

        u - 1/2 and 1 - 2|u - 1/2| are exact, as u is a multiple of 2^-bits.  What is left are the errors of
        b, of the logarithm, and of their product.
        """
        if self.noise_error is not None:
            return ball(self.noise_error)
        unit, log = ball(self.format.unit), ball(self.log_error)
        if self.format.kind is Kind.FLOAT:
            return radius * ((1 + unit) ** 2 * (1 + 2 * unit * log) - 1)
        size = ball(scale)
        return (size + unit / 2) * log * unit + unit / 2 * radius / size + unit / 2

    def sum_error(self, radius: arb, noise_error: arb) -> arb:
        """The rounding of f'(D) + n', where f'(D) is in M_r and |n| ≤ radius; fixed point adds exactly."""
        if self.format.kind is Kind.FIXED:
            return arb(0)
        farthest = ball(max(abs(self.low), abs(self.high))) * _diagonal(self.planar)
        return ball(self.format.unit) * (farthest + radius + noise_error)


def _diagonal(planar: bool) -> arb:
    return arb(2).sqrt() if planar else arb(1)
