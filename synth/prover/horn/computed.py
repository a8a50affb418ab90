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

_WHERE = "#where"


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


def lasts(operands: Sequence[FNode]) -> bool:
    """Whether an operation is on entries where the runs may differ, and on constants besides."""
    used = free_symbols(operands)
    return any(_WHERE in item.symbol_name() for item in used) and all(map(is_constant, used))
