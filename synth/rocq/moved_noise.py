"""Noise that steps draw around something else, or with another scale, than the program that a proof is about.

What it is drawn around there is added to it later here; where it is divided later there, it is drawn with the
quotient here.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from synth.rocq.statement import expression
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Noise:
    """The centres there and here, where they are not the same; what noise is divided by, if it is.

    In both programs noise is moved by as many of its scales.
    """

    centres: tuple[ir.Expression, ir.Expression] | None = None
    divisor: ir.Expression | None = None

    def moved(self, shift: str) -> str:
        """How far run 2's draw is moved here, where there it is ``shift``."""
        if self.centres is None:
            return shift
        there, here = (f"(eval m1 {expression(item)} - eval m2 {expression(item)})" for item in self.centres)
        if self.divisor is None:
            return f"{shift} + {there} - {here}"
        return f"({shift} + {there}) / eval m1 {expression(self.divisor)} - {here}"

    def apart(self, within: str) -> str:
        """How far noise is moved here at most, where there it is ``within``."""
        return within if self.divisor is None else f"{within} / eval m1 {expression(self.divisor)}"


def noise_as(there: ir.Draw, here: ir.Draw, known: Collection[str]) -> Noise:
    """The noise of two draws; only what is made of the ``known`` names has a form here."""
    centre, scale = there.arguments
    own_centre, own_scale = here.arguments
    divisor = _divisor(scale, own_scale)
    if centre == own_centre or (divisor is not None and own_centre != builders.zero(own_centre.sort)):
        return Noise()
    read = {item.name for item in ir.subexpressions(centre) if isinstance(item, ir.Variable)}
    return Noise((centre, own_centre), divisor) if read <= set(known) else Noise()


def _divisor(whole: ir.Expression, quotient: ir.Expression) -> ir.Expression | None:
    """By what ``whole`` is divided to get ``quotient``, if that can be read off."""
    match quotient, whole:
        case ir.Operation(operator=ir.Operator.DIVIDE, operands=(dividend, divisor)), _ if dividend == whole:
            return divisor
        case _, ir.Operation(operator=ir.Operator.MULTIPLY, operands=(factor, divisor)) if factor == quotient:
            return divisor
    return None
