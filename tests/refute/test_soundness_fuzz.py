"""The soundness fuzz: no bound that is proved lies below what rigorous probabilities show to be necessary.

``FUZZ_SEED`` and ``FUZZ_COUNT`` in the environment give another first seed and more programs.
"""

from __future__ import annotations

import os
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from finite_programs import random_program, violation
from refuting import mechanism

from synth.errors import ProgramError
from synth.language.canonical import canonical
from synth.language.claim import read_claim
from synth.language.reader import read_source
from synth.language.syntax import Choose, Mechanism, statements
from synth.refute.arithmetic import UndefinedError
from synth.refute.inputs import Inputs
from synth.refute.search import refute
from synth.refute.table import distribution

sys.path.insert(0, str(Path(__file__).parents[1]))
from proving import prove_apart

SEED = int(os.environ.get("FUZZ_SEED", "0"))
COUNT = int(os.environ.get("FUZZ_COUNT", "8"))
FINITE = 4 * COUNT
"""Programs whose draws have finitely many outcomes; their loss is found by enumeration, in no time."""

SECONDS, PROVING = 1.0, 10.0

METRICS = (
    "linf_distance(1)",
    "linf_distance(2)",
    "change_one_distance(1)",
    "l1_distance(1)",
    "linf_distance(1, monotone=True)",
)
SCALES = ("1 / eps", "2 / eps", "4 / eps", "1 / (2 * eps)")


def scale(rng: random.Random) -> str:
    return rng.choice(SCALES)


def noise(rng: random.Random, center: str) -> str:
    return f"{'exponential' if rng.random() < 0.15 else 'laplace'}({center}, {scale(rng)})"


def loop_over_queries(rng: random.Random) -> list[str]:
    """A loop with a sample, a guard and something that comes out."""
    threshold = rng.choice(("t", noise(rng, "t")))
    answer = rng.choice((noise(rng, "x"), noise(rng, "x"), noise(rng, "total"), "x", "x + noise"))
    guard = rng.choice(
        ("answer >= threshold", "answer > best", "answer >= threshold and count < 2", "x >= t")
    )
    then = rng.choice(
        ("out.append(1)", "out.append(answer)", f"out.append({noise(rng, 'x')})", "best = answer")
    )
    after = rng.choice(("count += 1", "break", "threshold = " + noise(rng, "t"), "winner = count", "pass"))
    otherwise = rng.choice(("out.append(0)", "count += 1", "pass"))
    return [
        f"threshold = {threshold}",
        f"noise = {noise(rng, '0')}",
        "best = 0",
        "total = 0",
        "for x in q:",
        "    total += x",
        f"    answer = {answer}",
        f"    if {guard}:",
        f"        {then}",
        f"        {after}",
        "    else:",
        f"        {otherwise}",
    ]


def straight(rng: random.Random) -> list[str]:
    """One or two samples of the first entry, and a branch."""
    first = noise(rng, rng.choice(("q[0]", "2 * q[0]", "abs(q[0])", "max(q[0], t)", "0")))
    second = rng.choice((noise(rng, "q[0]"), "first", "q[0] + first", "t"))
    return [
        f"first = {first}",
        f"if first >= {rng.choice(('t', '0', 'q[0]'))}:",
        f"    out.append({rng.choice((second, '1'))})",
        f"count = {rng.choice(('first', second, '0', 'min(first, t)'))}",
    ]


def random_mechanism(rng: random.Random) -> str:
    """A mechanism with one to three samples, a loop or none, and a scalar or list as its output."""
    lines = loop_over_queries(rng) if rng.random() < 0.6 else straight(rng)
    result = rng.choice(("out", "count", "winner", "out", "len(out)"))
    body = "\n".join(
        f"    {line}" for line in ["out = []", "count = 0", "winner = 0", *lines, f"return {result}"]
    )
    return (
        f'@mechanism(adjacent={{"q": {rng.choice(METRICS)}}}, requires="eps > 0 and len(q) > 0")\n'
        f"def f(q: list[int], t: int, eps: float) -> list[int]:\n{body}\n"
    )


@pytest.mark.parametrize("seed", range(SEED, SEED + COUNT))
def test_no_proved_bound_is_too_small(seed: int) -> None:
    text = random_mechanism(random.Random(seed))
    try:
        of = mechanism(text)
    except ProgramError:
        return
    outcome = prove_apart(of, PROVING)
    if outcome.verdict != "proved" or outcome.epsilon is None:
        return
    witness = refute(replace(of, epsilon=read_claim(of, outcome.epsilon)), seconds=SECONDS)
    assert witness is None, f"seed {seed}: {outcome.epsilon} is proved\n{text}\n{witness}"


@pytest.mark.parametrize("seed", range(SEED, SEED + FINITE))
def test_no_bound_of_a_finite_program_is_too_small(seed: int) -> None:
    text = random_program(random.Random(seed))
    try:
        (of,) = read_source(text, "fuzz.py")
    except ProgramError:
        return
    outcome = prove_apart(of, PROVING)
    if outcome.verdict == "proved" and outcome.epsilon is not None:
        found = violation(text, outcome.epsilon)
        assert found is None, f"seed {seed}: {outcome.epsilon} is proved\n{text}\n{found}"


@pytest.mark.parametrize("seed", range(SEED, SEED + FINITE))
def test_the_canonical_form_has_the_same_distribution(seed: int) -> None:
    """Draws that are put together give each output the probability that they gave it one by one."""
    text = random_program(random.Random(seed))
    try:
        (of,) = read_source(text, "fuzz.py")
    except ProgramError:
        return
    form = canonical(of)
    if not any(isinstance(item, Choose) for item in statements(form.body)):
        return
    for inputs in _inputs(text):
        try:
            before, after = (_points(item, inputs) for item in (of, form))
        except UndefinedError:
            continue
        for output in before.keys() | after.keys():
            low, high = before.get(output, (0.0, 0.0)), after.get(output, (0.0, 0.0))
            assert low[0] <= high[1] + 1e-9 and high[0] <= low[1] + 1e-9, (text, inputs, output, low, high)


def _inputs(text: str) -> list[Inputs]:
    rng = random.Random(0)
    (of,) = read_source(text, "fuzz.py")
    values = {"int": (-1, 0, 1, 2), "bool": (False, True)}
    return [
        {
            item.name: tuple(rng.choice(values[item.sort.value]) for _ in range(2))
            if item.arity
            else rng.choice(values[item.sort.value])
            for item in of.parameters
        }
        for _ in range(3)
    ]


def _points(of: Mechanism, inputs: Inputs) -> dict[str, tuple[float, float]]:
    return {repr(line.output): line.probabilities[0] for line in distribution(of, [inputs])}
