"""Bounds of GDP and zCDP, from the sum of squares that a proof is about."""

from __future__ import annotations

from collections.abc import Iterator

from synth.bounds.rational import Rational
from synth.trusted.program import syntax as ir


def divergence_bounds(notion: ir.Notion, square: Rational) -> Iterator[str]:
    """What claims may say of squares that sum up to that, the simplest first."""
    if notion is ir.Notion.ZCDP:
        yield str(square / Rational.number(2))
        return
    outside, inside = square.square_root()
    if inside.constant_value() == 1:
        yield str(outside)
    elif outside.constant_value() != 1:
        yield str(outside * Rational.variable(f"sqrt({inside})"))
    yield f"sqrt({square})"
