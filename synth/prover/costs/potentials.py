"""Prices that depend on what a loop counts, and potentials that bound their sum.

A potential is a function g of the counter that does not fall.  An iteration i pays at most
weight·(g(i + 1) − g(i)), so all together pay at most weight·(top − g(0)), where top is the most that g
reaches: the Σ ε_k of [While] (Barthe et al. 2016, Fig. 2), for the vertex cover of CertiPriv (§ 6.4)
Σ 1/√i ≤ 2√n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isqrt

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, rational
from synth.prover.costs.progressions import Counting, Progression, progressions
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.substitution import mapped, replaced

_HALF = ir.Constant(Fraction(1, 2), ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
_MAX_REPEATED = 16
_ZERO = builders.zero(ir.Sort.REAL)


@dataclass(frozen=True)
class Indexed:
    """What a site costs, in nats (noise: per unit of distance), as a function of what a loop goes through.

    ``price`` is over public parameters and the variable of the ``progression``.  ``alone`` says that the loop
    is inside of no other, and has none inside that draws; ``shown`` is the price in the program's own words.
    """

    loop: int
    progression: Progression
    price: ir.Expression
    alone: bool
    shown: ir.Expression

    @property
    def variable(self) -> ir.Variable:
        """What the price depends on."""
        return self.progression.variable

    @property
    def counts(self) -> bool:
        """Whether that is the loop's counter."""
        return isinstance(self.progression, Counting)

    def at(self, value: ir.Expression) -> ir.Expression:
        """The price at one value."""
        return simplified(replaced(self.price, {self.variable.name: value}))

    def ends(self) -> tuple[ir.Expression, ...]:
        """The prices at the first value and at the last one."""
        return tuple(map(self.at, self.progression.ends()))


def indexed_price(
    scales: Scales, price: ir.Expression, site: ir.Draw | ir.Choose, loops: Mapping[int, tuple[int, ...]]
) -> Indexed | None:
    """The price at a site as a function of what a loop around it goes through; None if it is none.

    ``loops`` gives the loops around each site, outermost first.
    """
    numbered = {item.loop: item for item in ir.statements(scales.mechanism.body) if isinstance(item, ir.Loop)}
    for number in reversed(loops[site.site]):
        for progression in progressions(scales, site, numbered[number]):
            try:
                resolved = scales.resolve(price, site.span, progression.variable.name)
            except NotConstant:
                continue
            if _is_budget(resolved, progression):
                continue
            alone = all(around == (number,) for around in loops.values() if number in around)
            return Indexed(number, progression, simplified(resolved), alone, simplified(price))
    return None


def _is_budget(price: ir.Expression, progression: Progression) -> bool:
    """Whether the price is a part of what the variable is; then costs are summed up without a potential."""
    if isinstance(progression, Counting):
        return False
    name = progression.variable.name
    return name not in (rational(price) / Rational.variable(name)).variables()


def rate_of_noise(draw: ir.Draw) -> ir.Expression:
    """What a unit of distance costs, in nats."""
    return builders.divide(_ONE, draw.arguments[1])


class Family(Enum):
    """Potentials g(i) for i = 0, …, N: −√(N − i), √i, (1 + log(i))/(1 + log(N)), −1/(i + 1/2),
    −1/(i + 1), and the price itself, −ε_i.

    The last one is for prices that fall at least as a geometric series does.
    """

    FALLING_ROOT = "falling root"
    RISING_ROOT = "rising root"
    LOGARITHM = "logarithm"
    RECIPROCAL = "reciprocal"
    TELESCOPE = "telescope"
    PRICE = "price"


_RISING = (Family.RISING_ROOT, Family.LOGARITHM)
"""Those that start at 0."""


@dataclass(frozen=True)
class Potential:
    """One of the family for a price that depends on a loop's counter; ``runs`` says that it does run."""

    family: Family
    indexed: Indexed
    runs: bool

    @property
    def progression(self) -> Progression:
        """What the price depends on."""
        return self.indexed.progression

    @property
    def variable(self) -> ir.Variable:
        """The variable that goes through it."""
        return self.indexed.variable

    @property
    def count(self) -> ir.Expression:
        """The number of iterations at the most."""
        assert isinstance(self.progression, Counting)
        return self.progression.count

    def whole(self) -> ir.Expression:
        """1 + log(N), and 1 where no iteration is."""
        some = builders.less_equal(builders.ONE, self.count)
        return builders.choose(builders.TRUE if self.runs else some, _one_and_log(self.count), _ONE)

    def at(self, index: ir.Expression) -> ir.Expression:
        """g(index), a real."""
        match self.family:
            case Family.FALLING_ROOT:
                return builders.opposite(_root(builders.subtract(self.count, index)))
            case Family.RISING_ROOT:
                return _root(index)
            case Family.LOGARITHM:
                part = builders.divide(_one_and_log(index), self.whole())
                return builders.choose(builders.less_equal(builders.ONE, index), part, _ZERO)
            case Family.RECIPROCAL | Family.TELESCOPE:
                offset = _HALF if self.family is Family.RECIPROCAL else _ONE
                middle = builders.add(builders.convert(index, ir.Sort.REAL), offset)
                return builders.opposite(ir.Operation(ir.Operator.DIVIDE, (_ONE, middle), ir.Sort.REAL))
            case Family.PRICE:
                return builders.opposite(self.indexed.at(index))

    def step(self) -> ir.Expression:
        """g(i + 1) − g(i), where noise is drawn."""
        before, after = map(self.at, self.progression.around_draw())
        return ir.Operation(ir.Operator.SUBTRACT, (after, before), ir.Sort.REAL)

    def grew(self) -> ir.Expression:
        """g(i - 1) <= g(i), at the variable."""
        return builders.less_equal(self.at(self.progression.before(self.variable)), self.at(self.variable))

    def accumulated(self) -> ir.Expression:
        """What all steps before the variable's value come to."""
        return builders.subtract(self.at(self.variable), self._start())

    def started(self) -> ir.Expression:
        """g(0) <= g(i), at the variable."""
        return builders.less_equal(_ZERO, self.accumulated())

    def limits(self) -> tuple[ir.Expression, ...]:
        """g(i) <= top, and g(i + 1) <= top where there is a next iteration; where signs don't say so."""
        if self.family not in _RISING:
            return ()
        after = self.progression.after(self.variable)
        ends = builders.negate(builders.less_equal(after, self.count))
        here, there = (builders.less_equal(self.at(index), self.top()) for index in (self.variable, after))
        return here, builders.either(ends, there)

    def top(self) -> ir.Expression:
        """The most that g reaches."""
        match self.family:
            case Family.RISING_ROOT:
                return _root(self.count)
            case Family.LOGARITHM:
                return _ONE
            case _:
                return _ZERO

    def bound(self) -> ir.Expression:
        """What all steps come to at the most, in units of the weight."""
        return builders.subtract(self.top(), self._start())

    def _start(self) -> ir.Expression:
        """g(0)."""
        return _ZERO if self.family in _RISING else self.at(self.progression.start)

    def slowness(self) -> ir.Expression:
        """About 1 / (g(i + 1) − g(i)), so that price·slowness is about the weight that pays for the price."""
        if self.family is Family.PRICE:
            return builders.divide(_ONE, self.step())
        index = self.variable
        after = builders.convert(builders.add(index, builders.ONE), ir.Sort.REAL)
        match self.family:
            case Family.FALLING_ROOT:
                return _twice(_root(builders.subtract(self.count, index)))
            case Family.RISING_ROOT:
                return _twice(_root(builders.add(index, builders.ONE)))
            case Family.LOGARITHM:
                return builders.arithmetic(ir.Operator.MULTIPLY, after, self.whole())
            case Family.RECIPROCAL:
                return builders.arithmetic(ir.Operator.MULTIPLY, after, after)
            case Family.TELESCOPE:
                return builders.arithmetic(ir.Operator.MULTIPLY, after, builders.add(after, _ONE))


@dataclass(frozen=True)
class PotentialCost:
    """The payments of one site by a potential: one unit of the ghost costs ``weight`` nats."""

    indexed: Indexed
    potential: Potential
    weight: ir.Expression


def potential_costs(indexed: Indexed, holds: Callable[[ir.Expression], bool]) -> Iterator[PotentialCost]:
    """Potentials with weights that may pay for one unit of distance; not yet known to.

    ``holds`` says what is known of the public parameters.
    """
    if not indexed.alone:
        return
    families = tuple(Family) if indexed.counts else (Family.PRICE,)
    progression = indexed.progression
    runs = isinstance(progression, Counting) and holds(builders.less_equal(builders.ONE, progression.count))
    for family in families:
        potential = Potential(family, indexed, runs)
        product = builders.arithmetic(ir.Operator.MULTIPLY, indexed.price, potential.slowness())
        for value in indexed.progression.ends():
            weight = simplified(replaced(product, {indexed.variable.name: value}))
            if _is_defined(weight) and not (family is Family.PRICE and _knows_count(weight, progression)):
                yield PotentialCost(indexed, potential, weight)


def _knows_count(weight: ir.Expression, progression: Progression) -> bool:
    """Whether a weight depends on the number of iterations: prices then fall more slowly than a series."""
    return isinstance(progression, Counting) and not names(weight).isdisjoint(names(progression.count))


def _is_defined(expression: ir.Expression) -> bool:
    try:
        rational(expression)
    except ZeroDivisionError:
        return False
    return True


def _one_and_log(value: ir.Expression) -> ir.Expression:
    logarithm = ir.Operation(ir.Operator.LOGARITHM, (builders.convert(value, ir.Sort.REAL),), ir.Sort.REAL)
    return builders.add(_ONE, logarithm)


def _twice(expression: ir.Expression) -> ir.Expression:
    return builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(Fraction(2), ir.Sort.REAL), expression)


def _root(square: ir.Expression) -> ir.Expression:
    return ir.Operation(ir.Operator.SQUARE_ROOT, (builders.convert(square, ir.Sort.REAL),), ir.Sort.REAL)


# --- roots and powers -----------------------------------------------------------------------


def simplified(expression: ir.Expression) -> ir.Expression:
    """The expression with roots of products as products of roots, roots of square numbers as numbers, and
    powers to numbers as products.

    Equal where all that roots are taken of is at least 0, and no power of 0 is taken; nothing depends on that
    but what is proposed.
    """

    def change(item: ir.Expression) -> ir.Expression | None:
        match item:
            case ir.Operation(ir.Operator.SQUARE_ROOT, (square,)):
                return _roots(square)
            case ir.Operation(ir.Operator.POWER, (base, exponent)):
                return _repeated(base, rational(exponent).constant_value())
            case _:
                return None

    return mapped(expression, change)


def _repeated(base: ir.Expression, times: Fraction | None) -> ir.Expression | None:
    """A small power as a product; None for others."""
    if times is None or times.denominator != 1 or abs(times) > _MAX_REPEATED:
        return None
    product: ir.Expression = _ONE
    for _ in range(abs(times.numerator)):
        product = base if product == _ONE else builders.arithmetic(ir.Operator.MULTIPLY, product, base)
    return product if times >= 0 else builders.divide(_ONE, product)


def _roots(square: ir.Expression) -> ir.Expression:
    exact = rational(square).constant_value()
    if exact is not None and _square_root(exact) is not None:
        return ir.Constant(_square_root(exact) or Fraction(0), ir.Sort.REAL)
    match square:
        case ir.Operation(operator=ir.Operator.TO_REAL, operands=(ir.Operation() as inner,)) if (
            inner.operator
            in (
                ir.Operator.MULTIPLY,
                ir.Operator.TO_REAL,
            )
        ):
            return _roots(ir.Operation(inner.operator, tuple(map(_real, inner.operands)), ir.Sort.REAL))
        case ir.Operation(operator=ir.Operator.MULTIPLY | ir.Operator.DIVIDE as operator, operands=operands):
            return ir.Operation(operator, tuple(map(_roots, operands)), ir.Sort.REAL)
        case _:
            return _root(square)


def _real(expression: ir.Expression) -> ir.Expression:
    return builders.convert(expression, ir.Sort.REAL)


def _square_root(value: Fraction) -> Fraction | None:
    if value < 0:
        return None
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return root if root * root == value else None
