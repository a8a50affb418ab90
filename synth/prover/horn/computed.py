"""What is computed of the entry where the runs may differ, as constants that loop invariants may speak of.

In which cell of a histogram a record is, say: elsewhere what a public function gives is one opaque value in
each stretch between loop heads, and another one in the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pysmt.fnode import FNode

from synth.prover.horn.terms import free_symbols
from synth.trusted.program import syntax as ir

_WHERE, _CHANGED = "#where", "#changed"


@dataclass(frozen=True)
class Computed:
    """An expression in one run, where variables have these values; the symbol ``name`` stands for it."""

    name: str
    expression: ir.Expression
    side: int
    values: Mapping[str, FNode]


def changed_entry(source: str, changing: str, side: int) -> str:
    """The symbol of a run's entry where another sequence, or this one, may differ."""
    return f"{source}{_WHERE}({changing})<{side + 1}>"


def lasting_name(number: int) -> str:
    """The symbol of what is computed there."""
    return f"computed{_WHERE}({number})"


def is_constant(item: FNode) -> bool:
    """Whether a symbol is neither fresh, nor a formal of a predicate."""
    name: str = item.symbol_name()
    return not any(mark in name for mark in ("!", "@", "[", "#real", "#index"))


def lasts(values: Sequence[FNode]) -> bool:
    """Whether these are entries where the runs may differ, and constants besides."""
    return any(_WHERE in item.symbol_name() for item in free_symbols(values)) and _are_constants(values)


def is_of_change(values: Sequence[FNode]) -> bool:
    """Whether these are such entries, or places where the runs may differ, and constants besides."""
    used = [item.symbol_name() for item in free_symbols(values)]
    return any(mark in name for name in used for mark in (_WHERE, _CHANGED)) and _are_constants(values)


def _are_constants(values: Sequence[FNode]) -> bool:
    return all(map(is_constant, free_symbols(values)))
