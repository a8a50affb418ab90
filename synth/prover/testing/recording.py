"""Runs 1 on small instances with awkward noise, recorded step by step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from synth.prover.testing.instances import Instance, Instances
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
from synth.prover.testing.valuations import Valuation
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Kind

MAX_STEPS = 1500
BEYOND = 12
"""How far beyond marks noise is centred, so that it stays on one side of them."""
BACK = 0.03
"""How often it is between them nevertheless."""
Supports = Mapping[str, Callable[[Number, Number], bool]]


@dataclass(frozen=True)
class Places:
    """Where noise is worth drawing, by sampling site: about ``marks``, or ``near`` its centre."""

    marks: Mapping[int, Sequence[Evaluate]]
    near: frozenset[int]

    @staticmethod
    def of(marks: Mapping[int, Sequence[ir.Expression]], near: frozenset[int]) -> Places:
        """Marks are expressions that have values before the draw."""
        compiled = {site: [compile_expression(item) for item in items] for site, items in marks.items()}
        return Places(compiled, near)


ANYWHERE = Places({}, frozenset())


@dataclass(frozen=True)
class Step:
    """One observable step of run 1.  ``observable`` says how it is published, None for a draw."""

    observable: Kind | None
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

    def __init__(self, rng: random.Random, supports: Supports, places: Places) -> None:
        self.rng = rng
        self.places = places
        self.supports = supports
        self.steps: list[Step] = []
        self.level: dict[int, int] = {}
        self.spread: dict[int, int | None] = {}

    def draw(self, run: Run, site: ir.Draw, arguments: Arguments) -> Number:
        if len(self.steps) > MAX_STEPS:
            raise Aborted
        center, scale = (argument(run) for argument in arguments)
        if scale <= 0:  # a part of a program has no obligations of its own
            raise Aborted
        value = self._noise(site, center) + self._place(run, site, center)
        self.steps.append(Step(None, site.site, (value,), (center, scale), dict(run.values)))
        return value

    def choose(self, run: Run, site: ir.Choose, law: CompiledLaw) -> Number:
        if len(self.steps) > MAX_STEPS:
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
        self.steps.append(Step(None, site.site, (value,), arguments, dict(run.values)))
        return value

    def _outcome(self, run: Run, site: ir.Choose, law: CompiledChances) -> Number:
        """A value with a chance, at or between the landmarks."""
        rng = self.rng
        marks = sorted({int(mark(run)) for mark in law.landmarks}) or [0]
        for _ in range(40):
            value: Number = rng.choice((False, True))
            if site.sort is ir.Sort.INT:
                value = rng.choice((rng.choice(marks), rng.randint(marks[0], marks[-1])))
            if law.probability(run, law.outcome(run, value)) > 0:
                return value
        raise Aborted

    def _noise(self, site: ir.Draw, center: Number) -> Number:
        """Noise around 0, far above or far below, whichever the site's level in this run says."""
        rng = self.rng
        if site.site not in self.level:
            self.level[site.site] = 0 if site.site in self.places.near else rng.choice((0, 0, 0, -8, 8))
        noise: int | Fraction = rng.randint(-3, 3)
        if site.sort is ir.Sort.REAL and rng.random() < 0.2:
            noise = Fraction(2 * noise + 1, 2)
        value = noise + self.level[site.site]
        if self.supports[site.distribution](value, center):
            return value
        return center + (value if value >= 0 else -value)

    def _place(self, run: Run, site: ir.Draw, center: Number) -> Number:
        """In some runs 0, in some about a mark, in some beyond all marks for a while, then between them."""
        if site.site in self.places.near:
            return center
        if site.site not in self.places.marks:
            return 0
        rng = self.rng
        if site.site not in self.spread:
            self.spread[site.site] = rng.choice((None, 0, BEYOND, BEYOND))
        spread = self.spread[site.site]
        if spread is None:
            return 0
        marks = sorted(mark(run) for mark in self.places.marks[site.site])
        if spread and rng.random() < BACK:
            return (marks[0] + marks[-1]) // 2
        return rng.choice((marks[0] - spread, marks[-1] + spread))

    def branch(self, number: int, taken: bool) -> None:
        self.steps.append(Step(Kind.BRANCH, number, (taken,)))

    def append(self, statement: ir.Append, values: tuple[Number, ...]) -> None:
        self.steps.append(Step(Kind.APPEND, statement.target, values))

    def finish(self, values: tuple[Number, ...]) -> None:
        self.steps.append(Step(Kind.RETURN, "", values))


def traces(
    mechanism: ir.Mechanism,
    admissible: list[Valuation],
    supports: Supports,
    count: int,
    places: Places,
    seed: int = 1,
) -> list[Trace]:
    """``count`` runs on random instances, spread over the valuations; short ones come first.

    ``supports`` says per distribution whether a draw is possible at a centre.
    """
    rng = random.Random(seed)
    found = _traces(mechanism, admissible, supports, places, count=count, rng=rng)
    return sorted(found, key=lambda trace: len(trace.steps))


def _traces(
    mechanism: ir.Mechanism,
    admissible: list[Valuation],
    supports: Supports,
    places: Places,
    *,
    count: int,
    rng: random.Random,
) -> Iterator[Trace]:
    execute = compile_body(mechanism.body)
    instances = [Instances.of(mechanism, valuation) for valuation in admissible[:count]]
    for number in range(count):
        chosen = instances[number % len(instances)].drawn(rng)
        if chosen is None:
            continue
        recorder = Recorder(rng, supports, places)
        try:
            execute(chosen.run(0, recorder))
        except Aborted:
            continue
        if recorder.steps and recorder.steps[-1].observable is Kind.RETURN:
            yield Trace(chosen, tuple(recorder.steps))
