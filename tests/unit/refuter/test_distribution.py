"""Probabilities against closed forms, and against brute-force enumeration of small programs."""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from fractions import Fraction

import pytest

from synth.prover.testing.interpreter import Aborted, Run, compile_body
from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.distribution import MEDIUM, probability
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Range
from synth.trusted.program import syntax as ir
from tests.support.refuting import assert_close, chance, from_suite, listed, mechanism, scalar


def pmf(value: int, scale: float) -> float:
    q = math.exp(-1 / scale)
    return (1 - q) / (1 + q) * q ** abs(value)


def at_least(value: int, scale: float) -> float:
    q = math.exp(-1 / scale)
    return q**value / (1 + q) if value > 0 else 1 - q ** (1 - value) / (1 + q)


# --- closed forms ---------------------------------------------------------------------------


def test_laplace_release() -> None:
    release = mechanism("@mechanism()\ndef f(x: int, s: float) -> int:\n    return laplace(x, s)\n")
    for value in (-3, 0, 1, 40):
        assert_close(chance(release, scalar(value), x=1, s=2), pmf(value - 1, 2))
    assert_close(chance(release, scalar(Range(3, math.inf)), x=1, s=2), at_least(2, 2))


def test_real_laplace_release() -> None:
    release = mechanism("@mechanism()\ndef f(x: float, s: float) -> float:\n    return laplace(x, s)\n")
    found = chance(release, scalar(Range(1, 3)), x=0, s=2)
    assert_close(found, (math.exp(-1 / 2) - math.exp(-3 / 2)) / 2)
    assert_close(chance(release, scalar(Range(-math.inf, 0)), x=Fraction(1, 3), s=2), math.exp(-1 / 6) / 2)


def test_exponential_release() -> None:
    release = mechanism("@mechanism()\ndef f(x: int, s: float) -> int:\n    return exponential(x, s)\n")
    q = math.exp(-1 / 3)
    assert_close(chance(release, scalar(4), x=2, s=3), (1 - q) * q**2)
    assert chance(release, scalar(1), x=2, s=3).floats() == (0.0, 0.0)


def test_randomized_response_from_laplace() -> None:
    respond = mechanism(
        "@mechanism()\ndef f(bit: bool, s: float) -> bool:\n"
        "    noisy = laplace(1 if bit else 0, s)\n    return noisy >= 1\n"
    )
    assert_close(chance(respond, scalar(True), bit=True, s=2), at_least(0, 2))
    assert_close(chance(respond, scalar(True), bit=False, s=2), at_least(1, 2))


def test_irrational_scale() -> None:
    release = mechanism(
        "@mechanism()\ndef f(x: int, k: int) -> int:\n    return laplace(x, sqrt(k) + exp(1))\n"
    )
    assert_close(chance(release, scalar(0), x=0, k=2), pmf(0, math.sqrt(2) + math.e))


def test_noisy_max_of_two() -> None:
    noisy_max = from_suite("benchmarks/programs/noisy_max.py", "report_noisy_max")
    # The second wins if its noise exceeds the first's by more than q0 - q1.
    second = sum(pmf(a, 2) * at_least(a + 2 - 5 + 1, 2) for a in range(-200, 200))
    assert_close(chance(noisy_max, scalar(1), q=(2, 5), eps=1), second)
    assert_close(chance(noisy_max, scalar(0), q=(2, 5), eps=1), 1 - second)


def test_noisy_max_of_two_reals() -> None:
    noisy_max = from_suite("benchmarks/programs/noisy_max.py", "report_noisy_max_real")
    d = 1 / 2  # of two Laplace variables of scale 1, the difference exceeds d with (2 + d) e^-d / 4
    found = probability(noisy_max, {"q": (Fraction(1, 2), 0), "eps": 2}, scalar(1), MEDIUM)
    low, high = found.floats()
    assert low <= (2 + d) * math.exp(-d) / 4 <= high
    assert high - low < 0.05


def test_above_threshold_on_one_query() -> None:
    above = from_suite("benchmarks/programs/above_threshold.py", "above_threshold")
    expected = sum(pmf(t, 2) * at_least(t + 3, 4) for t in range(-400, 400))
    assert_close(chance(above, scalar(0), q=(0,), t=3, eps=1), expected)


@pytest.mark.parametrize(
    ("path", "name", "inputs", "event"),
    [
        ("noisy_max.py", "report_noisy_max", {"q": (0, 1, 2, 1, 0), "eps": 1}, scalar(2)),
        (
            "sparse_vector.py",
            "svt_1",
            {"q": (0, 1, 2, 1, 0, 1), "t": (1,) * 6, "Delta": 1, "c": 3, "eps": 1},
            listed(False, True, True, False, False, True),
        ),
        (
            "numeric_sparse_vector.py",
            "numeric_svt",
            {"q": (0, 1, 2), "t": 1, "c": 2, "eps": 1},
            Event((), (((0, 0), (1, 3), (1, 0)),)),
        ),
    ],
)
def test_targets_are_narrow(path: str, name: str, inputs: dict[str, object], event: Event) -> None:
    found = chance(from_suite(f"benchmarks/programs/{path}", name), event, **inputs)
    low, high = found.floats()
    assert 0 < low <= high <= low + 1e-12


def test_index_outside_is_undefined() -> None:
    outside = mechanism("@mechanism()\ndef f(q: list[int], s: float) -> int:\n    return laplace(q[1], s)\n")
    with pytest.raises(UndefinedError):
        chance(outside, scalar(0), q=(1,), s=1)


def test_masses_add_up_to_one() -> None:
    above = from_suite("benchmarks/programs/above_threshold.py", "above_threshold")
    total = sum(chance(above, scalar(i), q=(0, 2, -1), t=1, eps=1).floats()[0] for i in range(4))
    assert total == pytest.approx(1, abs=1e-9)


# --- brute force ----------------------------------------------------------------------------

REACH = 12
CUT = 1e-7
"""More than the mass that draws further out have."""


class Scripted:
    """Gives the draws of a list, remembers their probability and what is published."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script = script
        self.used = 0
        self.weight = 1.0
        self.output: tuple[object, ...] | None = None

    def draw(self, run: Run, site: ir.Draw, arguments: object) -> int:
        if self.used == len(self.script):
            raise Aborted
        center, scale = (argument(run) for argument in arguments)  # type: ignore[attr-defined]
        noise = self.script[self.used]
        self.used += 1
        self.weight *= pmf(noise, float(scale))
        return int(center) + noise

    def branch(self, number: int, taken: bool) -> None:
        pass

    def append(self, target: str, values: object) -> None:
        pass

    def finish(self, values: tuple[object, ...]) -> None:
        self.output = values


def enumerate_all(of: ir.Mechanism, inputs: dict[str, object], draws: int) -> dict[Event, float]:
    """The probability of each output by running all scripts of so many draws."""
    (end,) = [item for item in ir.statements(of.body) if isinstance(item, ir.Return)]
    execute = compile_body(of.body)
    found: dict[Event, float] = defaultdict(float)
    for script in itertools.product(range(-REACH, REACH + 1), repeat=draws):
        observer = Scripted(script)
        run = Run(dict(inputs), {}, {}, observer)  # type: ignore[arg-type]
        execute(run)
        assert observer.used == draws and observer.output is not None
        lists = tuple(tuple(tuple(row) for row in run.lists[name]) for name in end.lists)
        found[Event(tuple(observer.output), lists)] += observer.weight  # type: ignore[arg-type]
    return found


def expression(rng: random.Random, names: list[str]) -> str:
    one, two = rng.choice(names), rng.choice([*names, "1", "2"])
    forms = (
        "{0} + {1}",
        "{0} - {1}",
        "max({0}, {1})",
        "min({0}, {1})",
        "abs({0})",
        "{0} // 2",
        "2 * {0}",
        "{0} % 3",
    )
    return rng.choice(forms).format(one, two)


def random_program(rng: random.Random) -> str:
    """Two draws with some arithmetic, branches and a list."""
    names = ["x"]
    lines = []
    for number in range(2):
        name = f"v{number}"
        lines.append(f"{name} = laplace({expression(rng, names)}, {rng.choice(('1/2', '2/3'))})")
        names.append(name)
        if rng.random() < 0.7:
            left, right = rng.choice(names), rng.choice([*names, "1"])
            lines.append(f"if {left} {rng.choice(('<', '<=', '==', '!='))} {right}:")
            lines.append(f"    {rng.choice(names)} = {expression(rng, names)}")
            lines.append(f"    out.append({rng.choice((name, '0'))})")
    result = rng.choice((expression(rng, names), f"{rng.choice(names)} > 0", "len(out)"))
    body = "\n".join(f"    {line}" for line in ["out = []", *lines, f"return {result}, out"])
    return f"@mechanism()\ndef f(x: int) -> int:\n{body}\n"


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_against_enumeration(seed: int) -> None:
    rng = random.Random(seed)
    of = mechanism(random_program(rng))
    inputs: dict[str, object] = {"x": rng.randint(-2, 2)}
    expected = enumerate_all(of, inputs, 2)
    likely = sorted(expected, key=lambda event: -expected[event])
    for event in [*likely[:4], *rng.sample(likely, min(4, len(likely)))]:
        low, high = chance(of, event, **inputs).floats()
        assert low - CUT <= expected[event] <= high + CUT
        assert high - low < 1e-6
