"""Draws by weights that are one number but for few indices, as coins and a uniform draw.

``weights=[exp(eps) if i == x else 1 for i in range(k)]`` chooses x with the chance
exp(eps) / (exp(eps) + k - 1), and otherwise each of the other k - 1 indices with one chance.  So a coin with
that chance decides about x, and a number r from 0 to k - 2 is the r-th of the others: r if r < x, else r + 1.
Of weights that are written out, ``p=[a, b, c]``, coins decide about one index after the other, with the
chance of its weight among those of the indices that are left.  Weights are positive where they are drawn
from, so each of these chances is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names
from synth.trusted.program.linear_forms import linear
from synth.trusted.program.substitution import replaced

Body = tuple[ir.Statement, ...]

MAX_WRITTEN = 16
"""How many weights may be written out."""

_ZERO = builders.zero(ir.Sort.REAL)
_ONE = ir.Constant(Fraction(1), ir.Sort.REAL)


@dataclass(frozen=True)
class Bounds:
    """What ``conditions`` say of integers that nothing changes."""

    conditions: tuple[ir.Expression, ...] = ()

    def at_least_zero(self, number: ir.Expression) -> bool:
        """Whether an integer is evidently not negative."""
        match number:
            case ir.Length():
                return True
            case ir.Constant(value=value):
                return value >= 0
        return any(self._implies(condition, number) for condition in self.conditions)

    def inside(self, place: ir.Expression, count: ir.Expression) -> bool:
        """Whether an integer is evidently one of 0 to ``count`` - 1."""
        ends = _ends(place)
        if ends is None or not self.above_zero(place):
            return False
        return self._is_not_negative(builders.subtract(count, builders.add(ends[1], builders.ONE)))

    def above_zero(self, place: ir.Expression) -> bool:
        """Whether an integer between two others is evidently not negative."""
        ends = _ends(place)
        if ends is None:
            return False
        low, high = ends
        return self._is_not_negative(low) and self._is_not_negative(builders.subtract(high, low))

    def between(self, number: ir.Expression, low: ir.Expression, high: ir.Expression) -> bool:
        """Whether an integer is evidently one of ``low`` to ``high``."""
        ends = _ends(number)
        if ends is None or {low.sort, high.sort, ends[0].sort, ends[1].sort} != {ir.Sort.INT}:
            return False
        order = (low, *ends, high)
        return all(
            self._is_not_negative(builders.subtract(order[place + 1], order[place])) for place in range(3)
        )

    def _is_not_negative(self, number: ir.Expression) -> bool:
        form = linear(number)
        return form.constant >= 0 if not form.parts else self.at_least_zero(number)

    def _implies(self, condition: ir.Expression, number: ir.Expression) -> bool:
        match condition:
            case ir.Operation(ir.Operator.LESS_EQUAL | ir.Operator.LESS as operator, (low, high)) if (
                low.sort is high.sort is ir.Sort.INT
            ):
                least = linear(number).plus(linear(high), -1).plus(linear(low))
                strict = operator is ir.Operator.LESS
                return not least.parts and least.constant + strict >= 0
            case _:
                return False


def _ends(place: ir.Expression) -> tuple[ir.Expression, ir.Expression] | None:
    """Two integers between which one evidently is, if the first is not above the second."""
    match place:
        case ir.Constant():
            return place, place
        case ir.Operation(ir.Operator.MINIMUM, (ir.Operation(ir.Operator.MAXIMUM, (_, low)), high)):
            return low, high
        case ir.Operation(ir.Operator.ADD | ir.Operator.SUBTRACT as operator, (inner, ir.Constant() as by)):
            ends = _ends(inner)
            if ends is None:
                return None
            low, high = (builders.arithmetic(operator, end, by) for end in ends)
            return low, high
        case _:
            return None


@dataclass(frozen=True)
class Cases:
    """So many numbers: ``rest``, but at the places in ``few`` others.  The places are inside, and differ."""

    count: ir.Expression
    few: tuple[tuple[ir.Expression, ir.Expression], ...]
    rest: ir.Expression

    def leaves(self) -> Iterator[ir.Expression]:
        """The numbers, each at least once."""
        yield from (number for _, number in self.few)
        yield self.rest

    def last(self) -> int | None:
        """The one place that is not in ``few``, if these are written out."""
        places = {place.value for place, _ in self.few if isinstance(place, ir.Constant)}
        if len(places) < len(self.few) or self.count != builders.integer(len(places) + 1):
            return None
        (last,) = set(range(len(places) + 1)) - places
        return last

    def leave_one_chance(self) -> bool:
        """Whether it is evident which places are not in ``few``."""
        return len(self.few) == 1 or self.last() is not None

    def mentioned(self) -> set[str]:
        """Names that they are made of."""
        places = (place for place, _ in self.few)
        return {name for part in (self.count, *places, *self.leaves()) for name in names(part)}

    def total(self) -> ir.Expression:
        """Their sum."""
        number = builders.subtract(self.count, builders.integer(len(self.few)))
        rest = self.rest
        if number != builders.ONE:
            factor = builders.convert(number, ir.Sort.REAL)
            rest = builders.arithmetic(ir.Operator.MULTIPLY, factor, rest)
        for _, value in self.few:
            rest = builders.add(value, rest)
        return rest


def cases(entry: ir.Expression, index: ir.Variable, count: ir.Expression, bounds: Bounds) -> Cases | None:
    """Read numbers as cases; ``entry`` is the one at an index.  None if that isn't evident."""
    few: list[tuple[ir.Expression, ir.Expression]] = []
    while (found := _exception(entry, index)) is not None:
        place, value, entry = found
        few.append((place, value))
    constants = {place.value for place, _ in few if isinstance(place, ir.Constant)}
    differ = len(constants) == len(few) or len(few) == 1
    if len(constants) == len(few) and count == builders.integer(len(few) + 1):
        left = set(range(len(few) + 1)) - constants
        entry = replaced(entry, {index.name: builders.integer(left.pop())}) if len(left) == 1 else entry
    here = Cases(count, tuple((place, replaced(value, {index.name: place})) for place, value in few), entry)
    inside = all(bounds.inside(place, count) for place, _ in few)
    return here if few and differ and inside and index.name not in names(entry) else None


def _exception(
    entry: ir.Expression, index: ir.Variable
) -> tuple[ir.Expression, ir.Expression, ir.Expression] | None:
    """The place, and the numbers there and elsewhere, of a number that is another one at one index."""
    match entry:
        case ir.Operation(ir.Operator.IF, (condition, here, elsewhere)):
            if isinstance(condition, ir.Operation) and condition.operator is ir.Operator.NOT:
                condition, here, elsewhere = condition.operands[0], elsewhere, here
            place = place_of(condition, index)
            return None if place is None else (place, here, elsewhere)
        case _:
            return None


def place_of(condition: ir.Expression, index: ir.Variable) -> ir.Expression | None:
    """The one integer of which a condition says that the index is it."""
    match condition:
        case ir.Operation(ir.Operator.EQUAL, (left, right)) if left.sort is right.sort is ir.Sort.INT:
            for one, other in ((left, right), (right, left)):
                form = linear(one)
                if form.parts == {index: 1} and index.name not in names(other):
                    return builders.subtract(other, builders.integer(form.constant))
    return None


# --- draws ------------------------------------------------------------------------------


def drawn(choice: ir.Choose, weights: Cases, total: ir.Expression) -> Body:
    """Draw an index with such weights, which are positive and have that sum."""
    return tuple(_drawn(choice, weights, total, 0))


def _drawn(choice: ir.Choose, weights: Cases, left: ir.Expression, number: int) -> Iterator[ir.Statement]:
    """``left`` is the sum of the weights from that case on."""
    span = choice.span
    if number == len(weights.few):
        yield from _of_the_rest(choice, weights)
        return
    place, weight = weights.few[number]
    if left != _ONE:
        nonzero = builders.negate(builders.equal(left, _ZERO))
        yield ir.Obligation("divisor", nonzero, "weights must not add up to 0", span)
    chance = weight if left == _ONE else builders.divide(weight, left)
    coin = ir.Variable(f"{choice.target}.coin{number}", ir.Sort.BOOL)
    index = ir.Variable(f"{choice.index}.coin{number}", ir.Sort.BOOL)
    toss = ir.Choose(0, coin.name, "bernoulli", index.name, laws.bernoulli(index, chance), coin.sort, span)
    yield from _demanded(toss, "a weight must be between 0 and the sum of all")
    yield toss
    then = (ir.Assign(choice.target, place, span),)
    otherwise = tuple(_drawn(choice, weights, builders.subtract(left, weight), number + 1))
    yield ir.If(0, coin, then, otherwise, span)


def _of_the_rest(choice: ir.Choose, weights: Cases) -> Iterator[ir.Statement]:
    """Each index that is no exception, with the same chance."""
    span = choice.span
    last = weights.last()
    if last is not None:
        yield ir.Assign(choice.target, builders.integer(last), span)
        return
    ((place, _),) = weights.few
    other = ir.Variable(f"{choice.target}.other", ir.Sort.INT)
    index = ir.Variable(f"{choice.index}.other", ir.Sort.INT)
    law = laws.uniform_int(index, builders.ZERO, builders.subtract(weights.count, builders.integer(2)))
    draw = ir.Choose(0, other.name, "uniform_int", index.name, law, other.sort, span)
    yield from _demanded(draw, "there must be another candidate")
    yield draw
    yield ir.Assign(choice.target, skipping(other, place), span)


def skipping(number: ir.Expression, place: ir.Expression) -> ir.Expression:
    """The number-th of the integers from 0 on without that one."""
    return builders.choose(builders.less(number, place), number, builders.add(number, builders.ONE))


def _demanded(draw: ir.Choose, reason: str) -> Iterator[ir.Obligation]:
    needed = laws.demand(draw)
    assert needed is not None
    if needed != builders.TRUE:
        yield ir.Obligation("scale", needed, reason, draw.span)
