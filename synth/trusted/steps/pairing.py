"""Paired draws: the difference of two one-sided draws of one scale is one two-sided draw.

*Theorem.* If :func:`paired` accepts the step from P to P', both have the same distribution of outputs on each
input, and a run of P violates an obligation just if one of P' does.

For x - a and y - b are independent draws E and F of one one-sided law of that scale, and E - F has the
Laplace law around 0, on the reals and on the integers: the chance of E - F = k is the sum over j of those of
E = j + k and F = j; it is that of F - E = k, and falls by exp(-1/scale) from each k >= 0 to the next.  So do
densities.  P reads x and y in one expression only, a function of x - y.  P' draws x around a - b, and reads 0
for y: there x has the law of x - y in P.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Body, changed, expressions, names
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.equivalence_codes import Code, Different
from synth.trusted.steps.fusion import changed_at


def paired(mechanism: ir.Mechanism, place: tuple[int, ...]) -> ir.Mechanism:
    """Return the program with one draw for the one at a place and the next statement, which draws, too.

    Raises Different or Rejected where they are no pair.
    """
    found: list[tuple[ir.Draw, ir.Draw]] = []

    def change(body: Body, start: int) -> Body:
        match body[start : start + 2]:
            case (ir.Draw() as first, ir.Draw() as second):
                above, below = _pair(mechanism, first, second)
            case _:
                raise Different(Code.NO_PAIR())
        found.append((above, below))
        center = builders.subtract(above.arguments[0], below.arguments[0])
        draw = replace(above, distribution="laplace", arguments=(center, above.arguments[1]))
        return (*body[:start], draw, *body[start + 2 :])

    body = changed_at(mechanism.body, place, change)
    ((_, below),) = found
    without = {below.target: builders.zero(below.sort)}

    def inside(part: Body) -> Body:
        return tuple(changed(item, lambda value: replaced(value, without), inside) for item in part)

    return replace(mechanism, body=inside(body))


def _pair(mechanism: ir.Mechanism, first: ir.Draw, second: ir.Draw) -> tuple[ir.Draw, ir.Draw]:
    """The draw that is read as it is, and the one that is subtracted.  Raises Different."""
    pair = {first.target, second.target}
    statements = list(ir.statements(mechanism.body))
    targets = [getattr(item, "target", None) for item in statements]
    reading = [value for item in statements for value in _read(item) if pair & names(value)]
    if (
        first.distribution != "exponential"
        or (first.distribution, first.sort, first.arguments[1])
        != (second.distribution, second.sort, second.arguments[1])
        or len(pair) < 2
        or any(targets.count(name) != 1 for name in pair)
        or len(reading) != 1
    ):
        raise Different(Code.NO_PAIR())
    signs = sorted(_signs(reading[0], pair))
    match signs:
        case [(-1, below), (1, above)] if {above, below} == pair:
            return (first, second) if first.target == above else (second, first)
    raise Different(Code.NO_PAIR())


def _read(statement: ir.Statement) -> tuple[ir.Expression, ...]:
    count = (statement.count,) if isinstance(statement, ir.Loop) and statement.count is not None else ()
    return (*expressions(statement), *count)


def _signs(value: ir.Expression, pair: set[str]) -> Iterator[tuple[int, str]]:
    """Where they are read: 1 or -1 and the name, in the smallest expression that reads both.

    Gives something else than one of each where it is no sum of them and other terms.
    """
    inner = [item for item in _operands(value) if pair <= names(item)]
    if len(inner) == 1 and sum(bool(pair & names(item)) for item in _operands(value)) == 1:
        yield from _signs(inner[0], pair)
    else:
        yield from _terms(value, 1, pair)


def _operands(value: ir.Expression) -> tuple[ir.Expression, ...]:
    return value.operands if isinstance(value, ir.Operation) else ()


def _terms(value: ir.Expression, sign: int, pair: set[str]) -> Iterator[tuple[int, str]]:
    """The variables of the pair among the terms of a sum; 0 for one that is elsewhere."""
    match value:
        case ir.Variable(name=name) if name in pair:
            yield sign, name
        case ir.Operation(ir.Operator.ADD, (left, right)):
            yield from _terms(left, sign, pair)
            yield from _terms(right, sign, pair)
        case ir.Operation(ir.Operator.SUBTRACT, (left, right)):
            yield from _terms(left, sign, pair)
            yield from _terms(right, -sign, pair)
        case ir.Operation(ir.Operator.NEGATE, (only,)):
            yield from _terms(only, -sign, pair)
        case _:
            yield from ((0, name) for name in pair & names(value))
