"""Weights of a draw by the exponential mechanism's law, as a program states them."""

from __future__ import annotations

from synth.trusted.program.syntax import Constant, Expression, Operation, Operator, Weights


def weighed(law: Weights) -> Expression | None:
    """The weights that the program gives the logarithms of; None if it gives no logarithms."""
    match law:
        case Weights(
            score=Operation(operator=Operator.LOGARITHM, operands=(weight,)), rate=Constant(value=1)
        ):
            return weight
        case _:
            return None
