"""Lists whose lengths are private: couplings can't relate them, but what is computed from their entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from synth.prover.normal_form.draw_hoisting import Hoister
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
    with_blocks,
)
from synth.trusted.program.substitution import replaced


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


def readers(mechanism: ir.Mechanism, lists: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Return where loops over one of these lists stand."""

    def is_reader(item: ir.Statement) -> bool:
        match item:
            case ir.Block(body=(ir.Loop(body=(ir.If(condition=ir.Operation(operands=(first, *_))), *_)),)):
                return isinstance(first, ir.Length) and first.sequence in lists
        return False

    return (place for place, item in _placed(mechanism.body, ()) if is_reader(item))


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


def without_unread_lists(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism without the local lists that are neither read nor returned."""
    kept = _read(mechanism) | set(map(length_name, returned_lists(mechanism)))

    def inside(body: Body) -> Body:
        return tuple(
            with_blocks(item, inside)
            for item in body
            if not isinstance(item, ir.NewList | ir.Append) or length_name(item.target) in kept
        )

    return replace(mechanism, body=inside(mechanism.body))


def _read(mechanism: ir.Mechanism) -> set[str]:
    """Variables, and lists by the names of their lengths, that expressions mention."""
    values = (value for item in ir.statements(mechanism.body) for value in expressions(item))
    return {name for value in values for name in names(value)}


def _placed(body: Body, place: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ir.Statement]]:
    for number, item in enumerate(body):
        yield (*place, number), item
        for side, inner in enumerate(ir.blocks(item)):
            yield from _placed(inner, (*place, number, side))
