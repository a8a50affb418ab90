"""Runs that a derivation couples: what the kernel knows at each statement is true of each such pair.

Run 1 is made by chance; what it publishes is b.  Run 2 is on the other input, with the draws to which the
derivation maps those of run 1.  At each statement the kernel has states, one of which must have a model in
which all names have the values that they have in the two runs: its facts, the path, and what run 1 will
publish.  Where both runs draw, what run 2 draws is read off that model.  At the end both return the same, and
the logarithm of the ratio of what was drawn is at most what is proved.

Nothing of this needs a program that leaks: it is asked of each derivation that is accepted.  Operations have
some value where Python would raise, the same for the same operands.
"""

from __future__ import annotations

import math
import random
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import z3

from synth.trusted.kernel.certificate import Node
from synth.trusted.kernel.proof_state import Proof
from synth.trusted.kernel.rules import structural
from synth.trusted.kernel.rules.shared import Outcomes
from synth.trusted.kernel.symbolic_state import State
from synth.trusted.logic.encoding import list_length
from synth.trusted.logic.inputs import entries_name, length_of, public_name, start_name
from synth.trusted.logic.terms import INT, Term, app, negation, number, symbols, write
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import returned_lists
from synth.trusted.program.symbols import Event, Kind

ROUNDS, MILLISECONDS = 6, 2000
"""Rounds of a loop, at the most, and the time for one question."""

SEEN = 0.15
"""How often what is known is looked at, besides at draws and returns: what is known stays known."""

DRAWN_BY_2 = "|drawn#2|"

Inputs = Mapping[str, Any]


class Contradiction(Exception):
    """A coupled pair of runs of which what is known is false."""


class Discarded(Exception):
    """A run of which nothing is claimed: it takes long, loses noise, ends without output, or is not safe."""


@dataclass
class States:
    """What the kernel knew before each statement, and behind it, by the place of the node."""

    before: dict[str, list[State]] = field(default_factory=lambda: defaultdict(list))
    behind: dict[str, list[State]] = field(default_factory=lambda: defaultdict(list))


@contextmanager
def recorded(found: dict[int, States]) -> Iterator[None]:
    """Note the states of each proof, by its id."""

    def noting(proof: Proof, node: Node, statement: ir.Statement, state: State) -> Outcomes:
        after = judged(proof, node, statement, state)
        states = found.setdefault(id(proof), States())
        states.before[node.place].append(state)
        states.behind[node.place] += [item for each in after.values() for item in each]
        return after

    judged = structural.judged
    with patch.object(structural, "judged", noting):
        yield


# --- values ---------------------------------------------------------------------------------


@dataclass
class Run:
    """What names stand for in one run."""

    given: Inputs
    values: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, tuple[tuple[Any, ...], ...]] = field(default_factory=dict)

    def value(self, item: ir.Expression, **more: Any) -> Any:
        """The value of an expression; some value where it has none."""
        match item:
            case ir.Constant(value=value):
                return value
            case ir.Variable(name=name):
                return more[name] if name in more else self.values.get(name, self.given.get(name))
            case ir.Length(sequence=name):
                return len(self.lists[name] if name in self.lists else self.given[name])
            case ir.Element(source=name, index=index, component=component):
                rows, place = self.lists[name], self.value(index, **more)
                return rows[place][component] if 0 <= place < len(rows) else _some(rows, place, component)
            case ir.Read(source=name, index=(index,)):
                entries, place = self.given[name], self.value(index, **more)
                return entries[place] if 0 <= place < len(entries) else _some(name, place)
            case ir.Operation(operator=operator, operands=operands):
                return _OPERATIONS[operator](*(self.value(each, **more) for each in operands))
        raise AssertionError(item)

    def chance(self, item: ir.Choose, outcome: Any) -> float:
        """How likely a value is to be drawn."""
        match item.law:
            case ir.Chances(outcomes=outcomes):
                found = (chance for here, chance in outcomes if self.value(here, **{item.index: outcome}))
                return float(sum(self.value(chance, **{item.index: outcome}) for chance in found))
            case ir.Weights(count=count, score=score, rate=rate):
                exponents = [
                    float(self.value(score, **{item.index: each}) * self.value(rate))
                    for each in range(self.value(count))
                ]
                weights = [math.exp(each) for each in exponents]
                return weights[outcome] / sum(weights) if 0 <= outcome < len(weights) else 0.0


def _some(*about: object) -> int:
    """Some small number, the same for the same arguments."""
    return zlib.crc32(repr(about).encode()) % 4 - 1


def _divided(divide: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda one, other: divide(one, other) if other else _some(one, divide.__name__)


def _log(value: Any) -> float:
    return math.log(value) if value > 0 else 0.0


_OPERATIONS: dict[ir.Operator, Callable[..., Any]] = {
    ir.Operator.ADD: lambda one, other: one + other,
    ir.Operator.SUBTRACT: lambda one, other: one - other,
    ir.Operator.MULTIPLY: lambda one, other: one * other,
    ir.Operator.DIVIDE: _divided(lambda one, other: Fraction(one) / Fraction(other)),
    ir.Operator.FLOOR_DIVIDE: _divided(lambda one, other: one // other),
    ir.Operator.MODULO: _divided(lambda one, other: one % other),
    ir.Operator.NEGATE: lambda one: -one,
    ir.Operator.EQUAL: lambda one, other: one == other,
    ir.Operator.LESS: lambda one, other: one < other,
    ir.Operator.LESS_EQUAL: lambda one, other: one <= other,
    ir.Operator.AND: lambda *all_: all(all_),
    ir.Operator.OR: lambda *all_: any(all_),
    ir.Operator.NOT: lambda one: not one,
    ir.Operator.IF: lambda test, then, otherwise: then if test else otherwise,
    ir.Operator.TO_REAL: Fraction,
    ir.Operator.ABSOLUTE: abs,
    ir.Operator.MINIMUM: min,
    ir.Operator.MAXIMUM: max,
    ir.Operator.EXPONENTIAL: lambda one: math.exp(one),
    ir.Operator.LOGARITHM: _log,
}


# --- runs -----------------------------------------------------------------------------------


@dataclass
class _Left(Exception):
    """Control leaves a block, or the program."""

    label: str | None


@dataclass
class _Walk:
    """One run, whose draws and publications are noted, or two of them, of which the first is known."""

    proof: Proof
    states: States
    rng: random.Random
    runs: list[Run]
    draws: list[Any] = field(default_factory=list)
    published: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    past: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    used: int = 0
    loss: float = 0.0
    is_pointwise: bool = True
    is_shown: bool = True

    @property
    def is_joint(self) -> bool:
        return len(self.runs) == 2

    def _wrong(self, what: str) -> Exception:
        """That something isn't so which was to be shown."""
        return Contradiction(what) if self.is_shown else Discarded()

    def values(self, item: ir.Expression) -> list[Any]:
        return [run.value(item) for run in self.runs]

    def follow(self, nodes: tuple[Node, ...]) -> None:
        """The whole program, as far as it goes."""
        with suppress(_Left):
            self.body(self.proof.mechanism.body, nodes)

    def body(self, body: tuple[ir.Statement, ...], nodes: tuple[Node, ...]) -> None:
        for statement, node in zip(body, nodes, strict=True):
            if self.is_joint and (isinstance(statement, ir.Return) or self.rng.random() < SEEN):
                self._look(node.place, self.states.before[node.place])
            self._statement(statement, node)

    def _statement(self, statement: ir.Statement, node: Node) -> None:
        match statement:
            case ir.Assign(target=name, value=value):
                self._assign(name, self.values(value))
            case ir.NewList(target=name):
                for run in self.runs:
                    run.lists[name] = ()
            case ir.Append(target=name, values=values):
                entries = [self.values(value) for value in values]
                if name in returned_lists(self.proof.mechanism):
                    for place, found in enumerate(entries):
                        self._publish(Event(Kind.APPEND, name, place), found)
                for side, run in enumerate(self.runs):
                    run.lists[name] = (*run.lists[name], tuple(found[side] for found in entries))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                self._branch(statement, node, condition, then, otherwise)
            case ir.Block(label=label, body=inner):
                try:
                    self.body(inner, node.premises[0].premises)
                except _Left as left:
                    if left.label != label:
                        raise
            case ir.Exit(label=label):
                raise _Left(label)
            case ir.Loop(body=inner):
                for _ in range(ROUNDS):
                    self.body(inner, node.premises[0].premises)
                raise Discarded
            case ir.Assume(condition=condition) | ir.Obligation(condition=condition):
                if not self.values(condition)[0]:
                    raise Discarded
                if self.is_joint and not self.values(condition)[1]:
                    raise Discarded if isinstance(statement, ir.Obligation) else self._wrong("run 2 ends")
            case ir.Draw():
                self._noise(statement, node)
            case ir.Choose():
                self._choice(statement)
            case ir.Return():
                self._returned(statement, node)

    def _assign(self, name: str, values: list[Any]) -> None:
        for run, value in zip(self.runs, values, strict=True):
            run.values[name] = value

    def _branch(
        self,
        statement: ir.If,
        node: Node,
        condition: ir.Expression,
        then: tuple[ir.Statement, ...],
        otherwise: tuple[ir.Statement, ...],
    ) -> None:
        ways = self.values(condition)
        if node.rule == "Cond":
            if node.fields.get("publish"):
                self._publish(Event(Kind.BRANCH, str(statement.branch)), ways)
            if self.is_joint and ways[0] != ways[1]:
                raise self._wrong(f"the runs part at {node.place}")
            side = 0 if ways[0] else 1
            self.body((then, otherwise)[side], node.premises[side].premises)
            return
        for run, way in zip(self.runs, ways, strict=True):
            _alone(run, then if way else otherwise)

    def _publish(self, event: Event, values: list[Any]) -> None:
        name = str(event)
        if not self.is_joint:
            self.published[name].append(values[0])
            return
        self.past[name] += 1
        if values[0] != values[1]:
            raise self._wrong(f"{name} differs: {values}")

    def _returned(self, statement: ir.Return, node: Node) -> None:
        for place, value in enumerate(statement.values):
            self._publish(Event(Kind.RETURN, "", place), self.values(value))
        if self.is_joint:
            one, other = ([run.lists[name] for name in statement.lists] for run in self.runs)
            if one != other:
                raise self._wrong(f"other lists are returned: {one}, {other}")
        raise _Left(None)

    # --- draws --------------------------------------------------------------------------------

    def _noise(self, statement: ir.Draw, node: Node) -> None:
        centers, scales = (self.values(item) for item in statement.arguments)
        if not self.is_joint:
            drawn = centers[0] + _sampled(self.rng, statement.distribution, float(scales[0]))
            self.draws.append(drawn)
            self._assign(statement.target, [drawn])
            return
        drawn = self._next()
        self._assign(statement.target, [drawn, None])
        other = self._look(node.place, self.states.behind[node.place], statement.target)
        if other is None:
            if "tail" in node.fields:
                raise Discarded
            raise Contradiction(f"what run 1 draws at {node.place} has no counterpart: {self._shown()}")
        self._assign(statement.target, [drawn, other])
        noises = drawn - centers[0], other - centers[1]
        if statement.distribution == "exponential":
            if noises[1] < 0:
                raise self._wrong(f"one-sided noise of {noises[1]}")
            self.loss += (noises[1] - noises[0]) / float(scales[1])
        else:
            self.loss += (abs(noises[1]) - abs(noises[0])) / float(scales[1])
        rules = {node.rule, *(item.rule for item in node.premises)}
        self.is_pointwise = self.is_pointwise and "LapInt" not in rules

    def _choice(self, statement: ir.Choose) -> None:
        if not self.is_joint:
            known = (False, True) if statement.sort is ir.Sort.BOOL else range(4)
            chances = [self.runs[0].chance(statement, each) for each in known]
            (drawn,) = self.rng.choices(known, chances)
            self.draws.append(drawn)
            self._assign(statement.target, [drawn])
            return
        drawn = self._next()
        one, other = (run.chance(statement, drawn) for run in self.runs)
        if not other:
            raise self._wrong(f"run 2 can't draw {drawn}")
        self.loss += math.log(one / other)
        self._assign(statement.target, [drawn, drawn])

    def _next(self) -> Any:
        self.used += 1
        return self.draws[self.used - 1]

    # --- what is known ------------------------------------------------------------------------

    def _look(self, place: str, states: list[State], target: str | None = None) -> Any:
        """Whether some state knows nothing false; or else the value that run 2 draws, None if there is none.

        Raises Contradiction.
        """
        for state in states:
            found = self._model(state, target)
            if found is not None:
                return found
        if target is None:
            raise Contradiction(f"nothing that is known at {place} is so: {self._shown()}")
        return None

    def _shown(self) -> str:
        return " and ".join(f"{run.given}, {run.values}, {run.lists}" for run in self.runs)

    def _model(self, state: State, target: str | None) -> Any:
        """A model of what a state knows: what run 2 draws in it, or True; None if there is none."""
        formulas = [*state.facts, *state.path, *self._matches(state), *self._inputs(), *self._named(state)]
        known = dict(self.proof.known)
        if target is not None:
            known[DRAWN_BY_2] = (), INT
            formulas.append(app("=", DRAWN_BY_2, state.values[target][1]))
        declared = [
            f"(declare-fun {name} ({' '.join(known[name][0])}) {known[name][1]})"
            for name in symbols(*formulas)
        ]
        solver = z3.Solver(ctx=z3.Context())
        solver.set("timeout", MILLISECONDS)
        solver.from_string("\n".join([*declared, *(f"(assert {write(item)})" for item in formulas)]))
        answer = str(solver.check())
        if answer == "unknown":
            raise Discarded
        if answer == "unsat":
            return None
        if target is None:
            return True
        model = solver.model()
        return next(model[item].as_long() for item in model.decls() if item.name() == DRAWN_BY_2.strip("|"))

    def _matches(self, state: State) -> Iterator[Term]:
        for segment, match in self.proof.matches:
            if segment == state.segment:
                facts: dict[Term, None] = {}
                self.proof._define(match, facts)
                yield from (*facts, match)

    def _inputs(self) -> Iterator[Term]:
        for side, run in enumerate(self.runs, start=1):
            for name, value in run.given.items():
                if isinstance(value, tuple):
                    yield app("=", length_of(name), str(len(value)))
                    for place, entry in enumerate(value):
                        yield app("=", app(entries_name(name, side), str(place)), number(entry, INT))
                else:
                    is_public = self.proof.mechanism.parameter(name).metric is None
                    yield _is(public_name(name) if is_public else start_name(name, side), value)

    def _named(self, state: State) -> Iterator[Term]:
        """That names, lengths, and what run 1 will publish, are what they are."""
        for side, run in enumerate(self.runs):
            lengths = {list_length(name): len(rows) for name, rows in run.lists.items()}
            for name, value in {**run.values, **lengths}.items():
                if value is not None and name in state.values:
                    yield _is(state.values[name][side], value)
        for ghost, term in state.ghosts.items():
            if isinstance(ghost, Event):
                to_come = self.published[str(ghost)][self.past[str(ghost)] :]
                if to_come:
                    yield _is(term, to_come[0])


def _is(term: Term, value: Any) -> Term:
    if isinstance(value, bool):
        return term if value else negation(term)
    return app("=", term, number(value, INT))


def _alone(run: Run, body: tuple[ir.Statement, ...]) -> None:
    """A run computes by itself."""
    for item in body:
        match item:
            case ir.Assign(target=name, value=value):
                run.values[name] = run.value(value)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                _alone(run, then if run.value(condition) else otherwise)
            case ir.Block(body=inner):
                _alone(run, inner)
            case ir.Obligation(condition=condition) if not run.value(condition):
                raise Discarded


def _sampled(rng: random.Random, distribution: str, scale: float) -> int:
    def geometric() -> int:
        return int(rng.expovariate(1 / scale))

    return geometric() if distribution == "exponential" else geometric() - geometric()


@contextmanager
def nothing_asked() -> Iterator[None]:
    """Nothing need be shown, and nothing is known because it was: all that is known is known by itself."""
    with patch.object(Proof, "require", lambda proof, node, state, says, goal: state):
        yield


def contradiction(
    proof: Proof,
    states: States,
    inputs: tuple[Inputs, Inputs],
    rng: random.Random,
    epsilon: float | None = None,
    is_shown: bool = True,
) -> tuple[str | None, bool]:
    """What is false of one coupled pair of runs on two inputs, None if nothing is; whether there is a pair.

    ``epsilon`` is what is proved, in nats, of the ratio of what is drawn; None if nothing is said of that.
    ``is_shown`` says whether all side conditions are; else runs may part, and return what they like.
    """
    root = proof.certificate.derivation.premises
    first = _Walk(proof, states, rng, [Run(inputs[0])])
    try:
        first.follow(root)
    except Discarded:
        return None, False
    both = _Walk(proof, states, rng, [Run(inputs[0]), Run(inputs[1])], first.draws, first.published)
    both.is_shown = is_shown
    try:
        both.follow(root)
    except Discarded:
        return None, False
    except Contradiction as error:
        return str(error), True
    if epsilon is not None and both.is_pointwise and both.loss > epsilon + 1e-6:
        return f"{both.loss} nats are lost, where {epsilon} is proved: {both._shown()}", True
    return None, True
