"""Draws without replacement, and orders at random, have the laws that they have under Python."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import random
import secrets

import numpy as np
from synth.lang import mechanism, discrete_distance

rng = np.random.default_rng()


@mechanism(adjacent={"x": discrete_distance()})
def f(x: int, ys: list[int]):
"""


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


SAME = [
    "return np.random.choice(3, 2, replace=False)",
    "return np.random.choice([5, x, 7], size=2, replace=False)",
    "return rng.choice(ys, 1, False)",
    "return np.random.choice([5, x, 7], replace=False)",
    "return np.random.choice(ys, size=0, replace=False)",
    "return random.sample(ys, 2)",
    "return random.sample(range(3), k=2)",
    "return random.SystemRandom().sample([x, 1, 2], 1)",
    "return rng.permutation(3)",
    "return np.random.permutation(ys)",
    "return [i + x for i in rng.permutation(3)]",
    "zs = [1, x, 3]\nrandom.shuffle(zs)\nreturn zs",
    "zs = list(ys)\nrng.shuffle(zs)\nzs.append(4)\nreturn zs",
    "a = np.arange(3)\nnp.random.shuffle(a)\na[0] = x\nreturn a",
    "a = np.array(ys)\nif len(ys) > 1:\n    rng.shuffle(a)\nreturn a",
    "return random.sample(ys, len(ys))",
]


@pytest.mark.parametrize("body", SAME)
def test_the_law_is_that_under_python(body: str) -> None:
    assert compare(text(body), random.Random(1), 6) == "same"


def test_a_list_is_shuffled_for_all_that_have_it() -> None:
    helper = "def mixed(zs):\n    random.shuffle(zs)\n\n\n"
    program = text("zs = [1, x, 3]\nmixed(zs)\nreturn zs").replace("@mechanism", f"{helper}@mechanism")
    assert compare(program, random.Random(1), 6) == "same"


REFUSED = [
    ("random.shuffle(ys)\nreturn 0", Refusal.PARAMETER_REASSIGNED),
    ("random.shuffle([1, 2])\nreturn 0", Refusal.UNSUPPORTED_LIST),
    ("zs = [1, 2]\nreturn random.shuffle(zs)", Refusal.UNSUPPORTED_CALL),
    ("zs = [[1, 2]]\nreturn list(map(random.shuffle, zs))", Refusal.LIST_OF_LISTS),
    ("zs = [1, 2]\nfor z in zs:\n    random.shuffle(zs)\nreturn 0", Refusal.LIST_CHANGED_IN_LOOP),
    ("a = np.arange(4)\nb = a\nrng.shuffle(a)\nreturn b", Refusal.ALIASING),
    ("a = np.arange(4)\nrng.shuffle(a[1:])\nreturn a", Refusal.UNSUPPORTED_ARRAY),
    ("m = np.zeros((2, 2))\nrng.shuffle(m)\nreturn m", Refusal.UNSUPPORTED_LIST),
    ("return random.sample(range(9), x)", Refusal.PRIVATE_LOOP_BOUND),
    ("return random.sample({1, 2}, 1)", Refusal.UNSUPPORTED_LOOP),
    ("return random.sample((y for y in ys), 1)", Refusal.UNSUPPORTED_TYPE),
]


@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_what_is_not_exact_is_refused(body: str, code: Refusal) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(text(body), "p.py")
    assert caught.value.code is code


def test_python_draws_from_no_dict() -> None:
    assert compare(text("return random.sample({1: x, 2: 5}, 1)"), random.Random(1), 2) == "refused"


def test_chances_without_replacement_are_refused() -> None:
    program = text("return np.random.choice([5, x, 7], 2, replace=False, p=[0.5, 0.25, 0.25])")
    assert compare(program, random.Random(1), 2) == "refused"
