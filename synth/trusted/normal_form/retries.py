"""A loop that draws anew until it is left, and one round of it.

*Theorem.* Let :func:`one_round` make R of M, and R be (ε, 0)-private.  Then M is (2ε, 0)-private.

R returns ``True`` and what M returns, or ``False`` where M would begin another round.  What comes before the
loop draws nothing, and the loop carries nothing: what may be read at its head, it doesn't assign.  So on one
input all rounds begin in the same state, and each draws independently of those before.  Write r(S) for the
chance that R returns True and something of S, and t for the chance that it returns False.  M's output is in S
with chance r(S)·(1 + t + t² + …) = r(S)/(1 − t), or 0 if t = 1.

Take adjacent inputs 1 and 2, and S with r₁(S) > 0.  By R's privacy r₂(S) > 0, too.  So on neither input does
R end without output before the loop, where nothing is drawn; from there on R always ends.
Hence the chance of True is 1 − t₁ on the one and 1 − t₂ on the other.  Adjacency is symmetric, so r₁(S) ≤
exp(ε)·r₂(S) and 1 − t₂ ≤ exp(ε)·(1 − t₁); and r₁(S)/(1 − t₁) ≤ exp(2ε)·r₂(S)/(1 − t₂).  A δ would be divided
by 1 − t, so there is none.  A fact about two runs may hold in one order alone, so those are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from synth.trusted.program import builders
from synth.trusted.program import syntax as ir
from synth.trusted.program.counted_loops import surely_ends
from synth.trusted.program.dataflow import Analysis, Body, assigned, with_blocks, with_expressions
from synth.trusted.program.numbering import renumber
from synth.trusted.program.substitution import replaced

_DRAWS = ir.Draw | ir.Choose
_PLACES = {"span": ir.Span(1, 1), "site": 0, "branch": 0, "loop": 0}
"""What two statements that do the same may differ in."""


class NoRound(Exception):
    """The program has no loop of which one round says all; the message says why."""


def one_round(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Return the program that makes one round: whether it leaves the loop, and what is returned then.

    Raises NoRound.
    """
    body = mechanism.body
    if not all(fact.each for fact in mechanism.facts):
        raise NoRound("a fact about two runs may hold in one order alone")
    for form in (*_begun_inside(body), *_begun_before(body)):
        with suppress(NoRound):
            return _of_form(replace(mechanism, body=form))
    return _of_form(mechanism)


def _of_form(mechanism: ir.Mechanism) -> ir.Mechanism:
    """Raises NoRound."""
    before, loop, behind = _around_loop(mechanism.body)
    if _draws(before):
        raise NoRound("something is drawn before the loop")
    if not Analysis(mechanism).live_at_merges[id(loop)].isdisjoint(assigned(loop.body)):
        raise NoRound("a round depends on those before it")
    if not surely_ends((*loop.body, *behind)):
        raise NoRound("a round may not end")
    body = tuple(_with_round(mechanism.body, loop, _again(mechanism.body)))
    return replace(mechanism, body=renumber(body), output=None)


def _draws(body: Body) -> bool:
    return any(isinstance(item, _DRAWS) for item in ir.statements(body))


def _around_loop(body: Body) -> tuple[Body, ir.Loop, Body]:
    """The first statement that draws in a loop, with what comes before it and behind it.  Raises NoRound."""
    for place, item in enumerate(body):
        loops = (inner for inner in ir.statements((item,)) if isinstance(inner, ir.Loop))
        if not any(_draws(loop.body) for loop in loops):
            continue
        match item:
            case ir.Loop():
                return body[:place], item, body[place + 1 :]
            case ir.Block(body=inner):
                before, loop, behind = _around_loop(inner)
                return (*body[:place], *before), loop, (*behind, *body[place + 1 :])
        break
    raise NoRound("no loop draws anew")


def _begun_inside(body: Body) -> Iterator[Body]:
    """The body, where draws before the loop are those at its end: ``A; while: B; A`` is ``while: A; B``."""
    before, loop, _ = _around_loop(body)
    place = next(number for number, item in enumerate(body) if loop in ir.statements((item,)))
    if len(before) != place:
        return
    for size in range(1, 1 + min(place, len(loop.body))):
        if tuple(map(_bare, body[place - size : place])) == tuple(map(_bare, loop.body[-size:])):
            turned = replace(loop, body=(*loop.body[-size:], *loop.body[:-size]))
            yield (*body[: place - size], *_replaced(body[place:], loop, (turned,)))


def _begun_before(body: Body) -> Iterator[Body]:
    """The body, where the loop begins with what draws nothing: ``while: A; B`` is ``A; while: B; A``."""
    _, loop, _ = _around_loop(body)
    size = next(number for number, item in enumerate(loop.body) if _draws((item,)))
    if size:
        turned = replace(loop, body=(*loop.body[size:], *loop.body[:size]))
        yield tuple(_replaced(body, loop, (*loop.body[:size], turned)))


def _bare(statement: ir.Statement) -> ir.Statement:
    """The statement without its place, and without the name of the value that its law speaks of."""
    if isinstance(statement, ir.Choose):
        value = {statement.index: ir.Variable("", statement.sort)}
        statement = replace(with_expressions(statement, lambda item: replaced(item, value)), index="")
    known: dict[str, Any] = {name: place for name, place in _PLACES.items() if hasattr(statement, name)}
    return with_blocks(replace(statement, **known), lambda inner: tuple(map(_bare, inner)))


def _replaced(body: Body, loop: ir.Loop, new: Body) -> Iterator[ir.Statement]:
    """The statements with others in the place of a loop."""
    for item in body:
        if item is loop:
            yield from new
        else:
            yield with_blocks(item, lambda inner: tuple(_replaced(inner, loop, new)))


def _with_round(body: Body, loop: ir.Loop, again: ir.Return) -> Iterator[ir.Statement]:
    """The statements with one round in the place of the loop, and ``True`` before all that they return."""
    for item in body:
        if item is loop:
            yield from _with_round(loop.body, loop, again)
            yield again
        elif isinstance(item, ir.Return):
            yield replace(item, values=(builders.TRUE, *item.values))
        else:
            yield with_blocks(item, lambda inner: tuple(_with_round(inner, loop, again)))


def _again(body: Body) -> ir.Return:
    """What is returned where another round would begin.  Raises NoRound."""
    returns = [item for item in ir.statements(body) if isinstance(item, ir.Return)]
    if len({item.lists for item in returns}) != 1:
        raise NoRound("returns of different lists")
    nothing = (builders.FALSE, *(builders.zero(value.sort) for value in returns[0].values))
    return ir.Return(nothing, returns[0].lists, returns[0].span)
