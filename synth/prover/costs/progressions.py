"""What public values take on in a loop, one after the other: its counter, or a number that it multiplies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from synth.bounds.rational import Rational
from synth.bounds.scales import NotConstant, Scales, rational
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body


@dataclass(frozen=True)
class Counting:
    """A loop's counter: 0, 1, … up to ``count`` - 1, an expression over public parameters."""

    variable: ir.Variable
    count: ir.Expression

    @property
    def start(self) -> ir.Expression:
        """The first value."""
        return builders.ZERO

    def after(self, value: ir.Expression) -> ir.Expression:
        """The next value."""
        return builders.add(value, builders.ONE)

    def before(self, value: ir.Expression) -> ir.Expression:
        """The value before."""
        return builders.subtract(value, builders.ONE)

    def around_draw(self) -> tuple[ir.Expression, ir.Expression]:
        """What the value is at the loop's head before and after a round, where noise is drawn in it."""
        return self.variable, self.after(self.variable)

    def ends(self) -> tuple[ir.Expression, ...]:
        """The first value with which noise is drawn, and the last one."""
        return self.start, builders.subtract(self.count, builders.ONE)

    def inside(self) -> tuple[ir.Expression, ...]:
        """Where control is in the loop's body: 0 <= counter, and counter + 1 <= count."""
        after = builders.less_equal(self.after(self.variable), self.count)
        return builders.less_equal(builders.ZERO, self.variable), after

    def at_head(self, again: bool) -> tuple[ir.Expression, ...]:
        """At the loop's head: ``again`` says that it was there before."""
        least = builders.ONE if again else builders.ZERO
        return builders.less_equal(least, self.variable), builders.less_equal(self.variable, self.count)


@dataclass(frozen=True)
class Multiplying:
    """A positive real that each round multiplies by a number, before or after noise is drawn with it."""

    variable: ir.Variable
    start: ir.Expression
    factor: Fraction
    changed_first: bool

    def after(self, value: ir.Expression) -> ir.Expression:
        """The next value."""
        return builders.arithmetic(ir.Operator.MULTIPLY, ir.Constant(self.factor, ir.Sort.REAL), value)

    def before(self, value: ir.Expression) -> ir.Expression:
        """The value before."""
        return builders.divide(value, ir.Constant(self.factor, ir.Sort.REAL))

    def around_draw(self) -> tuple[ir.Expression, ir.Expression]:
        """What the value is at the loop's head before and after a round, where noise is drawn in it."""
        if self.changed_first:
            return self.before(self.variable), self.variable
        return self.variable, self.after(self.variable)

    def ends(self) -> tuple[ir.Expression, ...]:
        """The first value with which noise is drawn."""
        return (self.after(self.start) if self.changed_first else self.start,)

    def inside(self) -> tuple[ir.Expression, ...]:
        """That it is positive."""
        return (builders.less(builders.zero(ir.Sort.REAL), self.variable),)

    def at_head(self, again: bool) -> tuple[ir.Expression, ...]:
        """That it is positive, too."""
        return self.inside()


Progression = Counting | Multiplying


def progressions(scales: Scales, site: ir.Draw | ir.Choose, loop: ir.Loop) -> Iterator[Progression]:
    """What a price inside of a loop may depend on, beside public parameters."""
    if loop.counter is not None and loop.count is not None:
        try:
            count = scales.resolve(loop.count, loop.span)
        except NotConstant:
            return
        yield Counting(ir.Variable(loop.counter, ir.Sort.INT), count)
    yield from _multiplied(scales, site, loop)


def _multiplied(scales: Scales, site: ir.Draw | ir.Choose, loop: ir.Loop) -> Iterator[Multiplying]:
    assigned: dict[str, list[ir.Assign]] = {}
    for item in ir.statements(scales.mechanism.body):
        if isinstance(item, ir.Assign) and item.value.sort is ir.Sort.REAL:
            assigned.setdefault(item.target, []).append(item)
    body = _top(loop.body)
    drawn = next((place for place, item in enumerate(body) if site in ir.statements((item,))), None)
    for name, items in assigned.items():
        if len(items) != 2 or items[1] not in body or drawn is None:
            continue
        variable = ir.Variable(name, ir.Sort.REAL)
        factor = _factor(items[1].value, variable)
        try:
            start = scales.resolve(items[0].value, items[0].span)
        except NotConstant:
            continue
        if factor is not None and factor > 0:
            yield Multiplying(variable, start, factor, body.index(items[1]) < drawn)


def _top(body: Body) -> list[ir.Statement]:
    """The statements of a body, with those of blocks in it."""
    return [part for item in body for part in (_top(item.body) if isinstance(item, ir.Block) else [item])]


def _factor(value: ir.Expression, variable: ir.Variable) -> Fraction | None:
    """The number by which the variable is multiplied."""
    try:
        return (rational(value) / Rational.variable(variable.name)).constant_value()
    except ZeroDivisionError:
        return None
