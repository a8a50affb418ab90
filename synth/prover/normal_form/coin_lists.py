"""Lists of coins that are combined with private data entry by entry: a coin is looked at where it is tossed.

``flips = [bernoulli(p) for i in range(k)]`` and then ``[bits[i] != flips[i] for i in range(k)]`` hide each
bit by its own coin.  What hides it is seen only where both are one draw, so the second loop becomes a loop
over the first list, which :mod:`synth.trusted.steps.streaming` takes to where the coins are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from synth.prover.normal_form.draw_hoisting import Hoister
from synth.prover.normal_form.known_names import made_of
from synth.prover.normal_form.late_draws import times_assigned
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import (
    Body,
    assigned,
    changed,
    exited,
    expressions,
    length_name,
    mentioned,
    names,
    returned_lists,
    with_blocks,
)
from synth.trusted.program.substitution import replaced
from synth.trusted.steps.streaming import mentions

REASON = "a list to which each round of a loop appends is as long as the loop has rounds"


def coin_lists(mechanism: ir.Mechanism) -> frozenset[str]:
    """Return the local lists of values that coins decide, if some loop combines one with private data.

    With them come the lists that such an expression reads beside them.
    """
    drawn = set(_hiding_with_others(mechanism))
    lists = frozenset(made_of(mechanism.body, drawn) & mechanism.lists.keys()) - returned_lists(mechanism)
    entries = made_of(mechanism.body, lists)
    is_private = Hoister(mechanism).is_private
    reading = [
        value
        for item in ir.statements(mechanism.body)
        for value in expressions(item)
        if mentioned(value) & entries
    ]
    beside = {name for value in reading for name in mentioned(value)} & mechanism.lists.keys()
    combined = any(map(is_private, reading))
    return (lists | beside) - returned_lists(mechanism) if combined else frozenset()


def _hiding_with_others(mechanism: ir.Mechanism) -> Iterator[str]:
    """Give draws of finitely many values, and noise with one side: a sign or another draw goes with it."""
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Choose(target=name) | ir.Draw(target=name, distribution="exponential"):
                yield name


def without_readers(mechanism: ir.Mechanism, lists: frozenset[str]) -> frozenset[str]:
    """Return those of these lists of which no entry is read."""
    read = {
        part.source
        for item in ir.statements(mechanism.body)
        for value in expressions(item)
        for part in ir.subexpressions(value)
        if isinstance(part, ir.Element)
    }
    return lists - read


def over_entries(mechanism: ir.Mechanism, lists: frozenset[str]) -> ir.Mechanism:
    """The mechanism with loops over the entries of such a list in place of loops with as many rounds.

    That there are as many entries is an obligation before the loop.
    """

    def inside(body: Body) -> Body:
        result: list[ir.Statement] = []
        for number, item in enumerate(body):
            result += _over_entries(item, body[:number], lists) or (with_blocks(item, inside),)
        return tuple(result)

    return replace(mechanism, body=inside(mechanism.body))


def _over_entries(item: ir.Statement, before: Body, lists: frozenset[str]) -> Body:
    """The loop over the last made of the lists that it reads, and what it takes for granted."""
    match item:
        case ir.Block(body=(ir.Loop(body=(ir.If(condition=condition) as first, *rest)) as loop,)):
            ends = _ends(condition)
        case _:
            return ()
    guards = [replace(first, condition=builders.less_equal(end, index)) for index, end in ends]
    counters = [counting(replace(loop, body=(guard, *rest))) for guard in guards]
    if not ends or None in counters:
        return ()
    index = ends[0][0]
    read = {
        part.source
        for inner in ir.statements(loop.body)
        for value in expressions(inner)
        for part in ir.subexpressions(value)
        if isinstance(part, ir.Element) and part.index == index
    }
    lengths = {length_name(source): source for source in read & lists}
    made = [name for other in before for name in assigned((other,)) if name in lengths]
    length = ir.Length(lengths[made[-1]]) if made else None
    others = [end for _, end in ends if end != length]
    if length is None or not others:
        return ()
    asked = (ir.Obligation("domain", builders.equal(length, end), REASON, loop.span) for end in others)
    guard = replace(first, condition=builders.less_equal(length, index))
    return *asked, replace(item, body=(replace(loop, body=(guard, *rest), count=loop.count and length),))


def _ends(condition: ir.Expression) -> list[tuple[ir.Variable, ir.Expression]]:
    """The counter and each end, where it is asked whether the counter has come to one of them."""
    found: list[tuple[ir.Variable, ir.Expression]] = []
    for part in builders.conjuncts(builders.negate(condition)):
        match part:
            case ir.Operation(ir.Operator.LESS, (ir.Variable() as index, end)):
                found.append((index, end))
            case _:
                return []
    return found if len({index for index, _ in found}) == 1 else []


def counted_last(mechanism: ir.Mechanism, counters: Collection[str]) -> ir.Mechanism:
    """The mechanism that counts in each body last, as far as nothing behind reads the counter there."""

    def inside(body: Body) -> Body:
        result: list[ir.Statement] = []
        last: list[ir.Statement] = []
        for number, item in enumerate(body):
            behind = body[number + 1 :]
            match item:
                case ir.Assign(target=name) if name in counters and all(_passes(it, name) for it in behind):
                    last.append(item)
                case _:
                    result.append(with_blocks(item, inside))
        return (*result, *last)

    return replace(mechanism, body=inside(mechanism.body))


def _passes(statement: ir.Statement, name: str) -> bool:
    """Whether control comes behind a statement, which neither reads nor assigns the variable."""
    within = tuple(ir.statements((statement,)))
    if any(isinstance(item, ir.Exit | ir.Return | ir.Block | ir.Loop) for item in within):
        return False
    return name not in assigned((statement,)) and all(
        name not in names(value) for item in within for value in expressions(item)
    )


def with_one_counter(mechanism: ir.Mechanism) -> ir.Mechanism:
    """The mechanism without variables that a loop counts beside its counter, from 0 on, last in each round.

    The loop stands in the mechanism's own body.
    """
    times = times_assigned(mechanism.body)
    zeros = {
        item.target
        for item in mechanism.body
        if isinstance(item, ir.Assign) and item.value == builders.ZERO and times[item.target] == 2
    }
    same: dict[str, ir.Expression] = {}
    for place, item in enumerate(mechanism.body):
        match item:
            case ir.Block(body=(ir.Loop() as loop,)):
                counter = counting(loop)
            case _:
                continue
        if counter is not None and counter[0] in zeros and not exited(loop.body[1:]):
            last = set(_counted_at_the_end(loop.body)) & zeros
            read = {name for before in mechanism.body[:place] for name in mentions((before,))}
            if counter[0] in last:
                same |= dict.fromkeys(last - read - {counter[0]}, ir.Variable(counter[0], ir.Sort.INT))
    return replace(mechanism, body=_with_values(mechanism.body, same)) if same else mechanism


def _counted_at_the_end(body: Body) -> Iterator[str]:
    """Give the variables that grow by 1 in the last statements of a body, and are not read there."""
    for item in reversed(body):
        match item:
            case ir.Assign(target=name, value=value) if value == builders.add(
                ir.Variable(name, ir.Sort.INT), builders.ONE
            ):
                yield name
            case _:
                return


def _with_values(body: Body, same: Mapping[str, ir.Expression]) -> Body:
    kept = (item for item in body if not (isinstance(item, ir.Assign) and item.target in same))
    return tuple(
        changed(item, lambda value: replaced(value, same), lambda inner: _with_values(inner, same))
        for item in kept
    )
