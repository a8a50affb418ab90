"""Lists whose lengths are private: couplings can't relate them, but what is computed from their entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.prover.normal_form.known_names import made_of
from synth.prover.normal_form.late_draws import times_assigned
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    exited,
    expressions,
    length_name,
    names,
    returned_lists,
    target,
    with_blocks,
)
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.rewriting import Repeat

_MAKES = ir.NewList | ir.Append | ir.Assign


def private_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the local lists that are not returned, and to which private data decide what is appended."""
    parts = Hoister(mechanism).parts

    def is_left(item: ir.Statement) -> bool:
        """Whether private data decide that the rest of a block is passed over."""
        branches = (
            part for part in ir.statements((item,)) if isinstance(part, ir.If) and parts(part.condition)
        )
        return isinstance(item, ir.Block) and any(item.label in exited((part,)) for part in branches)

    def found(body: Body, decided: bool) -> Iterator[str]:
        for item in body:
            if isinstance(item, ir.Append) and decided:
                yield item.target
            inside = decided or (isinstance(item, ir.If) and parts(item.condition)) or is_left(item)
            for inner in ir.blocks(item):
                yield from found(inner, inside)

    return frozenset(found(mechanism.body, False)) - returned_lists(mechanism)


def computed_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the local lists that are not returned, and whose entries are computed, but not with noise."""
    computed = {
        item.target
        for item in ir.statements(mechanism.body)
        if isinstance(item, ir.Append)
        and any(isinstance(value, ir.Operation | ir.Constant) for value in item.values)
    }
    return frozenset(computed & lists_without_noise(mechanism))


def lists_without_noise(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the local lists that are not returned, and of which no entry is made of noise."""
    draws = {item.target for item in ir.statements(mechanism.body) if isinstance(item, ir.Choose | ir.Draw)}
    return frozenset(mechanism.lists.keys() - made_of(mechanism.body, draws)) - returned_lists(mechanism)


def public_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the local lists that public data alone decide."""
    decided = Hoister(mechanism)
    return frozenset(mechanism.lists.keys() - decided.private - decided.noisy) - private_lists(mechanism)


def readers(mechanism: ir.Mechanism, lists: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Return where loops over one of these lists stand."""

    def is_reader(item: ir.Statement) -> bool:
        match item:
            case ir.Block(body=(ir.Loop(body=(ir.If(condition=ir.Operation(operands=(first, *_))), *_)),)):
                return isinstance(first, ir.Length) and first.sequence in lists
        return False

    return (place for place, item in _placed(mechanism.body, ()) if is_reader(item))


def has_noise_by_entry(mechanism: ir.Mechanism, name: str) -> bool:
    """Whether a loop draws by entries that a list gets one by one: couplings relate such entries."""
    loops = (_body_at(mechanism.body, place)[place[-1]] for place in readers(mechanism, frozenset({name})))
    draws = any(isinstance(item, ir.Choose | ir.Draw) for loop in loops for item in ir.statements((loop,)))
    making = [
        item for item in ir.statements(mechanism.body) if isinstance(item, ir.Loop) and _grows(item, name)
    ]
    inner = (item for loop in making for item in ir.statements(loop.body) if isinstance(item, ir.Loop))
    return draws and not any(loop not in making for loop in inner)


def marks_a_place(mechanism: ir.Mechanism, name: str) -> bool:
    """Whether a list has another entry at one place than elsewhere: no coupling relates it entry by entry."""
    return any(
        isinstance(item, ir.Append) and item.target == name and any(map(_is_marked, item.values))
        for item in ir.statements(mechanism.body)
    )


def _is_marked(value: ir.Expression) -> bool:
    match value:
        case ir.Operation(ir.Operator.IF, (ir.Operation(ir.Operator.EQUAL), *_)):
            return True
        case _:
            return False


def _grows(loop: ir.Loop, name: str) -> bool:
    return any(isinstance(item, ir.Append) and item.target == name for item in ir.statements(loop.body))


def again_before_readers(mechanism: ir.Mechanism, name: str) -> Repeat | None:
    """Return the step that makes a list again for loops over it in other bodies; None if there are none."""
    made = [place for place, item in _placed(mechanism.body, ()) if _makes(item, name)]
    length = None if len(made) != 1 else _length(_body_at(mechanism.body, made[0]), made[0][-1], name)
    if length is None:
        return None
    there = (place for place in readers(mechanism, frozenset({name})) if place > made[0])
    before = tuple(_first(mechanism.body, place) for place in there if place[:-1] != made[0][:-1])
    return Repeat(made[0], length, before) if before else None


def _makes(item: ir.Statement, name: str) -> bool:
    return isinstance(item, ir.NewList) and item.target == name


def _length(body: Body, start: int, name: str) -> int | None:
    """How many statements from a place on make a list, up to the last one that appends to it."""
    last = [
        number
        for number, item in enumerate(body)
        if any(isinstance(part, ir.Append) and part.target == name for part in ir.statements((item,)))
    ]
    return last[-1] - start + 1 if last and last[0] > start else None


def _first(body: Body, place: tuple[int, ...]) -> tuple[int, ...]:
    """Where the assignments begin that stand before a loop, and are of what it assigns."""
    around, number = _body_at(body, place), place[-1]
    own = assigned((around[number],))
    while number and isinstance(item := around[number - 1], ir.Assign) and item.target in own:
        number -= 1
    return (*place[:-1], number)


def _body_at(body: Body, place: tuple[int, ...]) -> Body:
    """The body in which the statement at a place stands."""
    for number, side in zip(place[:-1:2], place[1::2], strict=True):
        body = tuple(ir.blocks(body[number]))[side]
    return body


def by_entry(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism with loops over positions of a list as loops over the list.

    ``len(xs)`` stands for a variable that holds it, and the counter for a copy of it.
    """
    times = times_assigned(mechanism.body)
    lengths: dict[str, ir.Expression] = {
        item.target: item.value
        for item in ir.statements(mechanism.body)
        if isinstance(item, ir.Assign) and isinstance(item.value, ir.Length) and times[item.target] == 1
    }

    def one(item: ir.Statement) -> ir.Statement:
        match item:
            case ir.Loop(body=(ir.If() as guard, *rest)) if names(guard.condition) & lengths.keys():
                guard = replace(guard, condition=replaced(guard.condition, lengths))
                count = item.count and replaced(item.count, lengths)
                return replace(item, body=(guard, *_without_copy(tuple(rest))), count=count)
        return with_blocks(item, inside)

    def inside(body: Body) -> Body:
        return tuple(map(one, body))

    return replace(mechanism, body=inside(mechanism.body))


def _without_copy(body: Body) -> Body:
    """The body of a loop that reads its counter where it read a copy of it."""
    match body:
        case (ir.Assign(target=copy, value=ir.Variable() as counter) as first, *rest, last) if not (
            {copy, counter.name} & assigned(rest)
        ):
            return (first, *_replaced(tuple(rest), {copy: counter}), last)
    return body


def _replaced(body: Body, values: Mapping[str, ir.Expression]) -> Body:
    return tuple(
        changed(item, lambda value: replaced(value, values), lambda inner: _replaced(inner, values))
        for item in body
    )


def measured(mechanism: ir.Mechanism, lists: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Return where those of these lists are made of which some length is read, once each."""
    read = _read(mechanism)
    left = {name for name in lists if length_name(name) in read}
    for place, item in _placed(mechanism.body, ()):
        if isinstance(item, ir.NewList) and item.target in left:
            left.discard(item.target)
            yield place


def without_unread(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism without the local lists, and variables, of which nothing is made that is read."""
    kept = _read(mechanism)

    def inside(body: Body) -> Body:
        return tuple(
            with_blocks(item, inside) for item in body if not isinstance(item, _MAKES) or target(item) in kept
        )

    return replace(mechanism, body=inside(mechanism.body))


def _read(mechanism: ir.Mechanism) -> set[str]:
    """Variables, and lists by the names of their lengths, that are read, or that such are made of."""
    found = set(map(length_name, returned_lists(mechanism)))
    makes: list[tuple[str | None, set[str]]] = []
    for item in ir.statements(mechanism.body):
        read = {name for value in expressions(item) for name in names(value)}
        if isinstance(item, _MAKES):
            makes.append((target(item), read))
        else:
            found |= read
    while any(name in found and not read <= found for name, read in makes):
        found.update(*(read for name, read in makes if name in found))
    return found


def _placed(body: Body, place: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ir.Statement]]:
    for number, item in enumerate(body):
        yield (*place, number), item
        for side, inner in enumerate(ir.blocks(item)):
            yield from _placed(inner, (*place, number, side))
