"""Merging states: what nothing reads any more is dropped, and states that are then equal become one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate

from flint import arb

from synth.refuter.exact.forms import Form
from synth.refuter.exact.laws import Bound, Noise, mass, noise_in
from synth.refuter.exact.states import Settled, State

Names = tuple[str, ...]


def merge(states: Iterable[State], live: Names) -> list[State]:
    """The same distribution over the live variables, in fewer states; the states given are used up."""
    states = list(states)
    for state in states:
        _forget(state, live)
    states = _united(states)
    for lower in (True, False):
        fewer = _flattened(states, lower)
        if fewer is not states:
            states = _united(fewer)
    return states


def _united(states: Iterable[State]) -> list[State]:
    """Equal states made one."""
    alike: dict[object, list[State]] = defaultdict(list)
    for state in states:
        alike[state.side, state.doubt, *map(id, state.noises.values())].append(state)
    united: list[State] = []
    for group in alike.values():
        united += group if len(group) == 1 else _united_of(group)
    return united


def _united_of(states: Iterable[State]) -> Iterable[State]:
    merged: dict[object, State] = {}
    for state in states:
        old = merged.setdefault(_key(state), state)
        if old is not state:
            old.weight = old.weight + state.weight
    return merged.values()


def identity(state: State) -> tuple[object, ...]:
    """What tells a state from others, its weight left out."""
    return (*_key(state), *state.noises.values())


def _key(state: State) -> tuple[object, ...]:
    return state.side, state.doubt, tuple(state.values.items()), tuple(state.lists.items())


# --- nested ranges --------------------------------------------------------------------------


def _flattened(states: list[State], lower: bool) -> list[State]:
    """States that differ in one end of the range of the noise cut last only, with ranges made disjoint.

    n ranges with one end in common become n cells, whose weights are sums of weights; so a running
    maximum of noisy values needs as many states as there are cells, not their square.
    """
    cut = {id(state): _last_cut(state) for state in states if state.noises}
    if _all_apart(states, cut, lower):
        return states
    groups: dict[object, list[State]] = defaultdict(list)
    result: list[State] = []
    for state in states:
        if state.noises and state.noises[cut[id(state)]].point is None:
            groups[_but_one_end(state, cut[id(state)], lower)].append(state)
        else:
            result.append(state)
    if len(groups) + len(result) == len(states):
        return states
    for group in groups.values():
        result += _cells(group, cut[id(group[0])], lower) if len(group) > 1 else group
    return result


def _all_apart(states: list[State], cut: Mapping[int, int], lower: bool) -> bool:
    """Whether the other ends of the ranges tell all states apart."""
    ends = set()
    for state in states:
        if state.noises:
            last = state.noises[cut[id(state)]]
            ends.add((state.side, state.doubt, last.high if lower else last.low))
    return len(ends) == len(states)


def _but_one_end(state: State, number: int, lower: bool) -> tuple[object, ...]:
    last = state.noises[number]
    others = tuple(noise for other, noise in state.noises.items() if other != number)
    return (*_key(state), number, others, last.law, last.high if lower else last.low)


def _last_cut(state: State) -> int:
    """The newest noise of which something is known; the newest one if there is none."""
    for number in reversed(state.noises):
        if not state.noises[number].is_whole:
            return number
    return max(state.noises)


def _cells(group: list[State], newest: int, lower: bool) -> list[State]:
    """Ranges [a, z] with several a become [a0, a1), [a1, a2), …; if not ``lower``, mirrored."""
    noise = group[0].noises[newest]
    step = 1 if noise.law.is_integer else 0
    group = sorted(group, key=lambda state: _end(state, newest, lower), reverse=not lower)
    ends = [_end(state, newest, lower) for state in group]
    weights: Iterable[arb] = accumulate(state.weight for state in group)
    result = []
    for state, end, following, weight in zip(group, ends, [*ends[1:], None], weights, strict=True):
        if lower:
            cell = (end, noise.high if following is None else following - step)
        else:
            cell = (noise.low if following is None else following + step, end)
        part = state.restricted(newest, *cell) if cell[0] == cell[1] else state
        if part is state:
            state.noises[newest] = noise_in(noise.law, *cell)
            state.weight = weight
        else:
            part.weight = weight * mass(noise.law, *cell)
        result.append(part)
    return result


def _end(state: State, number: int, lower: bool) -> Bound:
    return state.noises[number].low if lower else state.noises[number].high


# --- what is dead ---------------------------------------------------------------------------


def _forget(state: State, live: Names) -> None:
    """Keep live variables and lists, in the order given, then only the noise that they mention."""
    values = state.values
    state.values = {name: values[name] for name in live if name in values}
    if state.lists:
        lists = state.lists
        state.lists = {name: lists[name] for name in live if name in lists}
    if not state.noises:
        return
    used = _used(state.values.values())
    for rows in state.lists.values():
        if not isinstance(rows, Settled):
            for row in rows:
                used |= _used(row)
    kept: dict[int, Noise] = {}
    numbers: dict[int, int] = {}
    for number in sorted(state.noises):
        noise = state.noises[number]
        if number in used:
            numbers[number] = len(kept)
            kept[len(kept)] = noise
        else:
            state.weight = state.weight * noise.mass
    state.noises = kept
    if any(old != new for old, new in numbers.items()):
        _renumber(state, numbers)


def _used(items: Iterable[object]) -> set[int]:
    return {number for item in items if isinstance(item, Form) for number, _ in item.terms}


def _renumber(state: State, numbers: Mapping[int, int]) -> None:
    for name, value in state.values.items():
        if isinstance(value, Form):
            state.values[name] = value.renumbered(numbers)
    for name, rows in state.lists.items():
        if not isinstance(rows, Settled):
            state.lists[name] = tuple(
                tuple(item.renumbered(numbers) if isinstance(item, Form) else item for item in row)
                for row in rows
            )
