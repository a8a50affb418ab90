"""Loops that noise leaves early, as loops that go on to their end.

Couplings keep the two runs in one round.  That costs more than is needed where nobody learns in which round
a loop was left, as in ``any(laplace(x, s) >= t for x in xs)``.  So it is left by a flag first, at the end of
a round; then, by a step, it counts on without doing anything else; and at last what draws and computes no
longer asks for the flag, so that both runs draw in each round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from synth.prover.normal_form.structured_exits import normalize
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import counting
from synth.trusted.program.dataflow import (
    Analysis,
    Body,
    assigned,
    names,
    with_blocks,
)

Place = tuple[int, ...]
_FLAG, _ROUND = "left%", "round%"


@dataclass(frozen=True)
class Flagged:
    """The program in which a loop is left by a flag."""

    program: ir.Mechanism
    flag: str


class _Unsuitable(Exception):
    """What can't be done in rounds that do nothing."""


def counters_of_early_loops(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """Return what loops count with that draw, and may be left early in one way, the inner ones first."""
    return tuple(item.counter for item in reversed(list(_early_loops(mechanism))))


def flagged(mechanism: ir.Mechanism, counter: str) -> Flagged | None:
    """Return the program in which the loop with that counter is left by a flag; None without such a loop."""
    early = next((item for item in _early_loops(mechanism) if item.counter == counter), None)
    if early is None:
        return None
    flag = early.flag or _fresh(_FLAG, mechanism)

    def inside(body: Body) -> Body:
        result: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Block) and item.body[:1] == (early.ends.loop,):
                moved = [_last(result, name) for name in (counter, early.flag) if name is not None]
                first = [part for part in moved if part is not None]
                result = [*(part for part in result if part not in first), *first]
                result += [item] if early.flag else _by_flag(item, early, flag)
            else:
                result.append(with_blocks(item, inside))
        return tuple(result)

    variables = {**mechanism.variables, flag: ir.Sort.BOOL}
    return Flagged(normalize(replace(mechanism, body=inside(mechanism.body), variables=variables)), flag)


def place_of(mechanism: ir.Mechanism, flag: str) -> Place | None:
    """Return where the block stands whose loop is left by a flag."""

    def found(body: Body, place: Place) -> Iterator[Place]:
        for number, item in enumerate(body):
            match body[max(number - 1, 0) : number + 1]:
                case (ir.Assign(target=name, value=builders.FALSE), ir.Block()) if name == flag:
                    yield (*place, number)
            for side, inner in enumerate(ir.blocks(item)):
                yield from found(inner, (*place, number, side))

    return next(found(mechanism.body, ()), None)


def flags_of_idle_rounds(mechanism: ir.Mechanism) -> tuple[str, ...]:
    """Return the variables without which rounds of loops draw nothing, as ``if not found:`` says."""
    return tuple(
        {
            inner.name: None
            for item in ir.statements(mechanism.body)
            if isinstance(item, ir.Loop)
            for part in item.body
            if isinstance(part, ir.If) and _only_computes((part,))
            if isinstance(inner := builders.negate(part.condition), ir.Variable)
            and inner.name in assigned(item.body)
        }
    )


def drawing_on(mechanism: ir.Mechanism, flag: str) -> ir.Mechanism | None:
    """Return the program in which the rounds that do nothing draw, too; None if they can't."""
    mechanism = normalize(mechanism)
    unset = builders.negate(ir.Variable(flag, ir.Sort.BOOL))
    live = Analysis(mechanism).live_at_loop

    def inside(body: Body) -> Body:
        return tuple(map(one, body))

    def one(item: ir.Statement) -> ir.Statement:
        if isinstance(item, ir.Loop):
            return replace(item, body=tuple(_round(item.body, live[item.loop])))
        return with_blocks(item, inside)

    def _round(body: Body, carried: frozenset[str]) -> Iterator[ir.Statement]:
        for item in body:
            if isinstance(item, ir.If) and item.condition == unset and not item.otherwise:
                yield from _free(item.then, flag, carried)
            else:
                yield one(item)

    try:
        return replace(mechanism, body=inside(mechanism.body))
    except _Unsuitable:
        return None


@dataclass(frozen=True)
class _Ends:
    """The ends of rounds that leave a loop: an exit, and what is assigned before it that no round changes.

    ``before`` is assigned above the loop.
    """

    loop: ir.Loop
    before: frozenset[str]

    def found(self) -> set[Body]:
        """What ends there are."""
        ends: list[Body] = []

        def note(end: Body) -> Body:
            ends.append(end)
            return end

        self.replaced(note)
        return {tuple(map(self._here, end)) for end in ends}

    def replaced(self, change: Callable[[Body], Body]) -> Body:
        """What the loop does in a round, with other ends."""
        return self._inside(self.loop.body[1:], frozenset(), change)

    def _inside(self, body: Body, labels: frozenset[str], change: Callable[[Body], Body]) -> Body:
        def inner(body: Body, around: frozenset[str]) -> Body:
            return self._inside(body, around, change)

        result: list[ir.Statement] = []
        for item in body:
            if isinstance(item, ir.Return) or (isinstance(item, ir.Exit) and item.label not in labels):
                first = len(result)
                while first and self._stays(result[first - 1]):
                    first -= 1
                result[first:] = change((*result[first:], item))
                return tuple(result)
            around = labels | {item.label} if isinstance(item, ir.Block) else labels
            result.append(with_blocks(item, partial(inner, around=around)))
        return tuple(result)

    def _here(self, item: ir.Statement) -> ir.Statement:
        """An assignment or exit as if it stood where the loop does."""
        assert isinstance(item, ir.Assign | ir.Exit | ir.Return)
        return replace(item, span=self.loop.span)

    def _stays(self, item: ir.Statement) -> bool:
        """Whether a statement gives a variable its first value, which doesn't depend on the round."""
        return (
            isinstance(item, ir.Assign)
            and item.target not in self.before
            and assigned(self.loop.body).isdisjoint(names(item.value))
        )


@dataclass(frozen=True)
class _Early:
    """A loop that may be left early: what it counts with, and the flag that its head asks for, if any."""

    counter: str
    ends: _Ends
    flag: str | None = None


def _early_loops(mechanism: ir.Mechanism) -> Iterator[_Early]:
    """Give the loops that draw, give nothing out, and may be left early in one way."""
    before: set[str] = set()
    for item in ir.statements(mechanism.body):
        if isinstance(item, ir.Loop) and _only_computes(item.body):
            yield from _early(_Ends(item, frozenset(before)))
        before |= assigned((item,)) if not ir.blocks(item) else set()


def _only_computes(body: Body) -> bool:
    """Whether a body draws, and gives nothing out."""
    inside = list(ir.statements(body))
    return any(isinstance(item, ir.Draw | ir.Choose) for item in inside) and not any(
        isinstance(item, ir.Append | ir.NewList | ir.Loop | ir.Assume) for item in inside
    )


def _early(ends: _Ends) -> Iterator[_Early]:
    """Give the ways in which a loop may be left early, if there is one."""
    loop, found = ends.loop, ends.found()
    counts = counting(loop)
    if counts is not None and len(found) == 1:
        yield _Early(counts[0], ends)
    match loop.body:
        case (ir.If(condition=condition) as head, *rest) if not found:
            for part in builders.disjuncts(condition):
                others = (item for item in builders.disjuncts(condition) if item != part)
                plain = replace(head, condition=builders.either(*others))
                counts = counting(replace(loop, body=(plain, *rest)))
                if counts is not None and isinstance(part, ir.Variable):
                    yield _Early(counts[0], ends, part.name)


def _by_flag(block: ir.Block, early: _Early, flag: str) -> Iterator[ir.Statement]:
    """The flag, the block, and how the loop would have ended."""
    loop, span = early.ends.loop, early.ends.loop.span
    label = f"{_ROUND}{flag.removeprefix(_FLAG)}"
    ((*assignments, last),) = early.ends.found()
    steps = [item for item in loop.body if isinstance(item, ir.Assign) and item.target == early.counter]
    leave = ir.Assign(flag, builders.TRUE, span), ir.Exit(label, span)
    others = tuple(item for item in early.ends.replaced(lambda _: leave) if item not in steps)
    left = ir.Variable(flag, ir.Sort.BOOL)
    end = ir.If(0, left, (ir.Exit(block.label, span),), (), span)
    yield ir.Assign(flag, builders.FALSE, span)
    yield replace(block, body=(replace(loop, body=(loop.body[0], ir.Block(label, others), *steps, end)),))
    is_own = isinstance(last, ir.Exit) and last.label == block.label
    behind = tuple(assignments) if is_own else (*assignments, last)
    if behind:
        yield ir.If(0, left, behind, (), span)


def _last(body: Sequence[ir.Statement], name: str) -> ir.Assign | None:
    """The last assignment of a variable."""
    found = [item for item in body if isinstance(item, ir.Assign) and item.target == name]
    return found[-1] if found else None


def _free(body: Body, flag: str, carried: frozenset[str]) -> Iterator[ir.Statement]:
    """The statements of a round as such that change nothing where the flag is set.  Raises _Unsuitable."""
    unset = builders.negate(ir.Variable(flag, ir.Sort.BOOL))
    for item in body:
        match item:
            case ir.If():
                yield with_blocks(item, lambda inner: tuple(_free(inner, flag, carried)))
            case ir.Assign(target=name) if name in carried and (name, item.value) != (flag, builders.TRUE):
                yield ir.If(0, unset, (item,), (), item.span)
            case ir.Draw(target=name) | ir.Choose(target=name) if name in carried:
                raise _Unsuitable
            case ir.Assign() | ir.Draw() | ir.Choose() | ir.Obligation():
                yield item
            case _:
                raise _Unsuitable


def _fresh(prefix: str, mechanism: ir.Mechanism) -> str:
    return next(
        name
        for n in range(len(mechanism.variables) + 1)
        if (name := f"{prefix}{n}") not in mechanism.variables
    )
