"""An integer that is drawn again as long as it is one value is drawn once, of the others.

``x = randint(a, b)`` and ``while x == v: x = randint(a, b)``, the same with ``x = v`` before, and ``while
True: x = randint(a, b)``, ``if x != v: return x`` all give each integer from a to b but v with the same
chance, if v is one of them and a < b.  So they are one draw y from a to b - 1, and y + 1 from v on.  That
a < b is what this draw asks for; that v is one of them must be evident, or the loop stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from synth.trusted.frontend.written_weights import Bounds, skipping
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names

Body = tuple[ir.Statement, ...]


@dataclass(frozen=True)
class Redraws:
    """Draws of one integer variable until it is not ``value``; ``behind`` is run then.

    ``before`` says that a test comes first, ``asked`` is asked for at each draw.
    """

    draw: ir.Choose
    value: ir.Expression
    before: bool
    asked: Body = ()
    behind: Body = ()

    def once(self, bounds: Bounds, resolved: Callable[[ir.Expression], ir.Expression]) -> Body | None:
        """One draw of the other integers; None if the value is not evidently one of all."""
        match laws.arguments_of(self.draw):
            case "uniform_int", (low, high):
                pass
            case _:
                return None
        if not bounds.between(resolved(self.value), resolved(low), resolved(high)):
            return None
        name = self.draw.target
        read = {part for item in self.asked for value in expressions(item) for part in names(value)}
        if name in read | names(self.value) | names(low) | names(high):
            return None
        index, drawn = (ir.Variable(item, ir.Sort.INT) for item in (self.draw.index, name))
        law = laws.uniform_int(index, low, builders.subtract(high, builders.ONE))
        other = ir.Assign(name, skipping(drawn, self.value), self.draw.span)
        return *self.asked, replace(self.draw, law=law), other, *self.behind


def found(statement: ir.Statement) -> Redraws | None:
    """The draws that a statement makes, if it does nothing else."""
    label: str | None = None
    loop = statement
    if isinstance(statement, ir.Block) and len(statement.body) == 1:
        label, loop = statement.label, statement.body[0]
    match loop:
        case ir.Loop(body=(ir.If() as test, *asked, ir.Choose() as draw)):
            made = _until(draw, test, label)
            before = True
        case ir.Loop(body=(*asked, ir.Choose() as draw, ir.If() as test)):
            made = _until(draw, test, label)
            before = False
        case _:
            return None
    if made is None or not all(isinstance(item, ir.Obligation) for item in asked):
        return None
    return replace(made, before=before, asked=tuple(asked)) if label is not None or not before else None


def _until(draw: ir.Choose, test: ir.If, label: str | None) -> Redraws | None:
    """The draws of a loop that is left, or ends the run, as soon as the number is not one value."""
    value = _other_than(test.condition, draw)
    if value is None:
        return None
    match test.then, test.otherwise:
        case (ir.Exit(left),), () if left == label:
            return Redraws(draw, value, False)
        case (ir.Return(),), () if label is None:
            return Redraws(draw, value, False, behind=test.then)
        case _:
            return None


def _other_than(condition: ir.Expression, draw: ir.Choose) -> ir.Expression | None:
    """What a condition says that the variable is not."""
    match condition:
        case ir.Operation(ir.Operator.NOT, (ir.Operation(ir.Operator.EQUAL, (one, other)),)):
            drawn = ir.Variable(draw.target, ir.Sort.INT)
            if draw.sort is ir.Sort.INT and drawn in (one, other):
                return other if one == drawn else one
    return None
