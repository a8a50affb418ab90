"""What a sample costs, where each record is taken with one chance (Li, Qardaji & Su 2012)."""

from __future__ import annotations

from synth.bounds.logarithms import is_logarithm, loss
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

_ONE = builders.convert(builders.ONE, ir.Sort.REAL)


def epsilon_of_sample(every: ir.Expression, chance: ir.Expression) -> ir.Expression:
    """Return log(1 + p·(exp(ε) − 1)), in nats: the ε of a sample, where all records cost ``every``."""
    return loss(builders.add(_ONE, _times(chance, _gain(every))), _ONE)


def epsilon_of_every_record(sample: ir.Expression, chance: ir.Expression) -> ir.Expression:
    """Return log(1 + (exp(ε) − 1)/p), in nats: what all records may cost for a sample to cost ``sample``."""
    return loss(builders.add(_ONE, builders.divide(_gain(sample), chance)), _ONE)


def delta_of_sample(every: ir.Expression, chance: ir.Expression) -> ir.Expression:
    """Return p·δ."""
    return _times(chance, every)


def _gain(epsilon: ir.Expression) -> ir.Expression:
    """exp(ε) − 1."""
    if is_logarithm(epsilon):
        assert isinstance(epsilon, ir.Operation)
        return builders.subtract(epsilon.operands[0], _ONE)
    return builders.subtract(ir.Operation(ir.Operator.EXPONENTIAL, (epsilon,), ir.Sort.REAL), _ONE)


def _times(one: ir.Expression, other: ir.Expression) -> ir.Expression:
    return builders.arithmetic(ir.Operator.MULTIPLY, one, other)
