"""Runs that find out which outputs there are, and how probable each is on every side."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb

from synth.refuter.exact.arithmetic import compared
from synth.refuter.exact.events import Event
from synth.refuter.exact.execution import Machine
from synth.refuter.exact.forms import Form, Range, Value, Wanted
from synth.refuter.exact.laws import Bound, Enclosure
from synth.refuter.exact.lists import read_lists
from synth.refuter.exact.matching import streamed
from synth.refuter.exact.states import (
    DroppedMass,
    Entry,
    Item,
    ManyParts,
    PrecisionLoss,
    State,
    cut_between,
)
from synth.trusted.program import syntax as ir

SIDES = (0, 1)
_PENDING = "%output"
_REACH = 16
"""Numbers are told apart up to so many scales of their noise away."""

_MOST_HIDDEN = 50
"""So many states that only hidden noise tells apart are followed on each side."""

_OF_LIKELY = 0.02
"""What a beginning that is e times as likely may tell less."""

Cuts = tuple[int | Fraction, ...]


@dataclass(frozen=True)
class Detail:
    """How outputs are told apart.

    Numbers are told apart in steps of ``width`` where they are likely, in at most ``most`` of them, and
    in ``far`` ranges of doubling width on each side, or more where noise reaches further, which are cut
    again at ``extra``.  Of several numbers fewer are told apart, so that there are about ``cells`` outputs.
    Of more than ``beam`` beginnings of lists only those are followed that tell the two sides apart best, or
    those that are likely and those that one side gives more often.
    """

    most: int = 8
    far: int = 5
    width: int = 1
    cells: int = 1500
    beam: int = 24
    differing: bool = True
    extra: Cuts = ()


@dataclass
class Tally:
    """Masses of one output per side: of runs that surely give it, of those that may, and what is likely."""

    sure: list[arb] = field(default_factory=lambda: [arb(0), arb(0)])
    possible: list[arb] = field(default_factory=lambda: [arb(0), arb(0)])
    likely: list[float] = field(default_factory=lambda: [0.0, 0.0])


@dataclass
class Collecting:
    """Collects outputs; noise is published as the single value or the range in which it lies."""

    mechanism: ir.Mechanism
    detail: Detail
    found: dict[Event, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def __post_init__(self) -> None:
        read = read_lists(self.mechanism)
        self.observable_lists = frozenset(streamed(self.mechanism)) - read
        returned = {name for item in _returns(self.mechanism.body) for name in item.lists}
        self.kept = read | returned
        self.whole = frozenset(returned)

    def append(self, machine: Machine, states: list[State], statement: ir.Append) -> list[State]:
        """The states with the entry, published if the list is returned as it grows."""
        name = statement.target
        if name not in self.kept:
            return states
        parts = [machine.evaluator(value) for value in statement.values]
        if name in self.observable_lists:
            states = self.prune(machine, states)

        def values(state: State) -> Entry:
            return tuple(part(state) for part in parts)

        pairs: Iterable[tuple[State, Entry]] = machine.ask(values, states)
        if name in self.observable_lists:
            pairs = self._observe(machine, states, values)
        after = []
        for state, entry in pairs:
            state.append(name, entry)
            after.append(state)
        return after

    def finish(self, machine: Machine, states: list[State], statement: ir.Return) -> None:
        """Count the outputs."""
        parts = [machine.evaluator(value) for value in statement.values]

        def flat(state: State) -> Entry:
            rows = [row for name in statement.lists for row in state.lists[name]]
            values: list[Value] = [part(state) for part in parts]
            return (*values, *(item for row in rows for item in row))

        for state, items in self._observe(machine, states, flat):
            tally = self.found[_event(state, statement, items)]
            mass = state.mass()
            tally.possible[state.side] += mass
            tally.likely[state.side] += float(mass.mid()) / 2**state.doubt
            if state.sure:
                tally.sure[state.side] += mass

    def _observe(
        self, machine: Machine, states: Sequence[State], values: Callable[[State], Entry]
    ) -> list[tuple[State, tuple[Wanted, ...]]]:
        """The states with the parts of their outputs, split as finely as is told apart."""
        waiting = []
        for state, items in machine.ask(values, states):
            state.lists[_PENDING] = (items,)
            waiting.append(state)
        cuts = self._cuts(waiting)

        def located(state: State) -> tuple[Wanted, ...]:
            (items,) = state.lists[_PENDING]
            return tuple(_located(state, item, cut) for item, cut in zip(items, cuts, strict=False))

        result = []
        for state, wanted in machine.ask(located, waiting):
            del state.lists[_PENDING]
            result.append((state, wanted))
        return result

    def _cuts(self, states: Sequence[State]) -> list[Cuts]:
        """Per part, the ends of the ranges that are told apart."""
        seen = _Seen(self.detail.width)
        for state in states:
            seen.measure(state, state.lists[_PENDING][0])
        for state in states:
            seen.add(state, state.lists[_PENDING][0])
        moved = seen.moved()
        fine = _root(self.detail.cells, len(moved))
        rest = seen.weights.keys() - moved
        coarse = _root(self.detail.cells // fine ** len(moved), len(rest))
        cells = dict.fromkeys(moved, fine) | dict.fromkeys(rest, coarse)
        return [
            self._ladder(seen.total(place), cells[place], seen.sizes[place], seen.step(place))
            if place in cells
            else ()
            for place in range(seen.most)
        ]

    def _ladder(self, weights: Mapping[int, float], cells: int, size: float, width: int) -> Cuts:
        """Single steps where most of the mass is, then ranges that get twice as wide each: so many, about.

        ``size`` is the scale of the noise, ``width`` that of a step.
        """
        reach = math.ceil(math.log2(max(_REACH * size / width, 1)))
        far = min(max(self.detail.far, reach), (cells - 1) // 4)
        most = min(self.detail.most, cells - 2 - 2 * far)
        heaviest = max(weights, key=lambda step: (weights[step], -abs(step)))
        first, last = heaviest, heaviest
        while last - first < most:
            below, above = weights.get(first - 1, 0.0), weights.get(last + 1, 0.0)
            if below > above or (below == above and heaviest - first < last - heaviest):
                first -= 1
            else:
                last += 1
        away = [2**number - 1 for number in range(1, far + 1)]
        steps = (
            *(first - item for item in reversed(away)),
            *range(first, last + 1 if most >= 0 else first),
            *(last + item for item in away),
        )
        return tuple(sorted({*(step * width for step in steps), *self.detail.extra}))

    def prune(self, machine: Machine, states: list[State]) -> list[State]:
        """Beyond the beam, only the beginnings of lists that tell the sides apart best."""
        groups: dict[object, list[State]] = defaultdict(list)
        for state in states:
            groups[tuple(state.lists[name] for name in self.observable_lists if name in state.lists)].append(
                state
            )
        if len(groups) > self.detail.beam:
            groups = self._worthy(groups)
        return [state for group in groups.values() for state in _thinned(group)]

    def _worthy(self, groups: dict[object, list[State]]) -> dict[object, list[State]]:
        beam = self.detail.beam
        if not self.detail.differing:
            return {**_best(groups, _largest, beam // 2), **_best(groups, _gain, beam // 2)}
        one_sided = {key: group for key, group in groups.items() if 0.0 in _masses(group)}
        both_sided = {key: group for key, group in groups.items() if key not in one_sided}
        few = max(beam // 3, beam - len(both_sided))
        endless = _best(one_sided, _difference, few)
        return endless | _best(both_sided, _difference, beam - len(endless))

    def follow(self, body: tuple[ir.Statement, ...], states: list[State]) -> list[State]:
        """All of them: any output counts."""
        return states

    def cut(self, machine: Machine, state: State, statement: ir.Draw) -> list[State]:
        """The state as it is: where outputs are cut is not known yet."""
        return [state]


@dataclass
class _Seen:
    """Where an output's numbers lie: per part and side the mass of each step, and which parts share noise."""

    width: int
    weights: dict[int, tuple[dict[int, float], dict[int, float]]] = field(default_factory=dict)
    sizes: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    continuous: set[int] = field(default_factory=set)
    common: set[frozenset[int]] = field(default_factory=set)
    most: int = 0

    def measure(self, state: State, items: Entry) -> None:
        """Take in how wide the noise is in what a state gives."""
        self.most = max(self.most, len(items))
        for place, form in enumerate(items):
            if isinstance(form, Form):
                for number, factor in form.terms:
                    size = abs(float(factor)) * state.noises[number].law.size()
                    self.sizes[place] = max(self.sizes[place], size)
                if form.is_continuous(state.noises):
                    self.continuous.add(place)

    def step(self, place: int) -> int:
        """How wide a step is: of reals that vary much a power of 2, about a half of their noise's scale."""
        if place not in self.continuous:
            return self.width
        return max(self.width, 1 << math.floor(math.log2(max(self.sizes[place] / 2, 1))))

    def add(self, state: State, items: Entry) -> None:
        """Take in what a state gives."""
        forms = {place: item for place, item in enumerate(items) if isinstance(item, Form | Enclosure)}
        if not forms:
            return
        mass = float(state.mass().mid())
        readers: dict[int, set[int]] = defaultdict(set)
        for place, form in forms.items():
            center = (form.low + form.high) / 2 if isinstance(form, Enclosure) else form.center(state.noises)
            step = math.floor(center / Fraction(self.step(place)))
            steps = self.weights.setdefault(place, (defaultdict(float), defaultdict(float)))[state.side]
            steps[step] += mass
            for number, _ in () if isinstance(form, Enclosure) else form.terms:
                readers[number].add(place)
        self.common |= {frozenset(places) for places in readers.values()}

    def total(self, place: int) -> dict[int, float]:
        """The mass of each step, of both sides."""
        one, two = self.weights[place]
        return {step: one.get(step, 0.0) + two.get(step, 0.0) for step in one | two}

    def moved(self) -> set[int]:
        """The parts that are not alike on the two sides, with those of the same noise; all, if none."""
        found = {place for place, (one, two) in self.weights.items() if not _alike(one, two)}
        while more := {place for places in self.common if places & found for place in places} - found:
            found |= more
        return found or set(self.weights)


def _alike(one: Mapping[int, float], two: Mapping[int, float]) -> bool:
    return one.keys() == two.keys() and all(math.isclose(one[step], two[step], rel_tol=1e-6) for step in one)


def _root(cells: int, parts: int) -> int:
    """How many ranges each part may have."""
    return max(1, math.floor(cells ** (1 / parts) + 1e-9)) if parts else 1


def _best(
    groups: Mapping[object, list[State]], worth: Callable[[list[State]], tuple[float, float]], most: int
) -> dict[object, list[State]]:
    """The groups that are worth most."""
    return dict(sorted(groups.items(), key=lambda item: worth(item[1]), reverse=True)[:most])


def _thinned(group: list[State]) -> list[State]:
    """Fewer states in the place of many that hidden noise alone tells apart: the likeliest, weighing more."""
    if len(group) <= _MOST_HIDDEN:
        return group
    alike: dict[object, list[State]] = defaultdict(list)
    for state in group:
        known = tuple(item for item in state.values.items() if not isinstance(item[1], Form))
        alike[state.side, known].append(state)
    return [state for states in alike.values() for state in _likeliest(states)]


def _likeliest(states: list[State]) -> list[State]:
    if len(states) <= _MOST_HIDDEN:
        return states
    masses = [state.mass() for state in states]
    kept = sorted(range(len(states)), key=lambda place: -float(masses[place].mid()))[:_MOST_HIDDEN]
    rest = sum((masses[place] for place in kept), arb(0))
    if not rest > 0:
        return states
    factor = sum(masses, arb(0)) / rest
    for place in kept:
        states[place].weight = states[place].weight * factor
    return [states[place] for place in sorted(kept)]


def _difference(group: list[State]) -> tuple[float, float]:
    """How far apart the sides' masses are, as a ratio's logarithm, and then how large they are.

    What is unlikely has to tell more: there the cells of hidden noise end.
    """
    masses = _masses(group)
    if 0.0 in masses:
        return math.inf, max(masses)
    apart = abs(math.log(masses[0]) - math.log(masses[1]))
    return round(apart + _OF_LIKELY * math.log(max(masses)), 3), max(masses)


def _largest(group: list[State]) -> tuple[float, float]:
    """How likely a beginning is, on the side where it is likelier."""
    return max(_masses(group)), 0.0


def _gain(group: list[State]) -> tuple[float, float]:
    """By how much one side gives a beginning more often."""
    left, right = _masses(group)
    return abs(left - right), 0.0


def _masses(group: list[State]) -> list[float]:
    sides = [[state.mass() for state in group if state.side == side] for side in SIDES]
    return [float(sum(masses, arb(0)).mid()) for masses in sides]


def _located(state: State, item: Item, cuts: Cuts) -> Wanted:
    """The published value, or the range in which it lies."""
    if isinstance(item, Enclosure):
        return _around(item, cuts)
    if not isinstance(item, Form):
        return item
    continuous = item.is_continuous(state.noises)
    if not continuous and not _is_integer(item):
        raise PrecisionLoss(item)
    if not continuous:
        cuts = tuple(cut for cut in cuts if cut.denominator == 1)
    ends: tuple[Bound, ...] = (-math.inf, *cuts, math.inf)
    place = _place(state, item, cuts, continuous)
    low, high = ends[place], ends[place + 1]
    return int(low) if high - low == 1 and not continuous else Range(low, high)


def _around(value: Enclosure, cuts: Cuts) -> Range:
    """The range in which a value that is only enclosed surely lies.  Raises DroppedMass."""
    place = bisect_right(cuts, value.low)
    if place < len(cuts) and value.high >= cuts[place]:
        raise DroppedMass
    ends: tuple[Bound, ...] = (-math.inf, *cuts, math.inf)
    return Range(ends[place], ends[place + 1])


def _place(state: State, form: Form, cuts: Cuts, continuous: bool) -> int:
    """How many cuts the form surely is at or above.  Raises ManyParts, UndeterminedBranch."""
    low, high = form.bounds(state.noises)
    place = bisect_right(cuts, low)
    if place == len(cuts) or high < cuts[place] or (continuous and high == cuts[place]):
        return place
    *older, (newest, _) = form.terms
    if state.noises[newest].point is None and all(state.noises[item].point is not None for item, _ in older):
        parts = cut_between(state, form, cuts)
        if len(parts) > 1:
            raise ManyParts(parts)
    return bisect_left(cuts, True, key=lambda cut: compared(state, "<", form, cut))


def _is_integer(form: Form) -> bool:
    factors = (form.constant, *(factor for _, factor in form.terms))
    return all(Fraction(item).denominator == 1 for item in factors)


def _event(state: State, statement: ir.Return, items: Sequence[Wanted]) -> Event:
    """The output, from its parts in order."""
    rest = iter(items)
    values = tuple(next(rest) for _ in statement.values)
    lists = (tuple(tuple(next(rest) for _ in row) for row in state.lists[name]) for name in statement.lists)
    return Event(values, tuple(lists))


def _returns(body: tuple[ir.Statement, ...]) -> list[ir.Return]:
    return [item for item in ir.statements(body) if isinstance(item, ir.Return)]
