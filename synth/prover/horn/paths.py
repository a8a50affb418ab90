"""Path conditions: how two ways through a program meet again."""

from __future__ import annotations

from collections.abc import Mapping

from pysmt.fnode import FNode

from synth.prover.horn.terms import TRUE, all_of, any_of, choose, negate
from synth.trusted.program.symbols import Name


def meet(first: FNode, second: FNode) -> tuple[FNode, FNode]:
    """For two paths that exclude each other: what tells the first from the second, and their union."""
    common = set(_parts(first)) & set(_parts(second))
    here = all_of(part for part in _parts(first) if part not in common)
    there = all_of(part for part in _parts(second) if part not in common)
    rest = TRUE() if there is negate(here) else any_of((here, there))
    shared = [part for part in _parts(first) if part in common]
    return here, all_of((*shared, rest))


def joined(
    condition: FNode, then: Mapping[Name, FNode], otherwise: Mapping[Name, FNode]
) -> dict[Name, FNode]:
    """Variables after both ways, as far as both have them."""
    return {name: choose(condition, then[name], otherwise[name]) for name in then if name in otherwise}


def _parts(path: FNode) -> tuple[FNode, ...]:
    return path.args() if path.is_and() else (path,)
