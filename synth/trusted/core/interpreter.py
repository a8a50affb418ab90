"""The meaning of the core language: what a run of a program does, and how likely each outcome is.

This file is the definition of the form in :mod:`synth.trusted.program.syntax`, with ``expressions`` and
``laws`` beside it.  In a state, names stand for values and lists, and statements are left to be executed.
:func:`step` says for each statement which state is next.  A run begins with the body, the parameters standing
for the input.  At a draw it goes on with a value of the draw's law.  It ends

- with an output, at a ``Return``;
- without output, at an ``Assume`` of what is false;
- in an error, at an ``Obligation`` of what is false, or where an expression has no value or a draw no law;

or it never ends.  The chance of an outcome is the sum, over all runs that end in it, of the product of the
chances of their draws.  A program is (ε, δ)-private if for all adjacent inputs that satisfy ``requires`` and
all sets S of outputs, chance⟨1⟩(S) ≤ exp(ε)·chance⟨2⟩(S) + δ.  To a run, ``facts``, ``ghosts``, the counters
of loops, and the numbers of sites, branches and loops mean nothing.

Values are exact: truth values, integers, and the reals of ``exponential_numbers``.  Where a real is not one
of these (log 2, a density) ``Inexact`` is raised: nothing is computed here, though the meaning is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from synth.trusted.core.exponential_numbers import Number
from synth.trusted.core.expressions import (
    Frame,
    Given,
    Malformed,
    NoValue,
    Row,
    State,
    Value,
    evaluate,
    known,
    of_sort,
    start,
    whole,
)
from synth.trusted.core.laws import Law, Listed, Noise, Weighted, shares
from synth.trusted.program import syntax as ir

# --- outcomes -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Output:
    """The run returns values and the entries of lists, all flat.  Outputs are equal if Python says so."""

    values: Row
    lists: tuple[tuple[Row, ...], ...]


@dataclass(frozen=True)
class Ended:
    """The run ends without output: an ``Assume`` is false."""

    span: ir.Span


@dataclass(frozen=True)
class Violated:
    """An ``Obligation`` is false: its kind and place."""

    kind: str
    span: ir.Span


@dataclass(frozen=True)
class Undefined:
    """Something has no value, though no obligation was false: what kind would have said so, and the place."""

    kind: str
    span: ir.Span


@dataclass(frozen=True)
class OutOfFuel:
    """The run takes more steps than it may."""


Outcome = Output | Ended | Violated | Undefined


# --- statements -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawing:
    """The run comes to a draw.  It goes on in the state in which the target has a value of the law."""

    draw: ir.Draw | ir.Choose
    law: Law
    state: State

    def drawn(self, value: Value) -> State:
        """The state behind the draw."""
        return self.state.assign(self.draw.target, value)


def step(state: State) -> State | Drawing | Outcome:
    """What comes next.  Raises Malformed, Inexact."""
    *outer, frame = state.frames
    if frame.next < len(frame.body):
        statement = frame.body[frame.next]
        after = replace(state, frames=(*outer, replace(frame, next=frame.next + 1)))
        try:
            return _executed(statement, after)
        except NoValue as error:
            assert not isinstance(statement, ir.Block)
            return Undefined(error.kind, statement.span)
    if frame.repeats:
        return replace(state, frames=(*outer, replace(frame, next=0)))
    if not outer:
        raise Malformed("the program ends without return")
    return replace(state, frames=tuple(outer))


def _executed(statement: ir.Statement, state: State) -> State | Drawing | Outcome:
    """What comes next, where behind the statement there is ``state``, but for what the statement does."""
    match statement:
        case ir.Assign(target=target, value=value):
            return state.assign(target, evaluate(value, state))
        case ir.Draw(distribution=distribution, arguments=(center, scale), sort=sort):
            noise = Noise(distribution, sort, evaluate(center, state), evaluate(scale, state))
            if noise.scale <= 0:
                raise NoValue("scale")
            return Drawing(statement, noise, state)
        case ir.Choose(law=ir.Chances(outcomes=outcomes)):
            return Drawing(statement, Listed(statement, outcomes, state), state)
        case ir.Choose(index=name, law=ir.Weights(count=count, demands=demands) as law):
            size = whole(evaluate(count, state))
            if size < 1:
                raise NoValue("scale")
            for index in range(size):
                for demand in demands:
                    if not evaluate(demand.condition, state.assign(name, index)):
                        return Violated(demand.kind, demand.span)
            return Drawing(statement, Weighted(statement, law, size, state), state)
        case ir.NewList(target=target):
            return state.fill(target, ())
        case ir.Append(target=target, values=values):
            row = tuple(evaluate(value, state) for value in values)
            return state.fill(target, (*known(state.lists, target), row))
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return state.enter(Frame(then if evaluate(condition, state) else otherwise))
        case ir.Block(label=label, body=body):
            return state.enter(Frame(body, label=label))
        case ir.Loop(body=body):
            return state.enter(Frame(body, repeats=True))
        case ir.Exit(label=label):
            blocks = [place for place, frame in enumerate(state.frames) if frame.label == label]
            if not blocks:
                raise Malformed(f"no block {label}")
            return replace(state, frames=state.frames[: blocks[-1]])
        case ir.Return(values=values, lists=lists):
            row = tuple(evaluate(value, state) for value in values)
            return Output(row, tuple(known(state.lists, name) for name in lists))
        case ir.Obligation(kind=kind, condition=condition, span=span):
            return state if evaluate(condition, state) else Violated(kind, span)
        case ir.Assume(condition=condition, span=span):
            return state if evaluate(condition, state) else Ended(span)
        case _:
            raise Malformed(f"{statement} is no statement")


# --- runs -----------------------------------------------------------------------------------


def to_next_draw(state: State, fuel: int) -> tuple[Drawing | Outcome | OutOfFuel, int]:
    """Where the run comes to without a draw, in at most so many steps; and how many are left."""
    while fuel > 0:
        found, fuel = step(state), fuel - 1
        if not isinstance(found, State):
            return found, fuel
        state = found
    return OutOfFuel(), 0


def outcome(
    mechanism: ir.Mechanism,
    inputs: Mapping[str, Given],
    noise: Callable[[int, Law], Value],
    fuel: int = 100_000,
) -> Outcome | OutOfFuel:
    """What the run does in which ``noise`` gives the draws, from their sites and laws.

    Raises Inexact, and Malformed for a program, input or noise that is none.
    """
    found, fuel = to_next_draw(start(mechanism, inputs), fuel)
    while isinstance(found, Drawing):
        value = of_sort(noise(found.draw.site, found.law), found.draw.sort)
        try:
            if not found.law.allows(value):
                raise Malformed(f"{value} is never drawn at line {found.draw.span.line}")
        except NoValue as error:
            return Undefined(error.kind, found.draw.span)
        found, fuel = to_next_draw(found.drawn(value), fuel)
    return found


@dataclass(frozen=True)
class Distribution:
    """The chances of outcomes, over the runs that were followed; and the chance of the others.

    ``beyond`` is the chance of coming to a draw of a value that was not looked at, ``unfinished`` that of
    the runs that take more steps.  All together are 1.
    """

    outcomes: Mapping[Outcome, Number]
    beyond: Number
    unfinished: Number

    @property
    def outputs(self) -> dict[Output, Number]:
        """The chances of outputs."""
        return {key: chance for key, chance in self.outcomes.items() if isinstance(key, Output)}


def distribution(
    mechanism: ir.Mechanism, inputs: Mapping[str, Given], most: int, fuel: int = 1_000_000
) -> Distribution:
    """The exact chances of outcomes, over all runs in which noise is within ``most`` of its centre.

    Runs go from draw to draw together; those that come to the same state go on as one.  ``fuel`` is how many
    steps they take in all.  Raises Inexact, Malformed.
    """
    outcomes: dict[Outcome, Number] = defaultdict(Fraction)
    beyond: Number = Fraction(0)
    unfinished: Number = Fraction(0)
    begin = start(mechanism, inputs)
    waiting: dict[object, tuple[State, Number]] = {begin.key(): (begin, Fraction(1))}
    while waiting:
        then: dict[object, tuple[State, Number]] = {}
        for state, chance in waiting.values():
            found, fuel = to_next_draw(state, fuel)
            match found:
                case OutOfFuel():
                    unfinished += chance
                case Drawing():
                    try:
                        parts, rest = shares(found.law, most)
                    except NoValue as error:
                        outcomes[Undefined(error.kind, found.draw.span)] += chance
                        continue
                    beyond += chance * rest
                    for value, share in parts:
                        after = found.drawn(value)
                        known = then.get(after.key(), (after, Fraction(0)))[1]
                        then[after.key()] = after, known + chance * share
                case _:
                    outcomes[found] += chance
        waiting = then
    return Distribution(outcomes, beyond, unfinished)
