"""What it costs that the two runs draw one value with different chances.

Coupled by equality, a value that run 1 draws with probability p and run 2 with q costs log(p/q)
(Barthe et al. 2016, § 4: the pointwise case of [Samp]).  Here the chances of an outcome are one of a
few public expressions each; every pair of them has its cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import factorial, floor

from synth.bounds.logarithms import ZERO_COST, exponent_of, is_logarithm, logarithm_of_ratio, loss
from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, opaque_parts, rational
from synth.prover.costs.private_reals import Grounds, Price, PrivateReals
from synth.prover.costs.ranges import NO_RANGES, Ranges
from synth.trusted.normal_form.decision_trees import ONE, ZERO, Intractable, fork
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import is_made_of

AtMost = Callable[[Rational, Rational, Mapping[str, ir.Expression]], bool]

_ONE = Rational.number(1)
_MAX_NUMBER, _TERMS, _DIGITS = 8, 40, 10**6
"""The first terms of the series of an exponential, of which all are positive, rounded down."""


@dataclass(frozen=True)
class RatioTable:
    """Costs of the pairs (outcome of run 1, outcome of run 2) of one draw, in nats.

    A pair is missing where no bound is known, also where run 2 can't draw the value: it must not
    occur.  ``changing`` are the outcomes whose chance is no function of the public parameters; the
    runs must agree on it, or pay where run 1's is larger: ``factors`` has how many times as large it may be
    for the cost, or ``grounds`` of what it follows that the cost is enough.  ``outcomes`` is how many there
    are; the number after the last stands for "none of them".
    """

    outcomes: int
    costs: Mapping[tuple[int, int], ir.Expression]
    changing: frozenset[int]
    factors: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    grounds: Mapping[tuple[int, int], Grounds] = field(default_factory=dict)

    def number(self, left: int, right: int) -> int:
        """The number of a pair."""
        return left * (self.outcomes + 1) + right

    def pair(self, number: int) -> tuple[int, int]:
        """The pair of a number."""
        return divmod(number, self.outcomes + 1)

    def cost(self, number: int) -> ir.Expression:
        """The cost of the pair of a number.  Raises KeyError."""
        return self.costs[self.pair(number)]


@dataclass(frozen=True)
class Pricing:
    """Finds costs; ``at_most`` says whether one public number is shown to be at most another.

    ``ranges`` are those of chances that are private, which ``reals`` compares where they are no sums of
    private data with numbers as factors.  ``likely`` are costs to try where a ratio is no number, nor its
    logarithm one without logarithms.
    """

    scales: Scales
    at_most: AtMost
    ranges: Ranges = NO_RANGES
    likely: tuple[ir.Expression, ...] = ()
    reals: PrivateReals | None = None
    known: dict[tuple[Rational, Rational], ir.Expression | None] = field(default_factory=dict)

    def ratios(self, choice: ir.Choose, law: ir.Chances) -> RatioTable:
        """The costs of all pairs of outcomes."""
        chances = [self._public(value, choice) for _, value in law.outcomes]
        shared = [self._shared(condition, choice) for condition, _ in law.outcomes]
        costs: dict[tuple[int, int], ir.Expression] = {}
        factors: dict[tuple[int, int], Fraction] = {}
        prices: dict[tuple[int, int], Price] = {}
        for i, first in enumerate(chances):
            for j, second in enumerate(chances):
                if exclude(shared[i], shared[j]):
                    continue
                cost = ZERO_COST if i == j else self._cost(first, second)
                private = self._private(law, i, j) if first is None or second is None else None
                if isinstance(private, Price):
                    costs[i, j], prices[i, j] = private.cost, private
                elif private is not None:
                    costs[i, j], factors[i, j] = private
                elif cost is not None:
                    costs[i, j] = cost
        changing = frozenset(place for place, value in enumerate(chances) if value is None)
        whole = None if self.reals is None else self.reals.in_common(tuple(prices.values()))
        costs |= {} if whole is None else dict.fromkeys(prices, whole)
        grounds = {pair: item.grounds for pair, item in prices.items()}
        return RatioTable(len(chances), self._shared_out(costs, chances), changing, factors, grounds)

    def _shared_out(
        self, costs: Mapping[tuple[int, int], ir.Expression], chances: Sequence[ir.Expression | None]
    ) -> dict[tuple[int, int], ir.Expression]:
        """The costs, where two pairs may together cost what is claimed, or the exponent that they come to.

        So it is with optimized unary encoding: one bit is less likely to be set, another to stay unset.
        """
        pairs: dict[Rational, list[tuple[int, int]]] = {}
        opaque: dict[str, ir.Expression] = {}
        for (i, j), cost in costs.items():
            first, second = chances[i], chances[j]
            if first is None or second is None or rational(second).is_zero():
                continue
            if cost in self.likely or is_logarithm(cost):
                pairs.setdefault(rational(first) / rational(second), []).append((i, j))
                opaque |= {**opaque_parts(first), **opaque_parts(second)}
        for one, other in permutations(pairs, 2):
            first, second = (chances[place] for place in pairs[one][0])
            assert first is not None and second is not None
            share = logarithm_of_ratio(first, second)
            exact = exponent_of(one * other, opaque)
            for whole in self.likely if exact is None else (exact,):
                if self._is_enough(one * other, share, whole, opaque):
                    rest = builders.subtract(whole, share)
                    return {**costs, **dict.fromkeys(pairs[one], share), **dict.fromkeys(pairs[other], rest)}
        return dict(costs)

    def _is_enough(
        self,
        ratio: Rational,
        share: ir.Expression,
        whole: ir.Expression,
        opaque: Mapping[str, ir.Expression],
    ) -> bool:
        """Whether the whole pays for a ratio, and for the share."""
        power = _power(whole)
        known = {**opaque, **opaque_parts(power), **opaque_parts(whole), **opaque_parts(share)}
        return self.at_most(ratio, rational(power), known) and self.at_most(
            rational(share), rational(whole), known
        )

    def _private(self, law: ir.Chances, i: int, j: int) -> tuple[ir.Expression, Fraction] | Price | None:
        """What a pair with private chances costs, and how much larger run 1's may be: by their ranges, or as
        much as the claim pays for; or what it costs by what is known of them over the reals.
        """
        first, second = (law.outcomes[place][1] for place in (i, j))
        (_, high), (low, _) = self.ranges.of(first), self.ranges.of(second)
        claims = [(cost, factor) for cost in self.likely if (factor := _factor(cost)) is not None]
        if high is not None and low is not None and low > 0:
            ratio = high / low
            if ratio > 1 and all(ratio <= factor for _, factor in claims):
                whole = ir.Constant(ratio, ir.Sort.REAL)
                return ir.Operation(ir.Operator.LOGARITHM, (whole,), ir.Sort.REAL), ratio
        price = None if self.reals is None else self.reals.price(first, second, self.likely)
        if price is not None:
            return price
        return min(claims, key=lambda item: item[1], default=None)

    def _shared(self, condition: ir.Expression, choice: ir.Choose) -> ir.Expression:
        """What the condition says of the value and the public parameters alone: it holds in both runs."""
        known = self.scales.public | {choice.index}
        return builders.both(*(item for item in builders.conjuncts(condition) if is_made_of(item, known)))

    def _public(self, value: ir.Expression, choice: ir.Choose) -> ir.Expression | None:
        try:
            return self.scales.resolve(value, choice.span)
        except NotConstant:
            return None

    def _cost(self, first: ir.Expression | None, second: ir.Expression | None) -> ir.Expression | None:
        if first is None or second is None or rational(second).is_zero():
            return None
        pair = rational(first), rational(second)
        if pair not in self.known:
            self.known[pair] = self._logarithm(pair[0] / pair[1], first, second)
        return self.known[pair]

    def _logarithm(
        self, ratio: Rational, first: ir.Expression, second: ir.Expression
    ) -> ir.Expression | None:
        """An upper bound of the ratio's logarithm, the exact one if it is not negative."""
        opaque = {**opaque_parts(first), **opaque_parts(second)}
        if ratio.is_zero():
            return ZERO_COST
        exact = loss(first, second)
        if not is_logarithm(exact):
            value, parts = rational(exact), opaque_parts(exact)
            return ZERO_COST if self.at_most(value, Rational.number(0), parts) else exact
        if self.at_most(ratio, _ONE, opaque):
            return ZERO_COST
        for cost in self.likely if ratio.constant_value() is None else ():
            power = _power(cost)
            if self.at_most(ratio, rational(power), {**opaque, **opaque_parts(power)}):
                return cost
        if not self.at_most(_ONE, ratio, opaque):
            return None
        return exact


def _power(cost: ir.Expression) -> ir.Expression:
    """The number e to the power of a cost."""
    if is_logarithm(cost):
        return ir.children(cost)[0]
    return ir.Operation(ir.Operator.EXPONENTIAL, (cost,), ir.Sort.REAL)


def _factor(cost: ir.Expression) -> Fraction | None:
    """A number that is at most e to the power of a cost, and close to it; None if the cost is no number."""
    if is_logarithm(cost):
        value = rational(ir.children(cost)[0]).constant_value()
        return value if value is not None and value > 1 else None
    value = rational(cost).constant_value()
    if value is None or not 0 < value < _MAX_NUMBER:
        return None
    series = sum((value**place / factorial(place) for place in range(_TERMS)), Fraction(0))
    return Fraction(floor(series * _DIGITS), _DIGITS)


def exclude(first: ir.Expression, second: ir.Expression) -> bool:
    """Whether two conditions are seen to contradict each other."""
    try:
        return fork(builders.both(first, second), ONE, ZERO) == ZERO
    except Intractable:
        return False
