"""Small adjacent inputs and noise, chosen to be awkward: ties, extreme differences, long runs.

A candidate strategy is tried on these before any solver sees it.  They only guide the search:
what survives here is proved for all inputs afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from synth.language import build
from synth.language.analysis import is_made_of
from synth.language.syntax import (
    Append,
    Assign,
    Choose,
    Constant,
    Draw,
    Expression,
    Fact,
    If,
    Length,
    Mechanism,
    MetricKind,
    Operation,
    Operator,
    Parameter,
    ParameterKind,
    Read,
    Sort,
    Statement,
    Variable,
    blocks,
    in_run,
    statements,
    subexpressions,
    without_run,
)
from synth.search.interpreter import (
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
from synth.search.limits import loop_limits

MOST_STEPS = 1500
LENGTHS = (24, 2, 10, 1, 10, 3)
PER_EVENT = 6
"""How long the reference inputs are, at the least, for each event of a number that the program counts to."""
LONGEST = 240
HANDED_ON = 2
SHORT, PER_WAY, ATTEMPTS = 3, 3, 900
"""Where public switches choose between draws: short inputs, so many for each draw, after so many tries."""
LIMITED, MOST_LENGTH = 2, 8
"""Where ``requires`` limits the lengths, each of up to so many inputs, and how long these are."""
Index = tuple[int, ...]
Way = tuple[tuple[Expression, bool], ...]
"""Conditions, and which side of each."""
Units = tuple[tuple[Fraction, Expression], ...]
Supports = Mapping[str, Callable[[Number, Number], bool]]


@dataclass(frozen=True)
class Profile:
    """Values of the public scalars, and one length for all sequences; costs are compared within one."""

    scalars: dict[str, Number]
    length: int
    shifts: dict[int, tuple[object, Number]] = field(default_factory=dict, compare=False)

    def shift(self, units: Units, lengths: dict[str, int]) -> Number:
        """Σ factor·unit at these parameters."""
        known = self.shifts.get(id(units))
        if known is None or known[0] is not units:
            run = public_run(self, lengths)
            total = sum((factor * compile_expression(unit)(run) for factor, unit in units), Fraction(0))
            value = int(total) if total.denominator == 1 else total
            known = self.shifts[id(units)] = (units, value)
        return known[1]

    def public(self, expression: Expression, lengths: dict[str, int]) -> Number:
        """The value of a public expression at these parameters."""
        return self.shift(_unit(expression), lengths)


@cache
def _unit(expression: Expression) -> Units:
    return ((Fraction(1), expression),)


@dataclass
class Family:
    """Pairs of entries of a sequence or function in the two runs, made up when first read."""

    make: Callable[[Index], tuple[Number, Number]]
    pairs: dict[Index, tuple[Number, Number]] = field(default_factory=dict)

    def pair(self, index: Index) -> tuple[Number, Number]:
        if index not in self.pairs:
            self.pairs[index] = self.make(index)
        return self.pairs[index]

    def side(self, number: int) -> Callable[[Index], Number]:
        return lambda index: self.pair(index)[number]


@dataclass(frozen=True)
class Instance:
    """Adjacent inputs: scalars of each run, entries, lengths."""

    profile: Profile
    scalars: tuple[dict[str, Number], dict[str, Number]]
    families: dict[str, Family]
    lengths: dict[str, int]

    def run(self, side: int, observer: object) -> Run:
        """A fresh run on one of the two inputs."""
        sequences: Mapping[str, Callable[[Index], Number]] = {
            name: family.side(side) for name, family in self.families.items()
        }
        return Run(dict(self.scalars[side]), sequences, self.lengths, observer)  # type: ignore[arg-type]

    def resume(self, step: Step) -> Run:
        """Run 1 as it was at a draw, for looking at its values."""
        run = self.run(0, _Silent())
        run.values.update(step.state)
        return run

    def upward(self, sequence: str) -> bool:
        """Whether run 2 has the larger entries."""
        return any(second > first for first, second in self.families[sequence].pairs.values())

    def change(self, sequence: str) -> Number:
        """By how much the one entry that differs is larger in run 2."""
        pairs = self.families[sequence].pairs.values()
        return next((second - first for first, second in pairs if first != second), 0)


class _Silent:
    """An observer for evaluating expressions outside of any run."""

    def draw(self, run: Run, site: Draw, arguments: Arguments) -> Number:
        raise Aborted

    def choose(self, run: Run, site: Choose, law: CompiledLaw) -> Number:
        raise Aborted

    def branch(self, number: int, taken: bool) -> None:
        pass

    def append(self, statement: Append, values: tuple[Number, ...]) -> None:
        pass

    def finish(self, values: tuple[Number, ...]) -> None:
        pass


def public_run(profile: Profile, lengths: dict[str, int]) -> Run:
    """A run in which only public parameters can be evaluated."""
    return Run(dict(profile.scalars), {}, lengths, _Silent())


def public_value(mechanism: Mechanism, expression: Expression, profile: Profile) -> Number:
    """The value of a public expression at a profile.  Raises Aborted."""
    run = public_run(profile, lengths_of(mechanism, profile.length))
    return compile_expression(expression)(run)


def lengths_of(mechanism: Mechanism, length: int) -> dict[str, int]:
    """The same length for every sequence parameter; what an earlier part hands on is short."""
    return {
        item.name: min(length, HANDED_ON) if item.published else length
        for item in mechanism.parameters
        if item.kind is ParameterKind.SEQUENCE
    }


def profiles(mechanism: Mechanism, seed: int = 0) -> list[Profile]:
    """Admissible values of the public scalars, small and varied; empty when none was found.

    The first has long sequences and is the one that costs are compared at: there, paying at every
    step is dearer than paying for what the parameters limit.  Where public switches choose between draws,
    more profiles follow, until each draw is within reach of some.
    """
    longest = min(max(LENGTHS[0], PER_EVENT * _counted_to(mechanism)), LONGEST)
    usual = (longest, *LENGTHS[1:])
    found = _profiles(mechanism, seed, usual, frozenset())
    if found or not any(isinstance(part, Length) for part in subexpressions(mechanism.requires)):
        return found
    tied, stated = _stated_lengths(mechanism)
    found = _profiles(mechanism, seed, usual, tied)
    for length in () if found else stated or range(MOST_LENGTH, -1, -1):
        found += _profiles(mechanism, seed, (length,) * LIMITED, tied)
    return found


def _stated_lengths(mechanism: Mechanism) -> tuple[frozenset[str], tuple[int, ...]]:
    """The parameters and the numbers that ``requires`` says a length is equal to."""
    names, numbers = set(), set()
    for part in build.conjuncts(mechanism.requires):
        match part:
            case Operation(Operator.EQUAL, (Length(), Variable(name)) | (Variable(name), Length())):
                names.add(name)
            case Operation(Operator.EQUAL, (Length(), Constant(value)) | (Constant(value), Length())):
                numbers.add(int(value))
    return frozenset(names), tuple(sorted(number for number in numbers if 0 <= number <= LONGEST))


def _profiles(
    mechanism: Mechanism, seed: int, lengths: tuple[int, ...], tied: frozenset[str]
) -> list[Profile]:
    """Profiles of these lengths, one after the other; the parameters in ``tied`` are equal to the length."""
    rng = random.Random(seed)
    requires = compile_expression(mechanism.requires)
    scalars = [
        item for item in mechanism.parameters if item.kind is ParameterKind.SCALAR and item.metric is None
    ]
    counting = loop_limits(mechanism)
    ways = _ways(mechanism.body, (), {item.name for item in scalars})
    marks = _marks([switch for way in ways for switch, _ in way])
    tests = {way: [(compile_expression(switch), side) for switch, side in way] for way in ways}
    reached = dict.fromkeys(ways, 0)
    found: list[Profile] = []
    for attempt in range(ATTEMPTS):
        length = lengths[len(found)] if len(found) < len(lengths) else SHORT
        draw = _public if found else _typical
        values = {item.name: draw(item, rng, attempt) for item in scalars}
        if len(found) >= len(lengths):
            values |= {name: rng.choice(near) for name, near in marks.items() if rng.random() < 0.8}
            values |= _leaning(scalars, rng)
        if attempt < 200:
            values.update(dict.fromkeys(counting, length))
        values.update(dict.fromkeys(tied, length))
        profile = Profile(values, length)
        run = public_run(profile, lengths_of(mechanism, length))
        try:
            if not requires(run) or profile in found:
                continue
            new = [way for way, test in tests.items() if all(bool(at(run)) == side for at, side in test)]
        except Aborted:
            continue
        if len(found) < len(lengths) or any(reached[way] < PER_WAY for way in new):
            found.append(profile)
            for way in new:
                reached[way] += 1
        if len(found) >= len(lengths) and all(times >= PER_WAY for times in reached.values()):
            break
    return found


def _ways(body: Sequence[Statement], way: Way, scalars: set[str]) -> tuple[Way, ...]:
    """The ways to draws, as far as they lead through conditions on public parameters alone, each once."""
    found: dict[Way, None] = {}
    for item in body:
        if isinstance(item, Draw | Choose) and way:
            found[way] = None
        public = isinstance(item, If) and is_made_of(item.condition, scalars)
        for place, inner in enumerate(blocks(item)):
            longer = (*way, (item.condition, place == 0)) if public and isinstance(item, If) else way
            found |= dict.fromkeys(_ways(inner, longer, scalars))
    return tuple(found)


def _leaning(scalars: list[Parameter], rng: random.Random) -> dict[str, Number]:
    """Truth values of which most are alike: of a long chain of switches only the last may be on."""
    share = rng.choice((0.1, 0.5, 0.9))
    return {item.name: rng.random() < share for item in scalars if item.sort is Sort.BOOL}


def _counted_to(mechanism: Mechanism) -> int:
    """The largest number that a condition compares a counter with; 0 if there is none."""
    everything = list(statements(mechanism.body))
    counters = {
        item.target for item in everything if isinstance(item, Assign) and _is_step(item.target, item.value)
    }
    found = 0
    for item in everything:
        if isinstance(item, If):
            for part in subexpressions(item.condition):
                match part:
                    case (
                        Operation(operands=(Variable(name=name), Constant(value=int(value))))
                        | Operation(operands=(Constant(value=int(value)), Variable(name=name)))
                    ) if name in counters:
                        found = max(found, abs(value))
    return found


def _is_step(target: str, value: Expression) -> bool:
    """Whether a value is the old one, and a number more or less."""
    return (
        isinstance(value, Operation)
        and value.operator in (Operator.ADD, Operator.SUBTRACT)
        and any(isinstance(part, Variable) and part.name == target for part in value.operands)
        and any(isinstance(part, Constant) for part in value.operands)
    )


def _marks(switches: list[Expression]) -> dict[str, list[Number]]:
    """Per parameter that a switch compares with a number, values at and about it."""
    found: dict[str, list[Number]] = {}
    for switch in switches:
        for part in subexpressions(switch):
            match part:
                case (
                    Operation(operands=(Variable(name=name), Constant(value=value)))
                    | Operation(operands=(Constant(value=value), Variable(name=name)))
                ) if not isinstance(value, bool):
                    found.setdefault(name, []).extend((value - 1, value, value + 1))
    return found


def _typical(parameter: Parameter, rng: random.Random, attempt: int) -> Number:
    if parameter.sort is Sort.INT and attempt < 200:
        return rng.choice((2, 3))
    if parameter.sort is Sort.REAL and attempt < 200:
        return rng.choice((1, 1, Fraction(1, 2)))
    return _public(parameter, rng, attempt)


def _public(parameter: Parameter, rng: random.Random, attempt: int) -> Number:
    wide = 2 + attempt // 60
    match parameter.sort:
        case Sort.BOOL:
            return rng.random() < 0.5
        case Sort.INT:
            return rng.choice((1, 2, 3, 2, 0, 4, rng.randint(-1, wide + 2)))
        case Sort.REAL:
            return rng.choice((1, 1, Fraction(1, 2), 2, 0, Fraction(rng.randint(-1, 4 * wide), 4)))


_TRENDS = ("up", "down", "mixed", "first", "equal")


def instance(mechanism: Mechanism, profile: Profile, rng: random.Random) -> Instance | None:
    """Random adjacent inputs; None when the metrics have no sense at these parameters."""
    lengths = lengths_of(mechanism, profile.length)
    public = public_run(profile, lengths)
    left: dict[str, Number] = dict(profile.scalars)
    right: dict[str, Number] = dict(profile.scalars)
    families: dict[str, Family] = {}
    for parameter in mechanism.parameters:
        metric = parameter.metric
        try:
            bound = (
                Fraction(compile_expression(metric.bound)(public)) if metric and metric.bound else Fraction(0)
            )
        except Aborted:
            return None
        if bound < 0:
            return None
        if parameter.kind is ParameterKind.SCALAR:
            if metric is not None:
                left[parameter.name], right[parameter.name] = _scalar_pair(parameter, bound, rng)
        else:
            make = _maker(parameter, bound, profile.length, rng)
            families[parameter.name] = _bounded(make, parameter, profile.length)
    if mechanism.facts:
        _abiding(mechanism, profile, families, rng)
    return Instance(profile, (left, right), families, lengths)


def _value(sort: Sort, rng: random.Random) -> Number:
    match sort:
        case Sort.BOOL:
            return rng.random() < 0.5
        case Sort.INT:
            return rng.randint(-2, 2)
        case Sort.REAL:
            return rng.choice((-2, -1, 0, 1, 2, Fraction(1, 2), Fraction(-1, 2)))


def _step(sort: Sort, bound: Fraction, rng: random.Random, trend: str) -> Number:
    """A difference of at most ``bound``, mostly an extreme one."""
    size: Number = int(bound) if sort is not Sort.REAL or bound.denominator == 1 else bound
    if rng.random() < 0.15:
        size = Fraction(size) / 2 if sort is Sort.REAL else rng.randint(0, int(size))
    if isinstance(size, Fraction) and size.denominator == 1:
        size = int(size)
    match trend:
        case "up":
            return size
        case "down":
            return -size
        case "equal":
            return 0
        case _:
            return rng.choice((size, -size, 0))


def _moved(sort: Sort, value: Number, step: Number) -> tuple[Number, Number]:
    if sort is Sort.BOOL:
        return value, (not value if step else value)
    moved = value + step
    return value, int(moved) if isinstance(moved, Fraction) and moved.denominator == 1 else moved


def _scalar_pair(parameter: Parameter, bound: Fraction, rng: random.Random) -> tuple[Number, Number]:
    value = _value(parameter.sort, rng)
    assert parameter.metric is not None
    if parameter.metric.kind is MetricKind.DISCRETE:
        return value, _value(parameter.sort, rng)
    return _moved(parameter.sort, value, _step(parameter.sort, bound, rng, "mixed"))


def _maker(
    parameter: Parameter, bound: Fraction, length: int, rng: random.Random
) -> Callable[[Index], tuple[Number, Number]]:
    sort, metric = parameter.sort, parameter.metric
    trend = rng.choice(_TRENDS)
    level = rng.choice((0, 0, 0, -6, 6)) if sort is not Sort.BOOL else 0
    special = rng.randrange(max(length, 1))
    budget = [bound]
    indices = metric is None and sort is Sort.INT and rng.random() < 0.5

    def make(index: Index) -> tuple[Number, Number]:
        if indices:
            place = rng.randrange(max(length, 1))
            return place, place
        value = _value(sort, rng) + level if sort is not Sort.BOOL else _value(sort, rng)
        if metric is None:
            return value, value
        if metric.kind is MetricKind.CHANGE_ONE:
            step = _step(sort, bound, rng, "mixed") if index == (special,) else 0
        elif metric.kind is MetricKind.L1:
            step = _step(sort, budget[0], rng, rng.choice(("up", "down", "mixed")))
            budget[0] -= abs(Fraction(step))
        elif metric.monotone:
            step = _step(sort, bound, rng, "down" if trend in ("down", "first") else "up")
            step = step if rng.random() < 0.7 else 0
        elif trend == "first":
            step = _step(sort, bound, rng, "up" if index == (special,) else "down")
        else:
            step = _step(sort, bound, rng, trend)
        return _moved(sort, value, step)

    return make


def _bounded(make: Callable[[Index], tuple[Number, Number]], parameter: Parameter, length: int) -> Family:
    if parameter.kind is not ParameterKind.SEQUENCE:
        return Family(make)
    family = Family(make)
    for place in range(length):
        family.pair((place,))

    def outside(index: Index) -> tuple[Number, Number]:
        raise KeyError(index)

    family.make = outside
    return family


MOST_ATTEMPTS = 60
SOON = 3
"""After so many attempts entries are looked for farther away."""


def _abiding(mechanism: Mechanism, profile: Profile, families: dict[str, Family], rng: random.Random) -> None:
    """Entries are made up anew until what is stated of the functions holds of those that were read."""
    sides: dict[str, Callable[[Index], Number]] = {}
    for name, family in families.items():
        sides |= {name: family.side(0), in_run(name, 1): family.side(0), in_run(name, 2): family.side(1)}
    run = Run(dict(profile.scalars), sides, {}, _Silent())
    for name, family in families.items():
        facts = [fact for fact in mechanism.facts if without_run(fact.trigger.source)[0] == name]
        whole = mechanism.parameter(name).sort is not Sort.BOOL
        if facts:
            family.make = _remade(family, [_Stated(fact, run, families) for fact in facts], whole, rng)


def _remade(
    family: Family, facts: list[_Stated], whole: bool, rng: random.Random
) -> Callable[[Index], tuple[Number, Number]]:
    made = family.make

    def make(index: Index) -> tuple[Number, Number]:
        for attempt in range(MOST_ATTEMPTS):
            left, right = made(index)
            wide = rng.randint(-attempt, attempt) if whole and attempt > SOON else 0
            family.pairs[index] = (left + wide, right + wide) if wide else (left, right)
            if all(fact.holds(index) for fact in facts):
                return family.pairs[index]
            del family.pairs[index]
        raise KeyError(index)

    return make


@dataclass(frozen=True)
class _Stated:
    """A fact on concrete functions; ``run`` reads them."""

    fact: Fact
    run: Run
    families: Mapping[str, Family]

    def holds(self, index: Index) -> bool:
        """Whether it does at one index.  An entry that it equates with something is made up to be that."""
        outer = dict(self.run.values)
        for place, item in enumerate(self.fact.trigger.index):
            assert isinstance(item, Variable)
            self.run.values[item.name] = index[place]
        try:
            return self._holds()
        finally:
            self.run.values = outer

    def _holds(self) -> bool:
        match self.fact.condition:
            case Operation(operator=Operator.EQUAL, operands=(Read(source=source, index=places), value)) if (
                source in self.families and places != self.fact.trigger.index
            ):
                place_ = tuple(int(_compiled(item)(self.run)) for item in places)
                known = _compiled(value)(self.run)
                self.families[source].pairs.setdefault(place_, (known, known))
        return bool(_compiled(self.fact.condition)(self.run))


@cache
def _compiled(expression: Expression) -> Evaluate:
    return compile_expression(expression)


# --- run 1 ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One observable step of run 1.  ``kind`` is draw, branch, append or return."""

    kind: str
    source: int | str
    values: tuple[Number, ...]
    arguments: tuple[Number, ...] = ()
    state: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True)
class Trace:
    """A complete run 1 on an instance."""

    instance: Instance
    steps: tuple[Step, ...]


class Recorder:
    """Draws awkward noise, and records all steps."""

    def __init__(self, rng: random.Random, supports: Supports) -> None:
        self.rng = rng
        self.supports = supports
        self.steps: list[Step] = []
        self.level: dict[int, int] = {}

    def draw(self, run: Run, site: Draw, arguments: Arguments) -> Number:
        if len(self.steps) > MOST_STEPS:
            raise Aborted
        center, scale = (argument(run) for argument in arguments)
        value = self._noise(site, center)
        self.steps.append(Step("draw", site.site, (value,), (center, scale), dict(run.values)))
        return value

    def choose(self, run: Run, site: Choose, law: CompiledLaw) -> Number:
        if len(self.steps) > MOST_STEPS:
            raise Aborted
        match law:
            case CompiledChances():
                value = self._outcome(run, site, law)
                outcome = law.outcome(run, value)
                arguments: tuple[Number, ...] = (outcome, law.probability(run, outcome))
            case CompiledWeights():
                arguments = law.scores(run)
                value = self.rng.randrange(len(arguments))
        run.values.pop(law.index, None)
        self.steps.append(Step("draw", site.site, (value,), arguments, dict(run.values)))
        return value

    def _outcome(self, run: Run, site: Choose, law: CompiledChances) -> Number:
        """A value with a chance, at or between the landmarks."""
        rng = self.rng
        marks = sorted({int(mark(run)) for mark in law.landmarks}) or [0]
        for _ in range(40):
            value: Number = rng.choice((False, True))
            if site.sort is Sort.INT:
                value = rng.choice((rng.choice(marks), rng.randint(marks[0], marks[-1])))
            if law.probability(run, law.outcome(run, value)) > 0:
                return value
        raise Aborted

    def _noise(self, site: Draw, center: Number) -> Number:
        """Noise around 0, far above or far below, whichever the site's level in this run says."""
        rng = self.rng
        if site.site not in self.level:
            self.level[site.site] = rng.choice((0, 0, 0, -8, 8))
        noise: int | Fraction = rng.randint(-3, 3)
        if site.sort is Sort.REAL and rng.random() < 0.2:
            noise = Fraction(2 * noise + 1, 2)
        value = noise + self.level[site.site]
        if self.supports[site.distribution](value, center):
            return value
        return center + (value if value >= 0 else -value)

    def branch(self, number: int, taken: bool) -> None:
        self.steps.append(Step("branch", number, (taken,)))

    def append(self, statement: Append, values: tuple[Number, ...]) -> None:
        self.steps.append(Step("append", statement.target, values))

    def finish(self, values: tuple[Number, ...]) -> None:
        self.steps.append(Step("return", "", values))


def traces(
    mechanism: Mechanism,
    admissible: list[Profile],
    supports: Supports,
    count: int,
    seed: int = 1,
) -> list[Trace]:
    """``count`` runs on random instances, spread over the profiles; short ones come first.

    ``supports`` says per distribution whether a draw is possible at a centre.
    """
    rng = random.Random(seed)
    execute = compile_body(mechanism.body)
    found = _traces(mechanism, execute, admissible, supports, count, rng)
    return sorted(found, key=lambda trace: len(trace.steps))


def _traces(
    mechanism: Mechanism,
    execute: Callable[[Run], str | None],
    admissible: list[Profile],
    supports: Supports,
    count: int,
    rng: random.Random,
) -> Iterator[Trace]:
    for number in range(count):
        chosen = instance(mechanism, admissible[number % len(admissible)], rng)
        if chosen is None:
            continue
        recorder = Recorder(rng, supports)
        try:
            execute(chosen.run(0, recorder))
        except Aborted:
            continue
        if recorder.steps and recorder.steps[-1].kind == "return":
            yield Trace(chosen, tuple(recorder.steps))
