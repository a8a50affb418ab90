"""The reader against CPython: the typed program of a text does what the text does, on the same draws.

What the typed program does is said by two interpreters: one of the tests, which rounds what is no rational
number, and the definition of the core language, as far as its numbers go.  They must agree.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from synth.trusted.core.exponential_numbers import Number, enclosure
from synth.trusted.core.expressions import Inexact, Value
from synth.trusted.core.interpreter import Ended, Outcome, OutOfFuel, Output, Violated, outcome
from synth.trusted.core.laws import Law, Noise
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.claimed_programs import claimed_mechanism
from tests.support.finite_programs import any_program
from tests.support.noise_programs import random_mechanism
from tests.support.random_programs import programs
from tests.support.sized_programs import sized_program
from tests.support.typed_runs import ObligationFailed, Run, Stuck, run_python

from .hunting import Broken, Try
from .inputs import inputs_of
from .validated import hold_against_text

BATCH = 8
"""Programs of a case."""

RUNS = 6
MAX_DRAWS = 300
CLOSE = 1e-9
FINITE = (
    "int(bernoulli(0.25))",
    "int(bernoulli(1 / 3 if a > 0 else 0.5))",
    "int(randomized_response(n > a, 1))",
    "uniform_int(0, 2)",
    "uniform_int(-1, max(t, 0))",
    "choice(3, lambda r: r * n)",
    "choice(2, log_weight=lambda r: q[0] if r > 0 and len(q) > 0 else t)",
    "exponential_mechanism(3, lambda r: abs(r - t), 1, 2)",
    "round(laplace(a + 0.5, 0.5))",
    "gaussian(b, 1.5)",
)
"""Other draws, in place of some of the noise of ``random_programs``."""

_NOISE = re.compile(r"laplace\(0, 1\)|laplace\(a, 2\)|exponential\(b, scale=1\)|noisy\(n\)")


class _TooLong(Exception):
    """A run under Python that draws for ever."""


@dataclass(frozen=True)
class Drawn:
    """A draw under Python; its law is (whether on integers, scale), or the chances of values."""

    distribution: str
    value: Any
    law: Any


@dataclass
class Tape:
    """Samplers for Python, and what they drew."""

    rng: random.Random
    drawn: list[Drawn] = field(default_factory=list)

    def _record(self, distribution: str, value: Any, law: Any) -> Any:
        if len(self.drawn) >= MAX_DRAWS:
            raise _TooLong
        self.drawn.append(Drawn(distribution, value, law))
        return value

    def _noise(self, distribution: str, center: Any, scale: Any) -> Any:
        if scale <= 0:
            raise ValueError("scale")
        if isinstance(center, list):
            return [self._noise(distribution, entry, scale) for entry in center]
        offset = self.rng.randint(0 if distribution == "exponential" else -2, 2)
        return center + self._record(distribution, offset, (isinstance(center, int), float(scale)))

    def _one_of(self, distribution: str, chances: dict[Any, float]) -> Any:
        possible = [value for value, chance in chances.items() if chance > 0]
        return self._record(distribution, self.rng.choice(possible), chances)

    def laplace(self, center: Any, scale: Any) -> Any:
        return self._noise("laplace", center, scale)

    def exponential(self, center: Any, scale: Any) -> Any:
        return self._noise("exponential", center, scale)

    def gaussian(self, center: Any, sigma: Any) -> Any:
        return self._noise("gaussian", center, sigma)

    def bernoulli(self, p: float) -> Any:
        if not 0 <= p <= 1:
            raise ValueError("probability")
        return self._one_of("bernoulli", {True: p, False: 1 - p})

    def randomized_response(self, bit: Any, epsilon: float) -> Any:
        if epsilon < 0:
            raise ValueError("epsilon")
        kept = 1 / (1 + math.exp(-epsilon))
        return self._one_of("randomized_response", {bool(bit): kept, not bit: 1 - kept})

    def uniform_int(self, lo: int, hi: int) -> Any:
        if lo > hi:
            raise ValueError("nothing to draw from")
        return self._one_of("uniform_int", dict.fromkeys(range(lo, hi + 1), 1 / (hi - lo + 1)))

    def choice(self, n: int, log_weight: Callable[[int], float]) -> Any:
        return self._weighted("choice", n, log_weight)

    def exponential_mechanism(
        self, n: int, score: Callable[[int], float], epsilon: float, sensitivity: float
    ) -> Any:
        if epsilon <= 0 or sensitivity <= 0:
            raise ValueError("epsilon")
        return self._weighted("exponential_mechanism", n, lambda r: epsilon * score(r) / (2 * sensitivity))

    def _weighted(self, distribution: str, n: int, log_weight: Callable[[int], float]) -> Any:
        if n < 1:
            raise ValueError("no candidate")
        logs = [float(log_weight(r)) for r in range(n)]
        weights = [math.exp(log - max(logs)) for log in logs]
        return self._one_of(distribution, {r: weight / sum(weights) for r, weight in enumerate(weights)})

    def samplers(self) -> dict[str, Callable[..., Any]]:
        """By their names in a program."""
        names = ("laplace", "exponential", "gaussian", "bernoulli", "randomized_response", "uniform_int")
        found = {name: getattr(self, name) for name in (*names, "choice", "exponential_mechanism")}
        return {**found, **{name: getattr(math, name) for name in ("exp", "log", "sqrt", "floor", "ceil")}}


class Replay(Run):
    """A run of the typed program on what Python drew, which must be what it draws."""

    def __init__(self, of: ir.Mechanism, inputs: dict[str, Any], drawn: Sequence[Drawn]) -> None:
        super().__init__(of, inputs, iter(()))
        self.rest = list(drawn)

    def _next(self, statement: ir.Draw | ir.Choose) -> Drawn:
        if not self.rest:
            raise Stuck
        found = self.rest.pop(0)
        assert found.distribution == statement.distribution, f"{statement.distribution}, not {found}"
        return found

    def drawn(self, statement: ir.Draw) -> Any:
        found = self._next(statement)
        integers, scale = found.law
        # Python may leave an integer where the reader knows a real centre; `lang.real_sites` sees to it.
        assert statement.sort is ir.Sort.REAL or integers, f"an integer where Python draws a real: {found}"
        assert _same(self.at(statement.arguments[1]), scale), f"another scale than {found}"
        return found.value

    def chosen(self, statement: ir.Choose) -> Any:
        found = self._next(statement)
        chances = self._chances(statement, list(found.law))
        assert all(_same(chances[value], chance) for value, chance in found.law.items()), (
            f"{chances}, {found}"
        )
        return found.value

    def _chances(self, statement: ir.Choose, values: list[Any]) -> dict[Any, float]:
        law = statement.law
        if isinstance(law, ir.Chances):
            found = {}
            for value in values:
                here = [p for condition, p in law.outcomes if self.at(condition, **{statement.index: value})]
                assert len(here) <= 1, f"{value} has two outcomes"
                found[value] = float(sum(self.at(p, **{statement.index: value}) for p in here))
            return found
        assert self.at(law.count) == len(values), "another number of candidates"
        logs = [float(self.at(law.score, **{statement.index: r}) * self.at(law.rate)) for r in values]
        weights = [math.exp(log - max(logs)) for log in logs]
        return {r: weight / sum(weights) for r, weight in zip(values, weights, strict=True)}


def defined(of: ir.Mechanism, inputs: dict[str, Any], drawn: Sequence[Drawn]) -> Outcome | OutOfFuel | None:
    """What the definition makes of a run on what Python drew; None where it doesn't compute the numbers."""
    rest = list(drawn)

    def noise(site: int, law: Law) -> Value:
        if not rest:
            raise Stuck
        found = rest.pop(0)
        if isinstance(law, Noise):
            assert law.distribution == found.distribution, f"{law} by definition, not {found}"
            assert _same(_rounded(law.scale), found.law[1]), f"{law} by definition, not {found}"
            return law.center + found.value
        chances = {value: _rounded(law.chance(value)) for value in found.law}
        assert law.choice.distribution == found.distribution, f"{law} by definition, not {found}"
        assert all(_same(chances[value], chance) for value, chance in found.law.items()), (
            f"{chances} by definition, not {found}"
        )
        return found.value

    try:
        found = outcome(of, inputs, noise)
    except Inexact:
        return None
    except Stuck:
        return OutOfFuel()
    assert not rest or not isinstance(found, Output), "by definition it draws less than Python"
    return found


def _rounded(number: Number) -> float:
    return float(enclosure(number, 30)[0])


def _same(one: Any, other: float) -> bool:
    return abs(float(one) - other) <= CLOSE * max(1.0, abs(other))


# --- programs -------------------------------------------------------------------------------


def drawn_from_hypothesis(number: int, count: int) -> list[str]:
    """So many of ``random_programs``, some of the noise replaced."""
    found: list[str] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def keep(text: str) -> None:
        found.append(text)

    keep()
    return found


def _with_other_draws(text: str, rng: random.Random) -> str:
    return _NOISE.sub(lambda match: rng.choice(FINITE) if rng.random() < 0.5 else match.group(), text)


def program_texts(rng: random.Random) -> Iterator[str]:
    """The programs of a case, of all grammars."""
    for text in drawn_from_hypothesis(rng.getrandbits(32), BATCH // 2):
        yield _with_other_draws(text, rng)
    others = (any_program, sized_program, random_mechanism, claimed_mechanism)
    for _ in range(BATCH - BATCH // 2):
        text = rng.choice(others)(rng)
        yield text if text.startswith("from") else f"from synth.lang import *\n\n\n{text}"


# --- comparison -----------------------------------------------------------------------------


def strict(value: Any) -> Any:
    """A value with its types, so that True is another one than 1."""
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(strict, value))
    return (type(value).__name__, value)


def plain(value: Any) -> Any:
    """A value as Python compares it."""
    if isinstance(value, list | tuple):
        return (isinstance(value, list), *map(plain, value))
    return Fraction(value).limit_denominator(10**9) if isinstance(value, float) else value


def attempt(case: str) -> Iterator[Try]:
    """Some programs, each on some inputs."""
    rng = random.Random(case)
    for text in program_texts(rng):
        yield compared(text, rng)


def compared(text: str, rng: random.Random) -> Try:
    """One program under Python and as a typed program.  Raises Broken."""
    try:
        (of,) = read_source(text, "hunt.py")
    except ProgramError:
        return Try("refused", reached=False)
    outputs: dict[Any, Any] = {}
    results: list[tuple[Any, Any]] = []
    exact = True
    for _ in range(RUNS):
        inputs = inputs_of(of, rng)
        if inputs is None:
            return Try("no inputs found", reached=False)
        try:
            found = _run(text, of, inputs, Tape(rng))
        except AssertionError as error:
            raise Broken(f"the typed program differs: {error}, inputs {inputs}", text) from None
        if found is not None:
            value, output, known = found
            results.append((value, output))
            exact = exact and known
    for value, output in results:
        if outputs.setdefault(strict(value), output) != output:
            raise Broken(f"one output of Python, {value}, is two of the typed program", text)
    for value, output in results:
        if any(other == output and plain(known) != plain(value) for known, other in results):
            raise Broken(f"two outputs of Python are one of the typed program: {value}", text)
    hold_against_text(of, text)
    kind = "same" if exact else "same, some runs not by definition"
    return Try(kind if results else "no run ended", reached=bool(results))


def _run(text: str, of: ir.Mechanism, inputs: dict[str, Any], tape: Tape) -> tuple[Any, Any, bool] | None:
    """Both outputs, and whether the definition has it, too; None if an obligation fails or it is too long."""
    given_ = {name: list(item) if isinstance(item, tuple) else item for name, item in inputs.items()}
    failed = False
    value: Any = None
    source = re.sub(r"^from (math|typing) import .*$", "", text, flags=re.M)
    try:
        value = run_python(source, of.name, given_, iter(()), tape.samplers())
    except (IndexError, ZeroDivisionError, TypeError, ValueError, OverflowError):
        failed = True
    except _TooLong:
        return None
    by_definition = defined(of, inputs, tape.drawn)
    run = Replay(of, inputs, tape.drawn)
    try:
        output = run.output()
    except ObligationFailed as error:
        # A negative index is fine under Python; the language refuses it.
        assert failed or "[" in text, "an obligation fails, though Python runs"
        same = by_definition is None or (
            isinstance(by_definition, Violated) and by_definition.kind == str(error)
        )
        assert same, f"an obligation ({error}) fails, but it is {by_definition} by definition"
        return None
    except Stuck:
        assert failed or run.steps > 1000 or "assert" in text, "draws more than Python"
        stuck = by_definition is None or isinstance(by_definition, Ended | OutOfFuel | Violated)
        assert stuck, f"it comes to no end, but it is {by_definition} by definition"
        return None
    assert not failed, "runs, though Python fails"
    assert not run.rest, "draws less than Python"
    if by_definition is None:
        return value, output, False
    assert isinstance(by_definition, Output), f"runs, but it is {by_definition} by definition"
    flat = (*by_definition.values, *by_definition.lists)
    assert flat == output, f"the output is {output}, but {flat} by definition"
    return value, output, True
