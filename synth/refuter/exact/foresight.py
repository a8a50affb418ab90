"""What a run looking for one event may still append: branches that can't give it, and where draws are cut.

They save work: a state that is dropped gives the event with probability 0, and states may be split anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from synth.refuter.exact.forms import Exact, Range, Wanted
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

Body = tuple[ir.Statement, ...]
Rows = tuple[tuple[Wanted, ...], ...]

_UNKNOWN = None
"""In the place of a constant: any value."""

Entry = tuple[Exact | None, ...]


@dataclass(frozen=True)
class First:
    """The entries that a body may append to a list first.

    Without any, it may run through to its end, or leave from inside.
    """

    entries: frozenset[Entry] = frozenset()
    runs_through: bool = True
    leaves: bool = False

    def may_be(self, wanted: tuple[Wanted, ...] | None) -> bool:
        """Whether one of them may be the entry that is wanted (None: no entry is), or none comes."""
        if self.runs_through or self.leaves:
            return True
        return wanted is not None and any(_fits(entry, wanted) for entry in self.entries)

    def joined(self, other: First) -> First:
        """What one of two bodies may do."""
        return First(
            self.entries | other.entries, self.runs_through or other.runs_through, self.leaves or other.leaves
        )


def first_entries(body: Body, name: str) -> First:
    """Return what a body may append to a list first."""
    found = First()
    for statement in body:
        found = replace(found, runs_through=False).joined(_of_statement(statement, name))
        if not found.runs_through:
            break
    return found


def _of_statement(statement: ir.Statement, name: str) -> First:
    match statement:
        case ir.Append(target=target, values=values) if target == name:
            return First(frozenset({tuple(map(_constant, values))}), runs_through=False)
        case ir.If(then=then, otherwise=otherwise):
            return first_entries(then, name).joined(first_entries(otherwise, name))
        case ir.Block(body=body) | ir.Loop(body=body):
            return first_entries(body, name).joined(First())
        case ir.Exit() | ir.Return():
            return First(runs_through=False, leaves=True)
    return First()


def _constant(value: ir.Expression) -> Exact | None:
    match value:
        case ir.Constant(value=number):
            return number
        case ir.Operation(operator=ir.Operator.TO_REAL, operands=(inner,)):
            return _constant(inner)
        case ir.Operation(operator=ir.Operator.NEGATE, operands=(inner,)):
            found = _constant(inner)
            return None if found is None else -found
    return _UNKNOWN


def _fits(entry: Entry, wanted: tuple[Wanted, ...]) -> bool:
    return len(entry) == len(wanted) and all(
        value is _UNKNOWN or (want.low <= value < want.high if isinstance(want, Range) else value == want)
        for value, want in zip(entry, wanted, strict=True)
    )


# --- draws whose values are released --------------------------------------------------------


def releases(body: Body) -> dict[int, tuple[ir.Append, ...]]:
    """Return, by the ids of draws, the appends behind them in the same body that mention what is drawn."""
    found: dict[int, tuple[ir.Append, ...]] = {}
    for block in _bodies(body):
        for place, statement in enumerate(block):
            if isinstance(statement, ir.Draw):
                behind = tuple(_mentioning(block[place + 1 :], statement.target))
                if behind:
                    found[id(statement)] = behind
    return found


def _bodies(body: Body) -> Iterator[Body]:
    yield body
    for statement in body:
        for inner in ir.blocks(statement):
            yield from _bodies(inner)


def _mentioning(body: Body, target: str) -> Iterator[ir.Append]:
    for statement in ir.statements(body):
        if isinstance(statement, ir.Append) and any(target in names(value) for value in statement.values):
            yield statement
