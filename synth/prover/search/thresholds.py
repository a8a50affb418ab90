"""What a draw of noise is compared with, in terms of what is known before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from synth.bounds.scales import Scales
from synth.prover.normal_form.known_names import known_before
from synth.prover.search.sums import ONE, Sum, sum_of
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names

_ORDERS = (ir.Operator.LESS, ir.Operator.LESS_EQUAL)

Ends = tuple[ir.Expression, ir.Expression]
"""A threshold as the lower end of what is above, and as the upper end of what is below."""


def thresholds(mechanism: ir.Mechanism, draw: ir.Draw) -> Iterator[Ends]:
    """What the program compares a draw with, or something that it is a part of, each once."""
    derived = _derived(mechanism, draw)
    known = known_before(mechanism, draw)
    seen = set()
    for statement in ir.statements(mechanism.body):
        parts = chain.from_iterable(ir.subexpressions(item) for item in expressions(statement))
        for part in chain.from_iterable(map(_compared, parts)):
            found = _threshold(part, draw, derived)
            if found is not None and names(found[0]) <= known and found not in seen:
                seen.add(found)
                yield found


def _derived(mechanism: ir.Mechanism, draw: ir.Draw) -> dict[str, ir.Expression]:
    """Variables that are assigned once, and from the draw."""
    definitions = Scales(mechanism).definitions
    found: dict[str, ir.Expression] = {}
    while True:
        more = {
            name: value
            for name, value in definitions.items()
            if name not in found and names(value) & {draw.target, *found}
        }
        if not more:
            return found
        found |= more


def _compared(part: ir.Expression) -> Iterator[ir.Operation]:
    """A comparison, for both signs of what stands in an absolute value."""
    if not isinstance(part, ir.Operation) or part.operator not in _ORDERS:
        return
    for place, side in enumerate(part.operands):
        if isinstance(side, ir.Operation) and side.operator is ir.Operator.ABSOLUTE:
            for signed in (side.operands[0], builders.opposite(side.operands[0])):
                operands = (*part.operands[:place], signed, *part.operands[place + 1 :])
                yield from _compared(replace(part, operands=operands))
            return
    yield part


def _threshold(part: ir.Operation, draw: ir.Draw, derived: Mapping[str, ir.Expression]) -> Ends | None:
    """Where a comparison changes with the draw; None if it is not linear in it."""
    left, right = (sum_of(item, derived) for item in part.operands)
    difference = left.plus(right, -1)
    drawn: ir.Expression = ir.Variable(draw.target, draw.sort)
    drawn = drawn if drawn in difference.terms else builders.convert(drawn, ir.Sort.REAL)
    times = difference.terms.get(drawn)
    if times is None:
        return None
    place = Sum({}).plus(difference.plus(Sum({drawn: times}), -1), -1 / times)
    if any(draw.target in names(item) for item in place.terms):
        return None
    if draw.sort is ir.Sort.REAL:
        return (place.expression(ir.Sort.REAL),) * 2
    if not place.is_integral:
        return None
    # y < t and not (y <= t) part the integers at t - 1 and t, y <= t and not (y < t) at t and t + 1.
    below = (part.operator is ir.Operator.LESS) == (times > 0)
    step = Sum({ONE: Fraction(1)})
    low, high = (place, place.plus(step, -1)) if below else (place.plus(step), place)
    return low.expression(ir.Sort.INT), high.expression(ir.Sort.INT)
