"""Runs that look for one event: states that can't give it any more are dropped at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError, compared
from synth.refuter.exact.decided import Decided, sites
from synth.refuter.exact.evaluation import Evaluate
from synth.refuter.exact.events import Event
from synth.refuter.exact.execution import Machine
from synth.refuter.exact.foresight import Body, First, Rows, first_entries, releases
from synth.refuter.exact.forms import Form, Range, Wanted
from synth.refuter.exact.lists import read_lists
from synth.refuter.exact.states import (
    DroppedMass,
    Entry,
    Item,
    PrecisionLoss,
    State,
    UndeterminedBranch,
    cut_at,
)
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import length_name


def streamed(mechanism: ir.Mechanism) -> dict[str, int]:
    """Lists that every return gives out, in one place, with all that was ever appended: name to place.

    Their entries can be compared with an event as they are appended.
    """
    everything = list(ir.statements(mechanism.body))
    returns = [item.lists for item in everything if isinstance(item, ir.Return)]
    made = Counter(item.target for item in everything if isinstance(item, ir.NewList))
    looped = {item.target for item in _inside_loops(mechanism.body, False) if isinstance(item, ir.NewList)}
    if not returns:
        return {}
    return {
        name: place
        for place, name in enumerate(returns[0])
        if made[name] == 1 and name not in looped and all(_only_at(name, place, lists) for lists in returns)
    }


def _only_at(name: str, place: int, lists: tuple[str, ...]) -> bool:
    return [number for number, other in enumerate(lists) if other == name] == [place]


def _inside_loops(body: tuple[ir.Statement, ...], inside: bool) -> list[ir.Statement]:
    found: list[ir.Statement] = []
    for statement in body:
        if inside:
            found.append(statement)
        for inner in ir.blocks(statement):
            found += _inside_loops(inner, inside or isinstance(statement, ir.Loop))
    return found


@dataclass
class Matching:
    """Sums up, per side, the mass of runs that give the event: surely, and at the most."""

    mechanism: ir.Mechanism
    event: Event
    sure: dict[int, arb] = field(default_factory=dict)
    possible: dict[int, arb] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.streamed = streamed(self.mechanism)
        returned = {
            name
            for item in ir.statements(self.mechanism.body)
            if isinstance(item, ir.Return)
            for name in item.lists
        }
        self.decided = Decided(sites(self.mechanism.body))
        self.returned = _returned(self.mechanism, self.event)
        self.whole = frozenset(returned - self.streamed.keys())
        self.kept = read_lists(self.mechanism) | self.whole
        self.rows = {name: self.event.lists[place] for name, place in self.streamed.items()}
        self.releases = releases(self.mechanism.body)
        self.first: dict[tuple[int, str], First] = {}

    def append(self, machine: Machine, states: list[State], statement: ir.Append) -> list[State]:
        """States whose entry is the one wanted."""
        place = self.streamed.get(statement.target)
        rows = None if place is None else self.event.lists[place]
        parts = [machine.evaluator(value) for value in statement.values]
        counter = length_name(statement.target)

        def entry(state: State) -> Entry | None:
            values: Entry = tuple(part(state) for part in parts)
            if rows is not None:
                length = state.values[counter]
                assert isinstance(length, int)
                if length >= len(rows) or not _match(state, values, rows[length]):
                    return None
            return values

        after = []
        for state, values in machine.ask(entry, states):
            if values is not None:
                state.append(statement.target, values)
                after.append(state)
        return after

    def finish(self, machine: Machine, states: list[State], statement: ir.Return) -> None:
        """Count the states that give the event."""
        parts = [machine.evaluator(value) for value in statement.values]

        def matches(state: State) -> bool:
            for place, name in enumerate(statement.lists):
                rows = self.event.lists[place]
                if state.values[length_name(name)] != len(rows):
                    return False
                if name not in self.streamed:
                    pairs = zip(state.lists[name], rows, strict=True)
                    if not all(_match(state, row, wanted) for row, wanted in pairs):
                        return False
            return _match(state, tuple(part(state) for part in parts), self.event.values)

        for state, truth in machine.ask(matches, states):
            if truth:
                mass = state.mass()
                self.possible[state.side] = self.possible.get(state.side, arb(0)) + mass
                if state.sure:
                    self.sure[state.side] = self.sure.get(state.side, arb(0)) + mass

    def prune(self, machine: Machine, states: list[State]) -> list[State]:
        """Those of which no returned value is decided, and another one than is wanted."""
        if not self.decided.sites or not self.returned:
            return states
        return [state for state in states if self._may_match(machine, state)]

    def follow(self, body: Body, states: list[State]) -> list[State]:
        """Those from which the branch doesn't surely append another entry than is wanted next."""
        for name, rows in self.rows.items():
            first = self._first(body, name)
            if not first.runs_through and not first.leaves:
                states = [state for state in states if first.may_be(_next(state, name, rows))]
        return states

    def _first(self, body: Body, name: str) -> First:
        key = id(body), name
        if key not in self.first:
            self.first[key] = first_entries(body, name)
        return self.first[key]

    def cut(self, machine: Machine, state: State, statement: ir.Draw) -> list[State]:
        """Parts in which it is known whether what is drawn is in the ranges that are wanted next."""
        number = max(state.noises)
        places: set[int | Fraction] = set()
        for item in self.releases.get(id(statement), ()):
            wanted = _next(state, item.target, self.rows.get(item.target, ()))
            for value, want in zip(item.values, wanted or (), strict=False):
                if isinstance(want, Range):
                    places |= _ends_of(machine.evaluator(value), state, number, want)
        return cut_at(state, number, places) if places else [state]

    def _may_match(self, machine: Machine, state: State) -> bool:
        wrong = {
            name
            for name, wanted in self.returned.items()
            if isinstance(value := state.values.get(name), int | Fraction)
            and not _match(state, (value,), (wanted,))
        }
        return not wrong or not wrong & self.decided.variables(machine, state)


def _returned(mechanism: ir.Mechanism, event: Event) -> dict[str, Wanted]:
    """The variables that the only return gives out, with what is wanted of them."""
    returns = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Return)]
    if len(returns) != 1:
        return {}
    pairs = zip(returns[0].values, event.values, strict=True)
    return {value.name: wanted for value, wanted in pairs if isinstance(value, ir.Variable)}


def _next(state: State, name: str, rows: Rows) -> tuple[Wanted, ...] | None:
    """The entry that is wanted next of a list; None if there is none."""
    length = state.values.get(length_name(name))
    return rows[length] if isinstance(length, int) and length < len(rows) else None


def _ends_of(value: Evaluate, state: State, number: int, want: Range) -> set[int | Fraction]:
    """Where a noise puts a value that depends on it alone on the ends of a range."""
    try:
        form = value(state)
    except (UndeterminedBranch, PrecisionLoss, DroppedMass, UndefinedError, KeyError):
        return set()
    match form:
        case Form(constant=constant, terms=((newest, factor),)) if newest == number:
            ends = [end for end in (want.low, want.high) if not isinstance(end, float)]
            return {(end - constant) / Fraction(factor) for end in ends}
    return set()


def _match(state: State, values: Entry, wanted: tuple[Wanted, ...]) -> bool:
    return len(values) == len(wanted) and all(
        _is(state, value, want) for value, want in zip(values, wanted, strict=True)
    )


def _is(state: State, value: Item, wanted: Wanted) -> bool:
    assert not isinstance(value, Range)
    if not isinstance(wanted, Range):
        return compared(state, "==", value, wanted)
    if not isinstance(wanted.low, float) and compared(state, "<", value, wanted.low):
        return False
    return isinstance(wanted.high, float) or compared(state, "<", value, wanted.high)
