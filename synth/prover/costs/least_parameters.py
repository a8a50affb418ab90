"""Lower bounds that ``requires`` states, in the place of parameters: the least noise that there may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

from synth.bounds.rational import Rational
from synth.bounds.scales import opaque_parts, rational, square, square_parts
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

_MAX_CHOICES = 3
_COMPARISONS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL)


@dataclass(frozen=True)
class Least:
    """Of some parameters how large their squares are at the least; ``opaque_definitions`` are parts of that.

    Signs of coefficients are guessed to be those of positive parameters: a proof shows what it rests on.
    """

    squares: Mapping[str, Rational]
    opaque_definitions: Mapping[str, ir.Expression]

    def enlarged(self, loss: Rational) -> Rational:
        """A loss that falls with these parameters, at their bounds; these may speak of others in turn."""
        for _ in self.squares:
            loss = loss.with_squares(self.squares)
        return loss


def least_parameters(mechanism: ir.Mechanism) -> Iterator[Least]:
    """Give the ways to put lower bounds in the place of parameters that the claim doesn't mention."""
    claimed = [item for item in (mechanism.epsilon, mechanism.delta) if item is not None]
    kept = frozenset[str]().union(*map(names, claimed))
    stated: dict[str, list[Rational]] = {}
    meant: dict[str, ir.Expression] = {}
    for condition in builders.conjuncts(mechanism.requires):
        match condition:
            case ir.Operation(operator, (low, high)) if operator in _COMPARISONS:
                parts = {**opaque_parts(low), **opaque_parts(high)}
                meant |= {**parts, **square_parts(parts)}
                for name, bound in _squares(rational(high) - rational(low), parts):
                    if name not in kept:
                        stated.setdefault(name, []).append(bound)
    for bounds in islice(product(*stated.values()), _MAX_CHOICES if stated else 0):
        yield Least(dict(zip(stated, bounds, strict=True)), meant)


def _squares(apart: Rational, parts: Mapping[str, ir.Expression]) -> Iterator[tuple[str, Rational]]:
    """What squares of single variables are at least where a function, c·v − b or c·v² − b, is at least 0."""
    for name in sorted(apart.variables()):
        if not isinstance(parts[name], ir.Variable):
            continue
        powers = apart.coefficients(name)
        degree = max(powers)
        if powers.keys() != {0, degree} or degree > 2:
            continue
        bound = -powers[0] / powers[degree]
        if _may_be_positive(powers[degree]) and _may_be_positive(bound):
            yield name, bound if degree == 2 else square(bound, parts)


def _may_be_positive(item: Rational) -> bool:
    """Whether it is positive at parameters of which each is 1."""
    try:
        return item.value(dict.fromkeys(item.names, Fraction(1))) > 0
    except ZeroDivisionError:
        return False
