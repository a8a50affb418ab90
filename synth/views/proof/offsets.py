"""Shifts and their costs as text: ``1``, ``q[i]⟨2⟩ - q[i]⟨1⟩``, ``threshold⟨2⟩ - threshold⟨1⟩ + 1``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from synth.prover.product.strategy import Offset
from synth.trusted.program import syntax as ir
from synth.views.proof.names import SIDES, Names

Part = tuple[Fraction | int, str]


@dataclass(frozen=True)
class Offsets:
    """Writes shifts; ``private`` are the variables that may differ between the runs."""

    names: Names
    private: frozenset[str]

    def shift(self, offset: Offset, center: ir.Expression) -> str:
        """The k of run 2's draw = run 1's draw + k."""
        parts = self._difference(1, center) if offset.null else []
        return _sum(parts + self._rest(offset))

    def distance(self, offset: Offset, center: ir.Expression) -> str:
        """By how much the noise itself is moved: k less the difference of the centres."""
        parts = [] if offset.null else self._difference(-1, center)
        parts = self._rest(offset) + parts
        if parts and parts[0][0] < 0:
            parts = [(-factor, text) for factor, text in parts]
        return f"abs({_sum(parts)})"

    def _rest(self, offset: Offset) -> list[Part]:
        parts: list[Part] = []
        for sign, expression in offset.differences:
            parts += self._difference(sign, expression)
        parts += [(sign, f"{name}.change") for sign, name in offset.changes]
        for factor, unit in offset.units:
            value, text = self._unit(unit)
            parts.append((factor * value, text))
        return parts

    def _unit(self, unit: ir.Expression) -> Part:
        if isinstance(unit, ir.Constant):
            return Fraction(unit.value), ""
        written = self.names.expression(unit)
        return Fraction(1), f"({written})" if " " in written else written

    def _difference(self, sign: Fraction | int, expression: ir.Expression) -> list[Part]:
        """sign·(x⟨2⟩ - x⟨1⟩), term by term; nothing for terms on which the runs agree."""
        factor = Fraction(sign)
        match expression:
            case ir.Operation(ir.Operator.TO_REAL, (inner,)):
                return self._difference(factor, inner)
            case ir.Operation(ir.Operator.NEGATE, (inner,)):
                return self._difference(-factor, inner)
            case ir.Operation(ir.Operator.ADD, operands):
                return [part for item in operands for part in self._difference(factor, item)]
            case ir.Operation(ir.Operator.SUBTRACT, (first, second)):
                return self._difference(factor, first) + self._difference(-factor, second)
            case ir.Operation(ir.Operator.MULTIPLY, (ir.Constant(value=value), inner)) | ir.Operation(
                ir.Operator.MULTIPLY, (inner, ir.Constant(value=value))
            ):
                return self._difference(factor * Fraction(value), inner)
        left, right = (self.names.one_sided(expression, side, self.private) for side in SIDES)
        if left == right:
            return []
        if isinstance(expression, ir.Operation) and " " in left:
            left, right = f"({left})", f"({right})"
        return [(factor, right), (-factor, left)]


def _sum(parts: list[Part]) -> str:
    """The parts with their signs; one that is added comes first, if there is one."""
    written = ""
    first = next((part for part in parts if part[0] > 0), None)
    for factor, text in sorted(parts, key=lambda part: part is not first):
        if not factor:
            continue
        size = text if abs(factor) == 1 and text else f"{abs(factor)}{'*' if text else ''}{text}"
        if written:
            written += f" {'-' if factor < 0 else '+'} {size}"
        else:
            written = f"-{size}" if factor < 0 else size
    return written or "0"
