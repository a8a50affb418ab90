"""Weights of a draw by the exponential mechanism's law, as a program states them."""

from __future__ import annotations

from synth.trusted.program import syntax as ir


def weighed(law: ir.Weights) -> ir.Expression | None:
    """The weights that the program gives the logarithms of; None if it gives no logarithms."""
    match law:
        case ir.Weights(
            score=ir.Operation(operator=ir.Operator.LOGARITHM, operands=(weight,)), rate=ir.Constant(value=1)
        ):
            return weight
        case _:
            return None
