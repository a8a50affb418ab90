"""Forward runs over sets of states, all statements in step, states merged where paths meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Protocol, TypeVar

from flint import arb

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.choosing import Distribution, UnsupportedError, distribution_of
from synth.refuter.exact.entries_alive import Alive, ahead_of
from synth.refuter.exact.evaluation import Compiler, Evaluate
from synth.refuter.exact.forms import Exact, Form, Value, add
from synth.refuter.exact.laws import Enclosure, Grid, law_of
from synth.refuter.exact.merging import identity, merge
from synth.refuter.exact.states import (
    DroppedMass,
    ManyParts,
    PrecisionLoss,
    State,
    UndeterminedBranch,
    points,
    split,
)
from synth.refuter.exact.work import OutOfTimeError, Work
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis, assigned, length_name, names

Body = tuple[ir.Statement, ...]
T = TypeVar("T")

MAX_STATES = 400_000

_ROUNDS, _MAX_ROUNDS = 200, 5000
"""After so many rounds of a loop what is less likely than the grid's tail is given up; then all of it."""


class Output(Protocol):
    """What is done with entries that are appended, and with what is returned."""

    kept: frozenset[str]
    """Lists whose entries states have to keep."""

    whole: frozenset[str]
    """Those of which all entries count in the end."""

    def append(self, machine: Machine, states: list[State], statement: ir.Append) -> list[State]:
        """The states after an append, but for the length."""

    def finish(self, machine: Machine, states: list[State], statement: ir.Return) -> None:
        """States that return."""

    def prune(self, machine: Machine, states: list[State]) -> list[State]:
        """The states at a loop's head that are worth going on with."""

    def follow(self, body: Body, states: list[State]) -> list[State]:
        """The states at the head of a branch that are worth going on with."""

    def cut(self, machine: Machine, state: State, statement: ir.Draw) -> list[State]:
        """Parts of a state behind a draw in which what is drawn need not be cut where it is published."""


@dataclass
class Machine:
    """Runs the body of a mechanism; ``dropped_mass`` is the mass per side that may give any output."""

    mechanism: ir.Mechanism
    compiler: Compiler
    output: Output
    grid: Grid
    work: Work
    dropped_mass: dict[int, arb] = field(default_factory=lambda: defaultdict(arb))

    def __post_init__(self) -> None:
        asserted = tuple(
            item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Obligation)
        )
        live = Analysis(self.mechanism, asserted, kept=self.output.kept).live_at_merges
        self.live = {statement: tuple(sorted(found)) for statement, found in live.items()}
        partly = self.output.kept - self.output.whole
        ahead = ahead_of(self.mechanism.body) if partly else {}
        self.alive = {
            statement: Alive(found, partly, self.live[statement]) for statement, found in ahead.items()
        }
        self.compiled: dict[ir.Expression, Evaluate] = {}
        self.choices: dict[int, Distribution] = {}
        self.left: dict[str, list[State]] = defaultdict(list)
        self.public: dict[ir.Expression, bool] = {}
        scalars = {item.name for item in self.mechanism.parameters if item.metric is None and not item.arity}
        self.constant = scalars - assigned(self.mechanism.body)

    def run(self, states: list[State]) -> None:
        """Run to the end from these states.  Raises OutOfTimeError, UndefinedError."""
        try:
            self._body(self.mechanism.body, states)
        except OverflowError:
            raise UnsupportedError("numbers that are larger than any float are not supported") from None

    # --- asking -----------------------------------------------------------------------------

    def evaluator(self, expression: ir.Expression) -> Evaluate:
        """The closure of an expression."""
        found = self.compiled.get(expression)
        if found is None:
            found = self.compiled[expression] = self.compiler.compile(expression)
        return found

    def ask(self, question: Callable[[State], T], states: Sequence[State]) -> Iterator[tuple[State, T]]:
        """The states with an answer each, split as far as the answer depends on noise.

        The question may raise UndeterminedBranch, ManyParts, PrecisionLoss, DroppedMass, UndefinedError.
        """
        for first in states:
            waiting = [first]
            while waiting:
                self.work.spend()
                state = waiting.pop()
                try:
                    answer = question(state)
                except UndeterminedBranch as unclear:
                    waiting += split(state, unclear.comparison, self.grid)
                    continue
                except ManyParts as cut:
                    waiting += cut.parts
                    continue
                except PrecisionLoss as coarse:
                    waiting += self._points(state, coarse.form)
                    continue
                except DroppedMass:
                    self.lose(state)
                    continue
                except UndefinedError:
                    if state.sure:
                        raise
                    self.lose(state)  # perhaps no run comes here
                    continue
                if state.guesses:
                    state.guesses = {}
                if state.celled:
                    state.celled = frozenset()
                yield state, answer

    def lose(self, state: State) -> None:
        """Give a state up: it may give any output."""
        self.dropped_mass[state.side] += state.mass()

    def _points(self, state: State, form: Form) -> list[State]:
        try:
            return points(state, form, self.grid)
        except DroppedMass:
            self.lose(state)
            return []

    # --- statements -------------------------------------------------------------------------

    def _body(self, body: Body, states: list[State]) -> list[State]:
        for statement in body:
            if not states:
                return states
            states = self._statement(statement, states)
        return states

    def _statement(self, statement: ir.Statement, states: list[State]) -> list[State]:
        match statement:
            case ir.Assign(target=target, value=value):
                return [_assigned(state, target, got) for state, got in self._values(value, states)]
            case ir.Draw():
                return self._draw(statement, states)
            case ir.Choose():
                return self._choose(statement, states)
            case ir.If():
                return self._if(statement, states)
            case ir.Append(target=target):
                states = self.output.append(self, states, statement)
                for state in states:
                    state.values[length_name(target)] = state.values[length_name(target)] + 1  # type: ignore
                return states
            case ir.NewList(target=target):
                for state in states:
                    state.values[length_name(target)] = 0
                    if target in self.output.kept:
                        state.lists[target] = ()
                return states
            case ir.Block(label=label, body=body):
                through = self._body(body, states)
                return self._merged(through + self.left.pop(label, []), id(statement))
            case ir.Loop(body=body):
                return self._loop(body, id(statement), states)
            case ir.Exit(label=label):
                self.left[label] += states
                return []
            case ir.Return():
                self.output.finish(self, states, statement)
                return []
            case ir.Assume(condition=condition):
                return [state for state, truth in self._values(condition, states) if truth]
            case ir.Obligation(condition=condition, reason=reason):
                return list(self._demanded(condition, reason, states))

    def _values(self, expression: ir.Expression, states: list[State]) -> Iterator[tuple[State, Value]]:
        return self.ask(self.evaluator(expression), states)

    def _if(self, statement: ir.If, states: list[State]) -> list[State]:
        sides: tuple[list[State], list[State]] = [], []
        for state, truth in self._values(statement.condition, states):
            sides[0 if truth else 1].append(state)
        after = []
        for body, side in zip((statement.then, statement.otherwise), sides, strict=True):
            after += self._body(body, self.output.follow(body, side))
        return self._merged(after, id(statement)) if sides[0] and sides[1] else after

    def _merged(self, states: list[State], statement: int) -> list[State]:
        """The same states in fewer, without what is not read behind a statement, or again at its head."""
        if self.alive:
            self.alive[statement].forget(states)
        return merge(states, self.live[statement])

    def _loop(self, body: Body, statement: int, states: list[State]) -> list[State]:
        """Only exits leave a loop."""
        before: dict[object, arb] = {}
        for number in count():
            if not states:
                return []
            states = self.output.prune(self, self._merged(states, statement))
            self.work.spend()
            if len(states) > MAX_STATES:
                raise OutOfTimeError
            if number >= _ROUNDS and self._is_negligible(states, number):
                for state in states:
                    self.lose(state)
                return []
            if (others := _all_other_rounds(before, states)) is not None:
                self._body(body, others)
                return []
            before = {identity(state): state.weight for state in states}
            states = self._body(body, states)
        raise AssertionError

    def _is_negligible(self, states: list[State], rounds: int) -> bool:
        """Whether what is still in a loop may as well be given up."""
        left = float(sum((state.mass() for state in states), arb(0)).mid())
        return left < self.grid.tail or rounds >= _MAX_ROUNDS

    def _demanded(self, condition: ir.Expression, reason: str, states: list[State]) -> Iterator[State]:
        if self._is_public(condition):  # the same in all states: one tells
            if not self._public_value(condition, states[0]):
                raise UndefinedError(reason)
            yield from states
            return
        for state, truth in self._values(condition, states):
            if truth:
                yield state
            elif state.sure:
                raise UndefinedError(reason)
            else:
                self.lose(state)

    def _draw(self, statement: ir.Draw, states: list[State]) -> list[State]:
        center = self.evaluator(statement.arguments[0])
        width = self._width(statement.arguments[1], states[0])
        site = statement.site if statement.site in self.grid.broad else None

        def arguments(state: State) -> tuple[Exact | Form, Fraction | Enclosure]:
            middle = center(state)
            if isinstance(middle, Enclosure):
                raise DroppedMass
            return middle, width(state)

        after = []
        for state, (middle, size) in self.ask(arguments, states):
            law = law_of(statement.distribution, statement.sort, size, site)
            drawn = _assigned(state, statement.target, add(middle, state.sample(law)))
            after += self.output.cut(self, drawn, statement)
        return after

    def _choose(self, statement: ir.Choose, states: list[State]) -> list[State]:
        found = self.choices.get(id(statement))
        if found is None:
            found = self.choices[id(statement)] = distribution_of(statement, self.evaluator)
        after = []
        for state, outcomes in self.ask(found, states):
            for outcome, chance in outcomes:
                part = state.copy()
                part.weight = part.weight * chance
                after.append(_assigned(part, statement.target, outcome))
        return after

    def _width(self, expression: ir.Expression, first: State) -> Callable[[State], Fraction | Enclosure]:
        """The scale of a draw; where it is public, it is computed once."""
        scale = self.evaluator(expression)
        if self._is_public(expression):
            known = _scale(self._public_value(expression, first))
            return lambda state: known
        return lambda state: _scale(scale(state))

    def _public_value(self, expression: ir.Expression, state: State) -> Value:
        try:
            return self.evaluator(expression)(state)
        except DroppedMass:
            raise UndefinedError("irrational numbers that are too close to be compared") from None

    def _is_public(self, expression: ir.Expression) -> bool:
        """Whether an expression only mentions public numbers that never change."""
        found = self.public.get(expression)
        if found is None:
            parts = list(ir.subexpressions(expression))
            found = names(expression) <= self.constant and not any(
                isinstance(item, ir.Read) for item in parts
            )
            self.public[expression] = found
        return found


def _all_other_rounds(before: dict[object, arb], states: list[State]) -> list[State] | None:
    """The states of all further rounds together, where a round is a retry: it only changes the weights.

    A round that multiplies the weight w by t < 1 leaves w + t·w + t²·w + … = w / (1 - t) in all.
    """
    if len({state.side for state in states}) < len(states):
        return None
    others = []
    for state in states:
        earlier = before.get(identity(state))
        if earlier is None or not (left := 1 - state.weight / earlier) > 0:
            return None
        other = state.copy()
        other.weight = state.weight / left
        others.append(other)
    return others


def _scale(value: Value) -> Fraction | Enclosure:
    """A scale that is a number.  Raises PrecisionLoss, UndefinedError."""
    if isinstance(value, Form):
        raise PrecisionLoss(value)
    if isinstance(value, Enclosure):
        if value.low <= 0:
            raise UndefinedError("a scale that is not positive")
        return value
    if value <= 0:
        raise UndefinedError("a scale that is not positive")
    return Fraction(value)


def _assigned(state: State, target: str, value: Value) -> State:
    state.values[target] = value
    return state
