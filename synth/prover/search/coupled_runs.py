"""Run 2 beside a recorded run 1: the coupling decides its draws, and it must publish the same.

This is the coupled product on concrete values.  Where a coupling has not been chosen yet, the run
stops and asks (:class:`Undecided`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from synth.bounds.logarithms import ZERO_COST
from synth.prover.costs.cases import Share
from synth.prover.costs.likelihood_ratios import RatioTable
from synth.prover.costs.weights import OWN, TOTAL
from synth.prover.product.strategy import GuardPredicate, Interval, Shift, Tail
from synth.prover.search.choices import Cause
from synth.prover.search.iterations import Iterations, Soon
from synth.prover.search.slices import slices
from synth.prover.search.tails import given_up
from synth.prover.testing.forgetting import scales_a_sum
from synth.prover.testing.instances import Instance
from synth.prover.testing.interpreter import (
    Aborted,
    Arguments,
    CompiledChances,
    CompiledLaw,
    CompiledWeights,
    Evaluate,
    Number,
    Run,
    compile_body,
    compile_expression,
)
from synth.prover.testing.recording import Step, Trace
from synth.support.floats import estimate
from synth.support.statistics import RUNS, tried
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import without_obligations
from synth.trusted.program.symbols import Event, Kind, Upward

NEARLY = 1.000001
"""Logarithms are rounded in the tests."""
Values = tuple[bool | int | None, ...]
"""What a guard's predicates say at a draw; None of an event that doesn't happen while the draw matters."""

Key = tuple[int, Values]
Coupled = Shift | Interval
Coupling = Callable[[Number, Number, Number], tuple[Number, bool]]


@dataclass
class Undecided(Exception):
    """A coupling is needed for this site and guard."""

    key: Key


@dataclass
class Matched(Exception):
    """Run 2 publishes all that the beginning of run 1 does that is looked at."""


@dataclass
class Diverged(Exception):
    """Run 2 publishes something else than run 1 at this event; None: it leaves the support or ends."""

    cause: Cause | None = None


_MAX_NATS = 300.0
"""More, and exp has no float."""


@dataclass(frozen=True)
class Payment:
    """One use of a coupling: what it moved the noise by, and what a unit of that costs, in nats.

    ``pair`` is the number of the pair of outcomes, for draws whose chances are known; ``Share.TAIL`` says
    that the tail of the noise is given up, which costs no nats.  Where distances fade, the ``distance`` is
    that of the largest use so far, and this one moved the noise by ``moved``.
    """

    key: Key
    distance: Number
    rate: float
    pair: int | Share | None = None
    moved: Number | None = None

    @property
    def cost(self) -> float:
        """In nats."""
        return estimate(self.distance) * self.rate


@dataclass(frozen=True)
class Prepared:
    """A trace seen through the published branches and the guard predicates of each site.

    Unless it is ``whole``, ``steps`` are its beginning, and of the last one the first values.
    """

    trace: Trace
    steps: tuple[Step, ...]
    keys: tuple[Key | None, ...]
    whole: bool = True


def prepare(
    trace: Trace,
    observable_branches: frozenset[int],
    returned: frozenset[str],
    predicates: Mapping[int, tuple[GuardPredicate, ...]],
    iterations: Iterations,
) -> Prepared:
    """Drop what is not published, and look up what each guard says at each draw."""
    steps = tuple(step for step in trace.steps if _is_seen(step, observable_branches, returned))
    sources = {
        predicate.event.source
        for guards in predicates.values()
        for predicate in guards
        if isinstance(predicate.event, Event)
    }
    upcoming: dict[Event, Number] = {}
    soon = Soon(iterations)
    keys: list[Key | None] = [None] * len(steps)
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if step.observable is None:
            assert isinstance(step.source, int)
            values = tuple(
                _predicate_value(predicate, upcoming, step, trace.instance)
                if soon.matters(step.source, predicate.event)
                else None
                for predicate in predicates[step.source]
            )
            keys[place] = (step.source, values)
        elif str(step.source) in sources:
            for component, value in enumerate(step.values):
                upcoming[Event(step.observable, str(step.source), component)] = value
        soon.happens_before(step)
    return Prepared(trace, steps, tuple(keys))


def _is_seen(step: Step, observable_branches: frozenset[int], returned: frozenset[str]) -> bool:
    """Whether a step is a draw, or published."""
    if step.observable is Kind.BRANCH:
        return step.source in observable_branches
    return step.observable is not Kind.APPEND or step.source in returned


_compiled: dict[int, tuple[object, Evaluate]] = {}


def _compile_cached(expression: object) -> Evaluate:
    known = _compiled.get(id(expression))
    if known is None or known[0] is not expression:
        known = (expression, compile_expression(expression))  # type: ignore[arg-type]
        _compiled[id(expression)] = known
    return known[1]


def _predicate_value(
    predicate: GuardPredicate, upcoming: dict[Event, Number], step: Step, instance: Instance
) -> bool | int:
    if isinstance(predicate.event, Upward):
        return instance.upward(predicate.event.sequence)
    value = upcoming.get(predicate.event, 0)
    if predicate.expression is None:
        return bool(value)
    run = Run(dict(step.state), {}, instance.lengths, _NoEvents())
    here = _compile_cached(predicate.expression)(run)
    return (here > value) - (here < value)


class _NoEvents:
    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number:
        raise Aborted

    def choose(self, run: Run, site: ir.Choose, law: CompiledLaw) -> Number:
        raise Aborted

    def branch(self, number: int, taken: bool) -> None: ...

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None: ...

    def finish(self, values: tuple[Number, ...]) -> None: ...


class _Follower:
    """The observer of run 2."""

    def __init__(self, follower: Follower, prepared: Prepared, choices: dict[Key, Coupled]) -> None:
        self.follower = follower
        self.prepared = prepared
        self.choices = choices
        self.position = 0
        self.payments: list[Payment] = []
        self.used: list[Key] = []

    def _next(self, observable: Kind | None) -> int:
        place = self.position
        self.position += 1
        if place >= len(self.prepared.steps) and not self.prepared.whole:
            raise Matched
        if place >= len(self.prepared.steps) or self.prepared.steps[place].observable is not observable:
            raise Diverged()
        return place

    def _site(self, site: ir.Draw | ir.Choose) -> tuple[Step, Key, Coupled]:
        """What run 1 drew here, and how the draws are coupled."""
        place = self._next(None)
        step, key = self.prepared.steps[place], self.prepared.keys[place]
        if step.source != site.site or key is None:
            raise Diverged()
        coupling = self.choices.get(key)
        if coupling is None:
            raise Undecided(key)
        if key not in self.used:
            self.used.append(key)
        return step, key, coupling

    def choose(self, run: Run, site: ir.Choose, law: CompiledLaw) -> Number:
        step, key, _ = self._site(site)
        value = step.values[0]
        match law:
            case CompiledChances():
                self._change_chances(run, law, step, key)
            case CompiledWeights():
                scores = law.scores(run)
                if len(scores) != len(step.arguments):
                    raise Diverged()
                if law.logarithms:
                    self._change_weights(scores, step, key)
                    return value
                gaps = [first - second for first, second in zip(step.arguments, scores, strict=True)]
                distance, rate = max(gaps) - min(gaps), abs(estimate(law.rate(run)))
                if distance and rate:
                    self.payments.append(Payment(key, distance, rate))
        return value

    def _change_weights(self, scores: tuple[Number, ...], step: Step, key: Key) -> None:
        """Pay where the weight drawn is larger in run 1, and where the sum of all is in run 2."""
        place = int(step.values[0])
        before, after = (
            sum(math.exp(min(_MAX_NATS, estimate(item - step.arguments[place]))) for item in side)
            for side in (step.arguments, scores)
        )
        if step.arguments[place] > scores[place]:
            self.payments.append(Payment(key, 1, estimate(step.arguments[place] - scores[place]), OWN))
        if after > before * NEARLY:
            self.payments.append(Payment(key, 1, math.log(after / before), TOTAL))

    def _change_chances(self, run: Run, law: CompiledChances, step: Step, key: Key) -> None:
        """Pay for another chance of the same value.  Raises Diverged where it has none."""
        ratios = self.follower.ratios[key[0]]
        left, right = int(step.arguments[0]), law.outcome(run, step.values[0])
        cost = ratios.costs.get((left, right))
        if cost is None:
            raise Diverged()
        factor = ratios.factors.get((left, right))
        if (left, right) in ratios.grounds:
            if step.arguments[1] <= law.probability(run, right):
                return
        elif factor is not None or left in ratios.changing:
            own, other = step.arguments[1], law.probability(run, right)
            if own > (other if factor is None else factor * other) or (factor is None and own < other):
                raise Diverged()
            if own <= other:
                return
        instance = self.prepared.trace.instance
        if cost != ZERO_COST:
            rate = estimate(instance.valuation.public(cost, instance.lengths))
            if rate > 0:
                self.payments.append(Payment(key, 1, rate, ratios.number(left, right)))

    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number:
        step, key, coupling = self._site(site)
        tail = self.follower.tails.get(site.site)
        if tail is not None and given_up(tail, step, self.prepared.trace.instance):
            self.payments.append(Payment(key, 1, 0.0, Share.TAIL))
        first, second = step.arguments[0], arguments[0](run)
        instance = self.prepared.trace.instance
        if isinstance(coupling, Interval):
            return self._map(interval_ends(coupling, step, run, instance), site, step, key, second - first)
        if coupling.is_null:
            return step.values[0] + second - first
        shift = shift_value(coupling, first, second, step, run, instance)
        distance, fits = self.follower.couplings[site.distribution](first, second, shift)
        if not fits:
            raise Diverged()
        if distance:
            moved = distance
            if self.follower.counts_uses:
                distance = max(distance, *(paid.distance for paid in self.payments if paid.key == key), 0)
            self.payments.append(Payment(key, distance, 1 / estimate(step.arguments[1]), moved=moved))
        return step.values[0] + shift

    def _map(self, ends: Ends, site: ir.Draw, step: Step, key: Key, apart: Number) -> Number:
        """Run 2's draw by the map of intervals, where the centres are so far apart.  Raises Diverged."""
        (low, low_2), (high, high_2) = ends
        one = int(site.sort is ir.Sort.INT)
        width, width_2 = high - low + one, high_2 - low_2 + one
        if low > high or width_2 <= 0:
            raise Diverged()
        distance: Number = max(abs(low_2 - low - apart), abs(high_2 - high - apart))  # type: ignore[call-overload]
        if distance:
            self.payments.append(Payment(key, distance, 1 / estimate(step.arguments[1])))
        if width > width_2:
            self.payments.append(Payment(key, width - width_2, 1 / estimate(width_2), Share.CONTRACTION))
        value = step.values[0]
        if value <= low or value >= high:
            return value + (low_2 - low if value <= low else high_2 - high)
        if site.sort is ir.Sort.INT:
            return low_2 + math.floor((value - low + Fraction(1, 2)) * width_2 / width)
        return low_2 + Fraction(value - low) * width_2 / width

    def branch(self, number: int, taken: bool) -> None:
        if number in self.follower.observable_branches:
            step = self.prepared.steps[self._next(Kind.BRANCH)]
            if step.source != number or step.values[0] != taken:
                raise Diverged((Event(Kind.BRANCH, str(number)), None))

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None:
        if statement.target not in self.follower.returned:
            return
        step = self.prepared.steps[self._next(Kind.APPEND)]
        self._compare(step, statement.target, statement.span, values)

    def finish(self, values: tuple[Number, ...]) -> None:
        step = self.prepared.steps[self._next(Kind.RETURN)]
        self._compare(step, "", None, values)

    def _compare(self, step: Step, source: str, place: ir.Span | None, values: tuple[Number, ...]) -> None:
        """Raises Diverged where run 1 published something else in this step."""
        for component, (first, second) in enumerate(zip(step.values, values, strict=self.prepared.whole)):
            if first != second:
                assert step.observable is not None
                raise Diverged((Event(step.observable, source, component), place))


Ends = tuple[tuple[Number, Number], tuple[Number, Number]]
"""The lower and the upper end of an interval, each in the two runs."""


def interval_ends(interval: Interval, step: Step, run: Run, instance: Instance) -> Ends:
    """Where the interval lies in the two runs.  Raises Diverged where it has no ends."""
    before = instance.resume(step.state)
    low, high = ((_value(end, before), _value(end, run)) for end in (interval.low, interval.high))
    return low, high


def _follows(coupled: Coupled) -> bool:
    """Whether the coupling depends on how variables differ."""
    return isinstance(coupled, Interval) or bool(coupled.differences)


def shift_value(
    coupling: Shift, first: Number, second: Number, step: Step, run: Run, instance: Instance
) -> Number:
    """The concrete k of a shift, between centres ``first`` and ``second``."""
    shift: Number = second - first if coupling.null else 0
    for sign, expression in coupling.differences:
        shift = shift + sign * (_value(expression, run) - _value(expression, instance.resume(step.state)))
    for sign, name in coupling.changes:
        shift = shift + sign * instance.change(name)
    if coupling.units:
        shift = shift + instance.valuation.shift(coupling.units, instance.lengths)
    return int(shift) if isinstance(shift, Fraction) and shift.denominator == 1 else shift


def _value(expression: ir.Expression, run: Run) -> Number:
    try:
        return _compile_cached(expression)(run)
    except KeyError:
        raise Diverged from None


@dataclass(frozen=True)
class Outcome:
    """What became of a coupled run: whether it publishes the same, what it paid, which keys it used.

    Where it fails, ``used`` leaves out the draws that have no say in the event that differs.
    """

    holds: bool
    payments: tuple[Payment, ...]
    used: tuple[Key, ...]


@dataclass(frozen=True)
class Follower:
    """Replays run 2 of one mechanism.

    ``returned`` are the lists that are part of the output, ``sliced`` what is known of runs so far.
    """

    mechanism: ir.Mechanism
    observable_branches: frozenset[int]
    returned: frozenset[str]
    couplings: dict[str, Coupling]
    ratios: Mapping[int, RatioTable]
    tails: Mapping[int, Tail]
    sliced: dict[int, tuple[Trace, dict[int, tuple[frozenset[int], ...]]]] = field(default_factory=dict)

    @cached_property
    def execute(self) -> Callable[[Run], str | None]:
        """The mechanism, compiled once."""
        return compile_body(without_obligations(self.mechanism.body))

    @cached_property
    def counts_uses(self) -> bool:
        """Whether a use costs what the largest before it did: distances that fade are counted, not summed."""
        loops = (item for item in ir.statements(self.mechanism.body) if isinstance(item, ir.Loop))
        return any(map(scales_a_sum, loops))

    def follow(self, prepared: Prepared, choices: dict[Key, Coupled]) -> Outcome:
        """Run 2 under the choices.  Raises Undecided where one is missing."""
        tried(RUNS)
        observer = _Follower(self, prepared, choices)
        try:
            self.execute(prepared.trace.instance.run(1, observer))
        except Diverged as difference:
            return Outcome(False, (), self._to_blame(difference.cause, observer, choices))
        except Aborted:
            return Outcome(False, (), tuple(observer.used))
        except Matched:
            return Outcome(True, tuple(observer.payments), tuple(observer.used))
        holds = observer.position == len(prepared.steps)
        return Outcome(holds, tuple(observer.payments), tuple(observer.used))

    def _to_blame(
        self, cause: Cause | None, observer: _Follower, choices: dict[Key, Coupled]
    ) -> tuple[Key, ...]:
        """The choices for draws that the value depends on in which the runs differ."""
        if cause is None or any(_follows(choices[key]) for key in observer.used):
            return tuple(observer.used)
        keys = observer.prepared.keys
        event, _ = cause
        slices_of_values = self._slices(observer.prepared.trace).get(observer.position - 1, ())
        to_blame = {keys[place] for place in slices_of_values[event.component]} if slices_of_values else set()
        return tuple(key for key in observer.used if key in to_blame)

    def _slices(self, trace: Trace) -> dict[int, tuple[frozenset[int], ...]]:
        """By the place of what is published, among what is seen of a run, the draws each value depends on."""
        known, found = self.sliced.get(id(trace), (None, {}))
        if known is not trace:
            seen = (
                place
                for place, step in enumerate(trace.steps)
                if _is_seen(step, self.observable_branches, self.returned)
            )
            numbers = {place: number for number, place in enumerate(seen)}
            found = {
                numbers[place]: tuple(frozenset(numbers[draw] for draw in draws) for draws in of_values)
                for place, of_values in slices(self.mechanism, trace, self.observable_branches).items()
                if place in numbers
            }
            self.sliced[id(trace)] = trace, found
        return found
