"""What is true of a program without a proof, and is often a mistake: for its author.

Each is read off the data flow of the program as it was written; nothing is tried, and no verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from networkx import DiGraph, ancestors

from synth.graphs import dependencies, places
from synth.prover.codes import Code
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import expressions, names, private_parameters


def observations(mechanism: ir.Mechanism, code: str | None, line: int | None) -> Iterator[str]:
    """Give what catches the eye: noise without use; private branches and divisors in the line to blame.

    Where a bound was proved, and is only too large, no branch is in the way.
    """
    graph, everything = dependencies(mechanism), list(places(mechanism.body))
    draws = {place: item for place, item in everything if isinstance(item, ir.Draw | ir.Choose)}
    yield from _unused(graph, everything, draws)
    private = set(private_parameters(mechanism))
    for place, item in everything:
        if isinstance(item, ir.Block | ir.Exit) or item.span.line != line:
            continue
        if (
            isinstance(item, ir.If) and code != Code.BOUND_MISSES_CLAIM.id
        ):  # no branch is in the way of a proof
            known = _private(graph, place, private, draws)
            if known:
                yield (
                    f"the condition in line {line} depends on private data ({known}) and on no noise: "
                    "draw before it, and test what was drawn"
                )
        if code == Code.DIVISOR_MAY_BE_ZERO.id and isinstance(item, ir.Obligation) and item.kind == "divisor":
            mentioned = {name for part in expressions(item) for name in names(part)}
            known = _listed(_sources(graph, mentioned) & private)
            if known:
                yield (
                    f"the divisor in line {line} depends on private data ({known}): add noise to what is "
                    "divided and to the divisor, keep the noisy divisor at 1 or more, and divide afterwards"
                )


def _unused(
    graph: DiGraph, everything: list[tuple[str, ir.Statement]], draws: dict[str, ir.Draw | ir.Choose]
) -> Iterator[str]:
    """Draws that no output depends on."""
    ends = [place for place, item in everything if isinstance(item, ir.Return)]
    used = set[str]().union(*(ancestors(graph, end) for end in ends))
    for line in sorted({item.span.line for place, item in draws.items() if place not in used}):
        yield f"the noise that line {line} draws is never used: no output depends on it"


def _private(graph: DiGraph, place: str, private: set[str], draws: dict[str, ir.Draw | ir.Choose]) -> str:
    """The private inputs that a statement depends on, if it depends on no noise."""
    known = ancestors(graph, place)
    return "" if known & draws.keys() else _listed(known & private)


def _listed(parameters: set[str]) -> str:
    """The parameters that they are or belong to: a list of records is several."""
    return ", ".join(sorted({name.partition(".")[0] for name in parameters}))


def _sources(graph: DiGraph, mentioned: set[str]) -> set[str]:
    """What the names that are mentioned are computed from."""
    return set(mentioned).union(*(ancestors(graph, name) for name in mentioned if name in graph))
