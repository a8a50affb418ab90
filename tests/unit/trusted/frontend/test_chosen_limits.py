"""Uniform draws that each entry compares with one limit or another are coins."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import Refusal
from synth.trusted.frontend.reader import read_what_can_be
from tests.support.real_runs import compare

HEAD = """\
import numpy as np
import numpy.typing as npt
from synth.lang import change_one_distance, mechanism


@mechanism(adjacent={"bits": change_one_distance()})
def f(bits: npt.NDArray[np.bool_]):
    p = 0.75
"""
DRAWN = "u = np.random.random(len(bits))\n"


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize(
    ("body", "each"),
    [
        (f"{DRAWN}return np.where(bits, u < p, u < 1 - p)", "u < (p if bit else 1 - p)"),
        (f"{DRAWN}return np.where(bits, p > u, 1 - p > u)", "u < (p if bit else 1 - p)"),
        (
            "u = np.random.default_rng().uniform(size=len(bits))\nreturn np.where(~bits, u <= p, u <= 0.5)",
            "u <= (0.5 if bit else p)",
        ),
        (
            f"{DRAWN}a = np.where(bits == 1, u < p, u < 1 - p).astype(int)\nreturn a",
            "u < (p if bit else 1 - p)",
        ),
        (f"{DRAWN}return np.where(bits, u < p, u < np.where(bits, 0.5, 0.25))", "u < (p if bit else 0.25)"),
        (f"{DRAWN}v = np.random.random(len(bits))\nreturn np.where(bits, u < p, v < p)", "u < p"),
    ],
)
def test_each_entry_is_compared_once(body: str, each: str) -> None:
    loop = f"out = []\nfor bit in bits:\n    u = np.random.random()\n    out.append({each})\nreturn out"
    assert compare(text(body), random.Random(3), tries=6, run=text(loop)) == "same"


@pytest.mark.parametrize(
    "body",
    [
        f"{DRAWN}return np.where(bits, u < p, u < 1 - p), u < p",
        f"{DRAWN}return np.where(bits, u < p, u > p)",
        f"{DRAWN}return np.where(u < 0.5, u < p, u < 1 - p)",
        f"{DRAWN}where = np.where\nreturn where(bits, u < p, u < u)",
        f"{DRAWN}return np.where(bits, u < p, 0.1 < u < 1 - p)",
    ],
)
def test_what_asks_more_of_the_draws_is_refused(body: str) -> None:
    found, refused = read_what_can_be(text(body), "p.py")
    assert not found and Refusal.UNIFORM_IN_FORMULA in [item.code for item in refused]


LISTS = [
    "u = random.sample([1.0, 2.0], 2)\nreturn np.where(bits, u < [1.5, 1.0], u < [1.0, 1.5])",
    "u = random.sample([1.0, 2.0], 2)\nreturn np.where(np.array([True, False]), u < [p, 1.5], u < [1.5, p])",
    "u = random.sample([1.0, 2.0], 2)\nreturn np.where(np.array([True, False]), u < p, u < 1.5)",
    "u = random.sample([1.0, 2.0], 2)\nreturn np.where(np.array([True, False]), u == [p, 1.5], u == [1, p])",
    "u = np.random.random(2)\nw = u < p\nu = [1.0, 2.0]\n"
    "return np.where(np.array([True, False]), u < [p, 1.5], u < [1.5, p]), w",
]


@pytest.mark.parametrize("body", LISTS)
def test_lists_of_draws_are_compared_as_a_whole(body: str) -> None:
    assert compare(f"import random\n{text(body)}", random.Random(3), tries=6) in ("refused", "same")
