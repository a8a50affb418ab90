"""Two concrete executions, coupled as a certificate says: a picture, on which no verdict rests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from synth.trusted.core.expressions import (
    Given,
    Inexact,
    Malformed,
    NoValue,
    State,
    Value,
    evaluate,
    start,
)
from synth.trusted.core.interpreter import Drawing, Output, step
from synth.trusted.core.laws import Law, Listed
from synth.trusted.kernel.certificate import Node
from synth.trusted.logic.rejection import Rejected
from synth.trusted.logic.terms import Term
from synth.trusted.normal_form.sequential_parts import column
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Event, Kind
from synth.views.certificate.draws import INTERVAL, is_null
from synth.views.certificate.names import split
from synth.views.certificate.steps import Reading, Step
from synth.views.certificate.term_values import NotComputed, approximate, rational, term_value

Inputs = Mapping[str, Given]
Draw = ir.Draw | ir.Choose
Pick = Callable[[Draw, Value, Value, Law | None], Value]
"""Noise of run 1: from the site, its centre and scale (0 where it has none), and its law if it is listed."""

MAX_STEPS = 3000
_NO_VALUE = KeyError, IndexError, StopIteration, ArithmeticError, TypeError


@dataclass(frozen=True)
class Moment:
    """Something that an execution draws or publishes, and the state just before."""

    statement: Draw | ir.If | ir.Append | ir.Return
    values: tuple[Value, ...]
    state: State


@dataclass(frozen=True)
class CoupledDraw:
    """One draw in both runs.  ``k`` is by how much run 2's is larger; ``cost`` is None if not computed.

    ``leaf`` is the coupling that was used, ``centers`` and ``scale`` are None for draws without them.
    ``squared`` says that the cost is a square of distance/sigma.  ``chances`` are those of the value in the
    two runs, where they are listed.  ``outcomes`` follow; ``after`` are the states before the next draw.
    """

    reading: Reading
    step: Step
    leaf: Node | None
    values: tuple[Value, Value]
    centers: tuple[Value, Value] | None
    scale: Value | None
    cost: float | None
    squared: bool
    state: State
    chances: tuple[Fraction, Fraction] | None = None
    outcomes: tuple[Moment, ...] = ()
    after: tuple[State, State] | None = None

    @property
    def k(self) -> Value:
        """By how much run 2's draw is larger; of truth values, 0."""
        first, second = self.values
        return 0 if isinstance(first, bool) or isinstance(second, bool) else second - first

    @property
    def is_null(self) -> bool:
        """Whether both runs draw the same noise."""
        return self.leaf is not None and is_null(self.leaf)


@dataclass(frozen=True)
class CoupledExecution:
    """Both runs to their common output; ``inputs`` are those of run 1 and of run 2.

    ``budget`` is what is proved at these inputs, in nats; with real Gaussian noise the sum of squares.
    """

    inputs: tuple[Inputs, Inputs]
    draws: tuple[CoupledDraw, ...]
    output: Output
    budget: float | None


def coupled_execution(reading: Reading, inputs: tuple[Inputs, Inputs], pick: Pick) -> CoupledExecution:
    """Return run 1 with the noise that ``pick`` gives, and run 2 with the noise that it is mapped to.

    Raises NotComputed where a value isn't known, and where the runs don't end in the same output.
    """
    draws: list[CoupledDraw] = []
    given, output = inputs, None
    for part in reading.parts or (reading,):
        found, output = _part(part, given, pick)
        draws += found
        given = tuple({**item, **_interface(part.mechanism, output)} for item in given)  # type: ignore[assignment]
    assert output is not None
    return CoupledExecution(inputs, tuple(draws), output, _budget(reading, inputs[0]))


def _budget(reading: Reading, inputs: Inputs) -> float | None:
    noise = reading.certificate.gaussian
    bound = reading.certificate.proved.epsilon if noise is None else noise.square
    state = _started(reading.mechanism, inputs)
    try:
        return float(term_value(bound, _Scope(reading, (inputs, inputs), (state, state), {}).symbol))
    except (NotComputed, OverflowError, TypeError):
        return None


def _interface(part: ir.Mechanism, output: Output) -> dict[str, Given]:
    """What a part hands on, by name."""
    *_, returned = (item for item in ir.statements(part.body) if isinstance(item, ir.Return))
    found: dict[str, Given] = {
        item.name: value
        for item, value in zip(returned.values, output.values, strict=True)
        if isinstance(item, ir.Variable)
    }
    for name, rows in zip(returned.lists, output.lists, strict=True):
        for place in range(len(part.lists[name].components)):
            found[column(name, place)] = tuple(row[place] for row in rows)
    return found


# --- one execution --------------------------------------------------------------------------


def _moments(
    mechanism: ir.Mechanism, inputs: Inputs, draw: Callable[[Draw, State], Value]
) -> Iterator[Moment]:
    state = _started(mechanism, inputs)
    for _ in range(MAX_STEPS):
        frame = state.frames[-1]
        statement = frame.body[frame.next] if frame.next < len(frame.body) else None
        match statement:
            case ir.Draw() | ir.Choose():
                value = draw(statement, state)
                yield Moment(statement, (value,), state)
                state = _behind(state).assign(statement.target, value)
                continue
            case ir.Assign(target=target, value=expression):
                state = _behind(state).assign(target, approximate(expression, state))
                continue
            case ir.Obligation():
                state = _behind(state)
                continue
            case ir.If(condition=condition):
                yield Moment(statement, (evaluate(condition, state),), state)
            case ir.Append(values=values):
                yield Moment(statement, tuple(evaluate(item, state) for item in values), state)
        found = step(state)
        if isinstance(found, Output) and isinstance(statement, ir.Return):
            yield Moment(statement, (), state)
            return
        if not isinstance(found, State):
            raise NotComputed("the execution has no output")
        state = found
    raise NotComputed("a long execution")


def _started(mechanism: ir.Mechanism, inputs: Inputs) -> State:
    return start(mechanism, {item.name: inputs[item.name] for item in mechanism.visible})


def _behind(state: State) -> State:
    *outer, frame = state.frames
    return replace(state, frames=(*outer, replace(frame, next=frame.next + 1)))


def _output(moment: Moment) -> Output:
    found = step(moment.state)
    assert isinstance(found, Output)
    return found


# --- both -----------------------------------------------------------------------------------


def _part(reading: Reading, inputs: tuple[Inputs, Inputs], pick: Pick) -> tuple[list[CoupledDraw], Output]:
    try:
        return _coupled(reading, inputs, pick)
    except (
        Inexact,
        Malformed,
        NoValue,
        Rejected,
        KeyError,
        StopIteration,
        OverflowError,
        TypeError,
    ) as error:
        raise NotComputed(str(error)) from None


def _coupled(reading: Reading, inputs: tuple[Inputs, Inputs], pick: Pick) -> tuple[list[CoupledDraw], Output]:
    """Raises what an execution raises."""
    mechanism = reading.mechanism
    first = list(_moments(mechanism, inputs[0], lambda site, state: _picked(site, state, pick)))
    places = [place for place, item in enumerate(first) if isinstance(item.statement, Draw)]
    steps = {item.statement.site: item for item in reading.all_steps() if isinstance(item.statement, Draw)}
    found: list[CoupledDraw] = []

    def draw(site: Draw, state: State) -> Value:
        if len(found) == len(places) or first[places[len(found)]].statement is not site:
            raise NotComputed("the executions draw at different sites")
        place = places[len(found)]
        ends = places[len(found) + 1] if len(found) + 1 < len(places) else len(first)
        scope = _Scope(reading, inputs, (first[place].state, state), _upcoming(first[place + 1 :]))
        coupled = scope.coupled(steps.get(site.site), first[place])
        found.append(replace(coupled, outcomes=tuple(first[place + 1 : ends])))
        return coupled.values[1]

    second = list(_moments(mechanism, inputs[1], draw))
    outputs = _output(first[-1]), _output(second[-1])
    if outputs[0] != outputs[1] or len(found) < len(places):
        raise NotComputed("the executions end in different outputs")
    behind = zip(_states(first), _states(second), strict=True)
    return [replace(item, after=pair) for item, pair in zip(found, behind, strict=True)], outputs[0]


def _states(moments: list[Moment]) -> list[State]:
    """The states before each draw but the first, and at the end."""
    drawn = [item.state for item in moments if isinstance(item.statement, Draw)]
    return [*drawn[1:], moments[-1].state] if drawn else []


def _picked(site: Draw, state: State, pick: Pick) -> Value:
    if isinstance(site, ir.Draw):
        center, scale = (approximate(item, state) for item in site.arguments)
        return pick(site, center, scale, None)
    drawing = step(state)
    if not isinstance(drawing, Drawing):
        raise NotComputed("a draw without a law")
    return pick(site, 0, 0, drawing.law)


def _upcoming(moments: list[Moment]) -> dict[str, Value]:
    """What is published next, by the names of events."""
    found: dict[str, Value] = {}
    for moment in reversed(moments):
        match moment.statement:
            case ir.If(branch=number):
                kind, source, values = Kind.BRANCH, str(number), moment.values
            case ir.Append(target=target):
                kind, source, values = Kind.APPEND, target, moment.values
            case ir.Return():
                kind, source, values = Kind.RETURN, "", _output(moment).values
            case _:
                continue
        for component, value in enumerate(values):
            found[str(Event(kind, source, component))] = value
    return found


@dataclass(frozen=True)
class _Scope:
    """What symbols stand for just before a draw, in both runs."""

    reading: Reading
    inputs: tuple[Inputs, Inputs]
    states: tuple[State, State]
    upcoming: Mapping[str, Value]

    def coupled(self, found: Step | None, moment: Moment) -> CoupledDraw:
        """Run 1's draw with its partner."""
        site, (value,) = moment.statement, moment.values
        if found is None:
            raise NotComputed("a draw without a coupling")
        if isinstance(site, ir.Choose):
            cost = self._chosen(site, found, value)
            return CoupledDraw(
                self.reading,
                found,
                None,
                (value, value),
                None,
                None,
                cost,
                False,
                moment.state,
                self._chances(value),
            )
        assert isinstance(site, ir.Draw) and not isinstance(value, bool)
        leaf = next(leaf for when, leaf in found.couplings if when is None or term_value(when, self.symbol))
        first, second = (approximate(site.arguments[0], state) for state in self.states)
        centers = first, second
        partner = self._partner(leaf, value, centers[1] - centers[0], site.sort)
        moved = abs(partner - value - (centers[1] - centers[0]))
        cost, squared = self._cost(leaf, moved)
        scale = approximate(site.arguments[1], moment.state)
        return CoupledDraw(
            self.reading,
            found,
            leaf,
            (value, partner),
            centers,
            scale,
            cost,
            squared,
            moment.state,
        )

    def _partner(self, leaf: Node, value: Any, apart: Any, sort: ir.Sort) -> Any:
        if is_null(leaf):
            return value + apart
        if leaf.rule != INTERVAL:
            shifted = value + term_value(leaf.term("k"), self.symbol)
            return int(shifted) if sort is ir.Sort.INT else shifted
        (low, high), (low_2, high_2) = (
            tuple(term_value(end, self.symbol) for end in leaf.interval(field)) for field in ("from", "to")
        )
        if not low <= value <= high:
            raise NotComputed("a draw outside of its interval")
        return min(max(value + low_2 - low, low_2), high_2)

    def _cost(self, leaf: Node, moved: Any) -> tuple[float | None, bool]:
        """What a draw pays, and whether that is a square of distance/sigma."""
        if leaf.rule == INTERVAL:
            return self._sum(leaf.payment(field) for field in ("moved", "squeezed")), False
        if "cost" not in leaf.fields or moved == 0:
            return 0.0, False
        cost = self.reading.certificate.costs[str(leaf.fields["cost"])]
        if leaf.fields.get("amount") == "distance":
            return self._times(moved, cost.square or cost.weight), cost.square is not None
        if leaf.fields.get("amount") == "share":
            raise NotComputed("a part of an l2 distance")
        amount = leaf.term("amount")
        if cost.square is not None:
            return self._times(amount, cost.square), True
        return self._times(amount, cost.weight), False

    def _chosen(self, site: ir.Choose, found: Step, value: Value) -> float | None:
        """What a draw of finitely many values pays."""
        if isinstance(site.law, ir.Chances):
            laws = [Listed(site, site.law.outcomes, state) for state in self.states]
            paid = found.pairs[1].get((_outcome(laws[0], value), _outcome(laws[1], value)))
            return 0.0 if paid is None else self._sum([paid])
        if found.node.rule == "Choice" and "cost" in found.node.fields:
            return self._sum([(str(found.node.fields["cost"]), found.node.term("amount"))])
        return None

    def _chances(self, value: Value) -> tuple[Fraction, Fraction] | None:
        """How likely the value is in each run."""
        laws = [step(state) for state in self.states]
        try:
            first, second = (rational(item.law.chance(value)) for item in laws if isinstance(item, Drawing))
        except (Inexact, NoValue, ValueError):
            return None
        return Fraction(first), Fraction(second)

    def _sum(self, payments: Any) -> float | None:
        costs = self.reading.certificate.costs
        found = [self._times(amount, costs[name].weight) for name, amount in payments]
        return None if None in found else sum(item for item in found if item is not None)

    def _times(self, amount: Any, price: Term) -> float | None:
        try:
            size = amount if isinstance(amount, int | Fraction | float) else term_value(amount, self.symbol)
            return float(size) * float(term_value(price, self.symbol))
        except (NotComputed, OverflowError, TypeError):
            return None

    # --- symbols ----------------------------------------------------------------------------

    def symbol(self, atom: str) -> Any:
        """What a symbol stands for.  Raises KeyError."""
        name, mark = split(atom)
        run = {"<2>": 1}.get(mark, 0)
        if name in self.reading.certificate.events:
            return self.upcoming.get(name, 0)  # what never happens may be foretold as anything
        if name.endswith("[]"):
            return self._entries(name.removesuffix("[]"), run)
        owner, _, aspect = name.partition("#")
        if aspect in ("changed", "change", "upward"):
            return self._difference(owner, aspect)
        if aspect == "start":
            return self.inputs[run][owner]
        if name.startswith("len("):
            inner, state = name[4:-1], self.states[run]
            return len(state.lists[inner] if inner in state.lists else state.given[inner])  # type: ignore[arg-type]
        values = self.states[run].values
        return values[name] if name in values else self.inputs[run][name]

    def _entries(self, name: str, run: int) -> Callable[..., Any]:
        given = self.inputs[run][name]
        return given if callable(given) else lambda index: given[index] if 0 <= index < len(given) else 0  # type: ignore[index,arg-type]

    def _difference(self, name: str, aspect: str) -> Any:
        """Where, by how much, or in which direction a sequence differs.  Raises KeyError for functions."""
        left, right = (item[name] for item in self.inputs)
        if not isinstance(left, tuple) or not isinstance(right, tuple):
            raise KeyError(name)
        pairs = list(zip(left, right, strict=True))
        if aspect == "upward":
            return any(one < two for one, two in pairs)
        place = next((place for place, (one, two) in enumerate(pairs) if one != two), 0)
        change = pairs[place][1] - pairs[place][0] if pairs else 0
        return place if aspect == "changed" else change


def _outcome(law: Listed, value: Value) -> int:
    """The number of the outcome; behind all of them if the value has no chance."""
    state = law.state.assign(law.choice.index, value)
    holds = (number for number, (condition, _) in enumerate(law.outcomes) if evaluate(condition, state))
    return next(holds, len(law.outcomes))
