"""Where a program may fall into parts that are proved one by one.

A cut publishes what is read behind it.  That costs nothing where the output tells it anyway; of the noisy
threshold of a sparse vector it would cost much.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from synth.prover.normal_form.early_calls import calls_public_function
from synth.trusted.normal_form.sequential_parts import NoCut, parts
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Analysis,
    Body,
    assigned,
    expressions,
    length_name,
    names,
    private_parameters,
    target,
)

Cuts = tuple[int, ...]


def cuts(mechanism: ir.Mechanism) -> tuple[Cuts, ...]:
    """Where a program may be cut: at what is told anyway; and, if that is something else, wherever it can be.

    No cut is ().
    """
    careful, bold = _greedy(mechanism, _is_told), _greedy(mechanism, lambda *_: True)
    return (careful, bold) if bold and bold != careful else (careful,)


def _greedy(mechanism: ir.Mechanism, allowed: Callable[[ir.Mechanism, Body, str], bool]) -> Cuts:
    """As many cuts as there can be, with draws between them."""
    found: list[int] = []
    for place in range(1, len(mechanism.body)):
        start = found[-1] if found else 0
        between, rest = mechanism.body[start:place], mechanism.body[place:]
        if _draws(between) and _draws(rest) and _is_cut(mechanism, (*found, place), allowed):
            found.append(_behind_calls(mechanism, (*found, place), allowed))
    return tuple(found)


def _behind_calls(
    mechanism: ir.Mechanism, way: Cuts, allowed: Callable[[ir.Mechanism, Body, str], bool]
) -> int:
    """The last of the cuts, behind the public functions that are called there: what they give is public."""
    place = way[-1]
    while calls_public_function(mechanism, mechanism.body[place]) and _is_cut(
        mechanism, (*way[:-1], place + 1), allowed
    ):
        place += 1
    return place


def _is_cut(mechanism: ir.Mechanism, way: Cuts, allowed: Callable[[ir.Mechanism, Body, str], bool]) -> bool:
    """Whether the last of the cuts may be added to the others.

    Only the part that it divides changes; the parts before that one may be one part here.
    """
    before, rest = mechanism.body[: way[-1]], mechanism.body[way[-1] :]
    try:
        parts(mechanism, way[-2:])
    except NoCut:
        return False
    private = private_parameters(mechanism)
    seen = Analysis(mechanism).live_before(rest) & assigned(before)
    if seen & computed_from(mechanism, before, private, drawn=False):
        return False
    noisy = computed_from(mechanism, before, private, drawn=True)
    return all(allowed(mechanism, rest, name) for name in seen & noisy)


def steers(mechanism: ir.Mechanism, way: Cuts) -> bool:
    """Whether noisy values that are published at the cuts choose by themselves what is drawn behind them.

    That is a scale, or a branch with draws: the runs have to agree on it in any case.
    """
    return any(_steered(mechanism, cut) for cut in way)


def _steered(mechanism: ir.Mechanism, cut: int) -> bool:
    before, rest = mechanism.body[:cut], mechanism.body[cut:]
    private = private_parameters(mechanism)
    told = assigned(before) & computed_from(mechanism, before, private, drawn=True)
    others = computed_from(mechanism, rest, private, drawn=True)
    alone = computed_from(mechanism, rest, told, drawn=False) - others
    chosen = (
        item.condition if isinstance(item, ir.If) else item.arguments[1]
        for item in ir.statements(rest)
        if isinstance(item, ir.Draw) or (isinstance(item, ir.If) and _draws((item,)))
    )
    return any(names(item) & alone and not names(item) & others for item in chosen)


def _is_told(mechanism: ir.Mechanism, rest: Body, name: str) -> bool:
    """Whether a noisy value is returned as it is, or decides nothing behind the cut."""
    returned = {
        value.name
        for item in ir.statements(rest)
        if isinstance(item, ir.Return)
        for value in item.values
        if isinstance(value, ir.Variable)
    }
    if name in returned:
        return True
    reached = computed_from(mechanism, rest, {name}, drawn=False)
    return not any(
        Analysis(mechanism).is_tainted(expression, reached)
        for item in ir.statements(rest)
        for expression in _deciding(item)
    )


def _deciding(statement: ir.Statement) -> Iterator[ir.Expression]:
    """What a statement does more with than compute: draws and branches of its own, comparisons in it."""
    for whole in expressions(statement):
        if isinstance(statement, ir.If | ir.Draw | ir.Choose | ir.Assume):
            yield whole
        else:
            yield from (
                part
                for part in ir.subexpressions(whole)
                if isinstance(part, ir.Operation) and part.sort is ir.Sort.BOOL
            )


def computed_from(mechanism: ir.Mechanism, body: Body, sources: Collection[str], *, drawn: bool) -> set[str]:
    """Return the sources, and what a body computes from them; with ``drawn`` also through noise."""
    analysis, found = Analysis(mechanism), set(sources)
    while True:
        before = len(found)
        for item in ir.statements(body):
            noisy = isinstance(item, ir.Draw | ir.Choose)
            if isinstance(item, ir.Assign | ir.Append) or (drawn and noisy):
                if (drawn and noisy) or any(analysis.is_tainted(each, found) for each in expressions(item)):
                    found |= _changed(item)
        if len(found) == before:
            return found


def _changed(statement: ir.Statement) -> set[str]:
    if isinstance(statement, ir.Append):
        return {statement.target, length_name(statement.target)}
    name = target(statement)
    return set() if name is None else {name}


def _draws(body: Body) -> bool:
    return any(isinstance(item, ir.Draw | ir.Choose) for item in ir.statements(body))
