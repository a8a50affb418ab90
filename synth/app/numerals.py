"""Exact numbers as people write them."""

from __future__ import annotations

import re
from fractions import Fraction

from synth.trusted.errors import UsageError

_DECIMAL = re.compile(r"[+-]?\d{1,60}(\.\d{1,60})?(e[+-]?\d{1,3})?", re.IGNORECASE)
_FRACTION = re.compile(r"([+-]?\d{1,60})/(\d{1,60})")
_POWER = re.compile(r"2(?:\^|\*\*)([+-]?\d{1,4})")


def read_number(text: str, option: str) -> Fraction:
    """A decimal number, a fraction like 1/8, or a power like 2^-53.  Raises UsageError."""
    plain = text.strip()
    power, fraction = _POWER.fullmatch(plain), _FRACTION.fullmatch(plain)
    if power is not None:
        return Fraction(2) ** int(power[1])
    if fraction is not None and int(fraction[2]) != 0:
        return Fraction(int(fraction[1]), int(fraction[2]))
    if _DECIMAL.fullmatch(plain) is None:
        raise UsageError(f"{option}: '{text}' is no number like 0.125, 1/8, 1e-9 or 2^-53")
    return Fraction(plain)
