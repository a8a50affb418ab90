"""Prices that depend on what a loop counts, and potentials that bound their sum.

A potential is a function g of the counter that does not fall.  An iteration i pays at most
weight·(g(i + 1) − g(i)), so all together pay at most weight·(top − g(0)), where top is the most that g
reaches: the Σ ε_k of [While] (Barthe et al. 2016, Fig. 2), for the vertex cover of CertiPriv (§ 6.4)
Σ 1/√i ≤ 2√n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import isqrt

from synth.bounds.scales import NotConstant, Scales, rational
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.substitution import mapped, replaced

_HALF = ir.Constant(Fraction(1, 2), ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
_MAX_REPEATED = 16
_ZERO = builders.zero(ir.Sort.REAL)


@dataclass(frozen=True)
class Indexed:
    """What a site costs, in nats (noise: per unit of distance), as a function of the loop's counter.

    ``counter`` runs from 0 to ``count`` - 1; ``price`` and ``count`` are over public parameters, ``price``
    also over the counter.  ``alone`` says that the loop is inside of no other, and has none inside that
    draws; ``shown`` is the price in the program's own words.
    """

    loop: int
    counter: ir.Variable
    count: ir.Expression
    price: ir.Expression
    alone: bool
    shown: ir.Expression

    def at(self, index: ir.Expression) -> ir.Expression:
        """The price at one index."""
        return simplified(replaced(self.price, {self.counter.name: index}))

    def inside(self) -> tuple[ir.Expression, ir.Expression]:
        """Where control is in the loop's body: 0 <= counter, and counter + 1 <= count."""
        after = builders.less_equal(builders.add(self.counter, builders.ONE), self.count)
        return builders.less_equal(builders.ZERO, self.counter), after

    def counted(self, again: bool) -> tuple[ir.Expression, ir.Expression]:
        """At the loop's head: ``again`` says that it was there before."""
        least = builders.ONE if again else builders.ZERO
        return builders.less_equal(least, self.counter), builders.less_equal(self.counter, self.count)

    def ends(self) -> tuple[ir.Expression, ir.Expression]:
        """The prices at the first index and at the last one."""
        return self.at(builders.ZERO), self.at(builders.subtract(self.count, builders.ONE))


def indexed_price(
    scales: Scales, price: ir.Expression, site: ir.Draw | ir.Choose, loops: Mapping[int, tuple[int, ...]]
) -> Indexed | None:
    """The price at a site as a function of the counter of a loop around it; None if it is none.

    ``loops`` gives the loops around each site, outermost first.
    """
    for_loops = {
        item.loop: item for item in ir.statements(scales.mechanism.body) if isinstance(item, ir.Loop)
    }
    for number in reversed(loops[site.site]):
        loop = for_loops[number]
        if loop.counter is not None and loop.count is not None:
            try:
                count = scales.resolve(loop.count, loop.span)
                resolved = scales.resolve(price, site.span, loop.counter)
            except NotConstant:
                continue
            alone = all(around == (number,) for around in loops.values() if number in around)
            counter = ir.Variable(loop.counter, ir.Sort.INT)
            return Indexed(number, counter, count, simplified(resolved), alone, simplified(price))
    return None


def rate_of_noise(draw: ir.Draw) -> ir.Expression:
    """What a unit of distance costs, in nats."""
    return builders.divide(_ONE, draw.arguments[1])


class Family(Enum):
    """Potentials g(i) for i = 0, …, N: −√(N − i), √i, −1/(i + 1/2), −1/(i + 1), and the price itself, −ε_i.

    The last one is for prices that fall at least as a geometric series does.
    """

    FALLING_ROOT = "falling root"
    RISING_ROOT = "rising root"
    RECIPROCAL = "reciprocal"
    TELESCOPE = "telescope"
    PRICE = "price"


@dataclass(frozen=True)
class Potential:
    """One of the family for a price that depends on a loop's counter."""

    family: Family
    indexed: Indexed

    @property
    def counter(self) -> ir.Variable:
        """What the loop counts."""
        return self.indexed.counter

    @property
    def count(self) -> ir.Expression:
        """The number of its iterations at the most."""
        return self.indexed.count

    def at(self, index: ir.Expression) -> ir.Expression:
        """g(index), a real."""
        match self.family:
            case Family.FALLING_ROOT:
                return builders.opposite(_root(builders.subtract(self.count, index)))
            case Family.RISING_ROOT:
                return _root(index)
            case Family.RECIPROCAL | Family.TELESCOPE:
                offset = _HALF if self.family is Family.RECIPROCAL else _ONE
                middle = builders.add(builders.convert(index, ir.Sort.REAL), offset)
                return builders.opposite(ir.Operation(ir.Operator.DIVIDE, (_ONE, middle), ir.Sort.REAL))
            case Family.PRICE:
                return builders.opposite(self.indexed.at(index))

    def step(self) -> ir.Expression:
        """g(i + 1) − g(i), at the counter."""
        after = self.at(builders.add(self.counter, builders.ONE))
        return ir.Operation(ir.Operator.SUBTRACT, (after, self.at(self.counter)), ir.Sort.REAL)

    def grew(self) -> ir.Expression:
        """g(i - 1) <= g(i), at the counter."""
        return builders.less_equal(
            self.at(builders.subtract(self.counter, builders.ONE)), self.at(self.counter)
        )

    def accumulated(self) -> ir.Expression:
        """What all steps before the counter come to."""
        return builders.subtract(self.at(self.counter), self._start())

    def started(self) -> ir.Expression:
        """g(0) <= g(i), at the counter."""
        return builders.less_equal(_ZERO, self.accumulated())

    def limits(self) -> tuple[ir.Expression, ...]:
        """g(i) <= top, and g(i + 1) <= top where there is a next iteration; where signs don't say so."""
        if self.family is not Family.RISING_ROOT:
            return ()
        after = builders.add(self.counter, builders.ONE)
        ends = builders.negate(builders.less_equal(after, self.count))
        here, there = (builders.less_equal(self.at(index), self.top()) for index in (self.counter, after))
        return here, builders.either(ends, there)

    def top(self) -> ir.Expression:
        """The most that g reaches."""
        return _root(self.count) if self.family is Family.RISING_ROOT else _ZERO

    def bound(self) -> ir.Expression:
        """What all steps come to at the most, in units of the weight."""
        return builders.subtract(self.top(), self._start())

    def _start(self) -> ir.Expression:
        """g(0)."""
        return _ZERO if self.family is Family.RISING_ROOT else self.at(builders.ZERO)

    def slowness(self) -> ir.Expression:
        """About 1 / (g(i + 1) − g(i)), so that price·slowness is about the weight that pays for the price."""
        index = self.counter
        after = builders.convert(builders.add(index, builders.ONE), ir.Sort.REAL)
        match self.family:
            case Family.FALLING_ROOT:
                return _twice(_root(builders.subtract(self.count, index)))
            case Family.RISING_ROOT:
                return _twice(_root(builders.add(index, builders.ONE)))
            case Family.RECIPROCAL:
                return builders.arithmetic(ir.Operator.MULTIPLY, after, after)
            case Family.TELESCOPE:
                return builders.arithmetic(ir.Operator.MULTIPLY, after, builders.add(after, _ONE))
            case Family.PRICE:
                return builders.divide(_ONE, self.step())


@dataclass(frozen=True)
class PotentialCost:
    """The payments of one site by a potential: one unit of the ghost costs ``weight`` nats."""

    indexed: Indexed
    potential: Potential
    weight: ir.Expression


def potential_costs(indexed: Indexed) -> Iterator[PotentialCost]:
    """Potentials with weights that may pay for one unit of distance; not yet known to."""
    if not indexed.alone:
        return
    for family in Family:
        potential = Potential(family, indexed)
        product = builders.arithmetic(ir.Operator.MULTIPLY, indexed.price, potential.slowness())
        for index in (builders.ZERO, builders.subtract(indexed.count, builders.ONE)):
            weight = simplified(replaced(product, {indexed.counter.name: index}))
            if _is_defined(weight):
                yield PotentialCost(indexed, potential, weight)


def _is_defined(expression: ir.Expression) -> bool:
    try:
        rational(expression)
    except ZeroDivisionError:
        return False
    return True


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
