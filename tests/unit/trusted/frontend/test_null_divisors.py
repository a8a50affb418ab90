"""That a divisor isn't 0 is demanded, unless it is real noise around what was known before it was drawn."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import read_source

HEAD = """\
import numpy as np
from synth.lang import add_remove_distance, laplace as laplace_around, mechanism


def noisy(value, scale):
    return value + np.random.laplace(0, scale)


def drawn_apart(value, scale):
    noise = np.random.laplace(0, scale)
    return value + noise


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0")
def f(xs: list[float], flag: bool, t: float, n: int, eps: float):
"""


def demands(body: str) -> bool:
    """Whether the core program of a function with this body demands that ``count`` is not 0."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    (found,) = read_source(HEAD + lines, "p.py")
    return '"divisor")' in write_core(found).replace('ensure(not eps == 0.0, "divisor")', "")


NULL = {
    "noise around a count": "count = np.random.laplace(len(xs), 1 / eps)\nreturn t / count",
    "a helper": "count = noisy(len(xs), 1 / eps)\nreturn t / count",
    "a helper with a name for its noise": "count = drawn_apart(len(xs), 1 / eps)\nreturn t / count",
    "noise that is subtracted": "z = np.random.normal(0, 1 / eps)\ncount = t - z\nreturn t / count",
    "one of two draws": """
if flag:
    count = noisy(len(xs), 1 / eps)
else:
    count = np.random.exponential(1 / eps)
return t / count
""",
    "a copy": "noise = np.random.laplace(len(xs), 1 / eps)\ncount = noise\nreturn t / count",
    "of all entries": "count = noisy(len(xs), 1 / eps)\np = np.zeros(n) / count\nreturn t",
    "drawn anew in each round": """
total = 0.0
for i in range(3):
    count = noisy(len(xs), 1 / eps)
    total += t / count
return total
""",
}


@pytest.mark.parametrize("body", NULL.values(), ids=NULL)
def test_real_noise_is_0_with_probability_0(body: str) -> None:
    assert not demands(body)


DEMANDED = {
    "integer noise": "count = laplace_around(len(xs), 1 / eps)\nreturn t / count",
    "noise that is clipped": "count = max(noisy(len(xs), 1 / eps), 0.0)\nreturn t / count",
    "noise that is rounded": "count = round(noisy(len(xs), 1 / eps))\nreturn t / count",
    "0 on one side": "count = noisy(len(xs), 1 / eps)\nif flag:\n    count = 0.0\nreturn t / count",
    "0 where noise is small": "count = noisy(t, 1 / eps)\nif count < 1:\n    count = 0.0\nreturn t / count",
    "chosen": "noise = noisy(len(xs), 1 / eps)\ncount = noise if flag else 0.0\nreturn t / count",
    "added up": "count = 0.0\nfor i in range(3):\n    count += noisy(0.0, 1 / eps)\nreturn t / count",
    "noise without itself": "z = noisy(0.0, 1 / eps)\ncount = z - z\nreturn t / count",
    "noise without its copy": "z = np.random.laplace(0, 1)\ny = z\ncount = y - z\nreturn t / count",
    "noise without its entry": """
kept = []
z = np.random.laplace(0, 1)
kept.append(z)
count = kept[0] - z
return t / count + sum(kept)
""",
    "noise that is made up for": """
y = 0.0
z = np.random.laplace(0, 1)
if flag:
    y = -z
count = y + z
return t / count
""",
    "noise of the round before": """
y = z = 0.0
total = 0.0
for i in range(3):
    if i > 0:
        count = y - z
        total += t / count
    z = np.random.laplace(0, 1)
    y = z
return total
""",
    "a coin": "count = float(np.random.randint(0, 2))\nreturn t / count",
    "the data": "count = sum(xs)\nreturn noisy(0.0, 1.0) + t / count",
    "the data, of all entries": "count = sum(xs)\np = np.zeros(n) / count\nreturn t",
    "times what may be 0": "count = noisy(1.0, 1.0) * t\nreturn t / count",
}


@pytest.mark.parametrize("body", DEMANDED.values(), ids=DEMANDED)
def test_what_may_be_0_is_shown_not_to_be(body: str) -> None:
    assert demands(body)
