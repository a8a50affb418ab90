"""The laws of draws by name, and what must hold where a draw is made, so that its law is one."""

from __future__ import annotations

from fractions import Fraction

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

NOISES = ("laplace", "exponential", "gaussian")
"""Noise around a centre, on the reals or the integers."""

MIXTURE = "mixture"
"""What a draw is called that stands for several."""

FINITE = ("bernoulli", "randomized_response", "uniform_int", "choice", "exponential_mechanism", MIXTURE)
"""Draws of finitely many values."""

_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


def bernoulli(index: ir.Variable, p: ir.Expression) -> ir.Chances:
    """True with probability ``p``."""
    return ir.Chances(((index, p), (builders.negate(index), builders.subtract(_ONE, p))))


def randomized_response(index: ir.Variable, bit: ir.Expression, epsilon: ir.Expression) -> ir.Chances:
    """The bit with probability exp(``epsilon``) / (1 + exp(``epsilon``)), else its negation."""
    odds = ir.Operation(ir.Operator.EXPONENTIAL, (epsilon,), ir.Sort.REAL)
    total = builders.add(_ONE, odds)
    kept = builders.equal(index, bit)
    return ir.Chances(
        ((kept, builders.divide(odds, total)), (builders.negate(kept), builders.divide(_ONE, total)))
    )


def uniform_int(index: ir.Variable, low: ir.Expression, high: ir.Expression) -> ir.Chances:
    """The integers from ``low`` to ``high``, all with the same probability."""
    size = builders.convert(builders.add(builders.subtract(high, low), builders.ONE), ir.Sort.REAL)
    inside = builders.both(builders.less_equal(low, index), builders.less_equal(index, high))
    return ir.Chances(((inside, builders.divide(_ONE, size)),))


def arguments_of(choice: ir.Choose) -> tuple[str, tuple[ir.Expression, ...]] | None:
    """The name and the arguments of which one of the functions above makes just this law, if one does."""
    index = ir.Variable(choice.index, choice.sort)
    match choice.law:
        case ir.Chances(((kept, ir.Operation(operands=(ir.Operation(operands=(epsilon,)), _))), _)) if (
            isinstance(kept, ir.Operation) and kept.operator is ir.Operator.EQUAL
        ):
            bit = kept.operands[1]
            made = randomized_response(index, bit, epsilon)
            return ("randomized_response", (bit, epsilon)) if choice.law == made else None
        case ir.Chances(((_, p), _)):
            return ("bernoulli", (p,)) if choice.law == bernoulli(index, p) else None
        case ir.Chances(
            ((ir.Operation(operands=(ir.Operation(operands=(low, _)), ir.Operation(operands=(_, high)))), _),)
        ):
            return ("uniform_int", (low, high)) if choice.law == uniform_int(index, low, high) else None
    return None


def demand(draw: ir.Draw | ir.Choose) -> ir.Expression | None:
    """What must hold where a draw is made so that its law is one.

    None if no condition is known: these chances must be shown to sum up to 1 by other means.
    """
    zero = builders.zero(ir.Sort.REAL)
    match draw:
        case ir.Draw(arguments=(_, scale)):
            return builders.less(zero, scale)
        case ir.Choose(law=ir.Weights(count=count)):
            return builders.less_equal(builders.ONE, count)
        case ir.Choose():
            match arguments_of(draw):
                case "bernoulli", (p,):
                    return builders.both(builders.less_equal(zero, p), builders.less_equal(p, _ONE))
                case "uniform_int", (low, high):
                    return builders.less_equal(low, high)
                case "randomized_response", _:
                    return builders.TRUE
    return None
