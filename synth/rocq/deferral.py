"""Draws that steps defer, in the program that a proof is about: there they are drawn later, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.rocq.fusions import statements_at
from synth.rocq.refusal import Inexpressible
from synth.trusted.program import syntax as ir
from synth.trusted.steps.deferral import deferred
from synth.trusted.steps.equivalence_codes import Different


def draw_at(mechanism: ir.Mechanism, place: Sequence[int]) -> ir.Draw | ir.Choose:
    """The draw at a place.  Raises Inexpressible."""
    match statements_at(mechanism.body, place)[0]:
        case ir.Draw() | ir.Choose() as draw:
            return draw
    raise Inexpressible("what is deferred is no draw")


def drawn_later(mechanism: ir.Mechanism, site: int, length: int | None) -> ir.Mechanism:
    """The program with the draw of a site behind the next ``length`` statements, or as far behind as may be.

    Sites stay as they are.  Raises Inexpressible.
    """
    place = next(place for place, draw in _drawn(mechanism.body) if draw.site == site)
    statements = statements_at(mechanism.body, place)
    if length is not None:
        _check_deferred(statements[: length + 1])
        return deferred(mechanism, place, length)
    for passed in range(len(statements) - 1, 0, -1):
        try:
            _check_deferred(statements[: passed + 1])
            return deferred(mechanism, place, passed)
        except (Inexpressible, Different):
            continue
    return mechanism


def _drawn(body: Sequence[ir.Statement]) -> Iterator[tuple[tuple[int, ...], ir.Draw | ir.Choose]]:
    """Each draw, with its place."""
    for number, item in enumerate(body):
        if isinstance(item, ir.Draw | ir.Choose):
            yield (number,), item
        for side, part in enumerate(ir.blocks(item)):
            yield from (((number, side, *place), draw) for place, draw in _drawn(part))


def _check_deferred(statements: Sequence[ir.Statement]) -> None:
    """Raises Inexpressible where the first of them can't be drawn behind the others in Rocq."""
    draw, *passed = statements
    inside = list(ir.statements(tuple(passed)))
    if any(isinstance(item, ir.Return) for item in inside):
        raise Inexpressible("a draw that is deferred past a return has no form in Rocq yet")
    drawn = [item for item in (draw, *inside) if isinstance(item, ir.Draw | ir.Choose)]
    if len(drawn) > 1 and not all(map(_is_exchanged, drawn)):
        raise Inexpressible("real noise that is deferred past another draw has no form in Rocq yet")


def _is_exchanged(draw: ir.Draw | ir.Choose) -> bool:
    """Whether there is a theorem about draws of this kind in the other order."""
    if isinstance(draw, ir.Choose):
        return isinstance(draw.law, ir.Chances)
    return draw.sort is ir.Sort.INT
