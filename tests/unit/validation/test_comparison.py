"""A program that is read as another one is told apart by small inputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_file, read_source
from synth.trusted.program import syntax as ir
from synth.validation.comparison import Comparison, Kind, compare
from tests import ROOT

HEAD = """import random
import numpy as np
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def f(q: list[int], n: int, eps: float):
"""

MISREADINGS = {
    "an index": ("return q[0]", "return q[len(q) - 1]"),
    "a bound": ("return sum(1 for v in q if v > 0)", "return sum(1 for v in q if v >= 0)"),
    "another scale": ("return exponential(n, 2 / eps)", "return exponential(n, 3 / eps)"),
    "a scale": ("return laplace(n, 2 / eps)", "return laplace(n, 1 / eps)"),
    "a scale of a library": (
        "return np.random.laplace(0, 1 / eps) + n",
        "return np.random.laplace(0, 1 / (2 * eps)) + n",
    ),
    "a chance": ("return random.random() < 0.25", "return random.random() < 0.75"),
    "a side of a chance": (
        "return n if bernoulli(1 / (1 + exp(eps))) else 0",
        "return 0 if bernoulli(1 / (1 + exp(eps))) else n",
    ),
    "a draw that is used twice": (
        "v = bernoulli(0.5)\n    return (v, v)",
        "v = bernoulli(0.5)\n    w = bernoulli(0.5)\n    return (v, w)",
    ),
    "a law": ("return exponential(n, 1 / eps)", "return laplace(n, 1 / eps)"),
    "weights": ("return choice(2, lambda r: r * eps)", "return choice(2, lambda r: -r * eps)"),
    "an end": ("return uniform_int(0, 3)", "return uniform_int(0, 2)"),
    "an order": (
        "out = []\n    for v in q: out.append(v)\n    return out",
        "out = []\n    for i in range(len(q)): out.append(q[len(q) - 1 - i])\n    return out",
    ),
    "a run that raises": ("return 10 // n", "return 10 // n if n != 0 else 0"),
    "a case": ("return None if n > 0 else n", "return n"),
    "a rounding": ("return n // 2", "return -(-n // 2)"),
    "a label": ("return 'a' if n > 0 else 'b'", "return 'b' if n > 0 else 'a'"),
    "an entry of a dict": ("return {'a': n, 'b': 1}", "return {'a': 1, 'b': n}"),
    "an exit": (
        "for v in q:\n        if v > 0: return v\n    return -1",
        "r = -1\n    for v in q:\n        if v > 0: r = v\n    return r",
    ),
}


def read(body: str) -> ir.Mechanism:
    (found,) = read_source(f"{HEAD}    {body}\n", "tried.py")
    return found


def misread(text: str, other: str) -> Comparison:
    """What is said of a text that would be read as another one."""
    one, two = read(text), read(other)
    return compare(replace(two, source=one.source, span=one.span))


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misreading_is_found(name: str) -> None:
    text, other = MISREADINGS[name]
    assert misread(text, other).kind is Kind.DIFFERENT


@pytest.mark.parametrize("name", MISREADINGS)
def test_what_is_read_as_it_is_runs_as_it_is(name: str) -> None:
    for body in MISREADINGS[name]:
        assert compare(read(body)).kind is Kind.SAME, body


def test_the_input_is_told() -> None:
    why = misread("return n", "return n + 1").why
    assert why.startswith("on q = [") and "by Python's rules" in why


@pytest.mark.parametrize(
    "body",
    [
        "return laplace(0, log(2 + n * n))",
        "while laplace(0, 1 / eps) < 10**6: pass\n    return n",
    ],
)
def test_what_is_not_computed_shows_nothing(body: str) -> None:
    found = compare(read(body))
    assert found.kind is Kind.NOT_COMPUTED and found.why


SUITE = sorted((ROOT / "benchmarks" / "programs").glob("*.py"))
ALL = sorted(
    path
    for folder in ("benchmarks", "examples", "tests/completeness/programs")
    for path in (ROOT / folder).rglob("*.py")
)


def kinds(paths: list[Path]) -> list[Kind]:
    """What is said of the mechanisms of files that can be read."""
    found = []
    for path in paths:
        try:
            mechanisms = read_file(path)
        except ProgramError:
            continue
        for mechanism in mechanisms:
            result = compare(mechanism)
            assert result.kind is not Kind.DIFFERENT, (path, mechanism.name, result.why)
            found.append(result.kind)
    return found


def test_nearly_all_mechanisms_of_the_suite_are_compared() -> None:
    found = kinds(SUITE)
    assert found.count(Kind.SAME) >= 0.9 * len(found)


@pytest.mark.slow
def test_nearly_all_mechanisms_are_compared() -> None:
    found = kinds(ALL)
    assert len(found) > 700 and found.count(Kind.SAME) >= 0.88 * len(found)


def test_noise_that_is_made_of_draws_is_not_compared_on_few_values() -> None:
    """A random sign of exponential noise is Laplace noise, though not if each falls on two values."""
    text = "v = exponential(0, 1 / eps)\n    return n + (v if bernoulli(0.5) else -v)"
    assert misread(text, "return laplace(n, 1 / eps)").kind is Kind.NOT_COMPUTED
