"""Coins in a list hide private data where they are tossed: of each entry one draw is left, in one loop."""

from __future__ import annotations

from textwrap import indent

import pytest

from synth.prover.normal_form.coin_lists import coin_lists
from synth.prover.normal_form.recording import rewriting
from synth.trusted.program import syntax as ir
from tests.support.proving import from_text

HEAD = """import numpy as np


@mechanism(adjacent={"x": discrete_distance()}, requires="k >= 2 and 0 <= x < k and 0 < p < 1")
def f(x: int, k: int, p: float):
    bits = np.zeros(k, dtype=int)
    bits[x] = 1
"""

COMBINED = {
    "chosen by coins": "return np.where(np.random.rand(k) < p, bits, 1 - bits)",
    "chosen the other way": "return np.where(np.random.rand(k) >= p, 1 - bits, bits)",
    "reals": "return np.where(np.random.rand(k) < p, bits.astype(float), 1.0 - bits)",
    "unlike truth values": "return (bits == 1) ^ (np.random.rand(k) < p)",
    "in place": "lies = np.random.rand(k) < p\nbits[lies] = 1 - bits[lies]\nreturn bits",
    "in a list": (
        "lies = [np.random.rand() < p for _ in range(k)]\n"
        "return [1 - int(b) if c else int(b) for b, c in zip(bits, lies)]"
    ),
    "two lists of coins": "return np.where(bits == 1, np.random.rand(k) < 0.5, np.random.rand(k) < p)",
    "a list and its copy": (
        "coins = (np.random.rand(k) < p).astype(int).copy()\nreturn np.where(coins == 1, bits, 1 - bits)"
    ),
}
APART = {
    "returned coins": "lies = np.random.rand(k) < p\nreturn lies",
    "coins with chances of their own": "return (np.random.rand(k) < np.where(bits == 1, 0.5, p)).astype(int)",
    "no coins": "return np.random.laplace(bits, 1.0)",
}


def read(body: str) -> ir.Mechanism:
    return from_text(HEAD + indent(body, "    ") + "\n")


@pytest.mark.parametrize("body", COMBINED.values(), ids=COMBINED)
def test_one_draw_is_left(body: str) -> None:
    found = rewriting(read(body)).program
    draws = [item for item in ir.statements(found.body) if isinstance(item, ir.Choose)]
    lists = [item for item in ir.statements(found.body) if isinstance(item, ir.NewList)]
    assert (len(draws), len(lists)) == (1, 1)


@pytest.mark.parametrize("body", APART.values(), ids=APART)
def test_other_lists_are_left_alone(body: str) -> None:
    assert not coin_lists(read(body))


READ_DIRECTLY = """import numpy as np


@mechanism(adjacent={"bits": hamming_distance(1)}, requires="0 < p < 1")
def f(bits: "np.typing.NDArray[np.int64]", p: float):
    return np.where(bits == 1, np.random.binomial(1, p, len(bits)), np.random.binomial(1, 1 - p, len(bits)))
"""
COUNTED = """import random


@mechanism(adjacent={"bits": change_one_distance()}, requires="0 < p < 1")
def f(bits: list[bool], p: float) -> tuple[int, int]:
    answers = []
    for bit in bits:
        honest, other = random.random() < p, random.random() < p
        answers.append(bit if honest else other)
    return len([answer for answer in answers if answer]), len(answers)
"""


@pytest.mark.parametrize("text", [READ_DIRECTLY, COUNTED])
def test_one_draw_is_left_for_each_entry_of_an_input(text: str) -> None:
    found = rewriting(from_text(text)).program
    assert sum(isinstance(item, ir.Choose) for item in ir.statements(found.body)) == 1


PAIRED = """import numpy as np


@mechanism(adjacent={"cells": l1_distance(1)}, requires="eps > 0")
def f(cells: "np.typing.NDArray[np.int64]", eps: float):
    p, n = 1 - np.exp(-eps), len(cells)
    return cells + np.random.geometric(p, n) - np.random.geometric(p, n)
"""


def test_two_rows_of_noise_with_one_side_are_one_with_two_sides() -> None:
    found = rewriting(from_text(PAIRED)).program
    draws = [item for item in ir.statements(found.body) if isinstance(item, ir.Draw)]
    assert [(item.distribution, item.sort) for item in draws] == [("laplace", ir.Sort.INT)]
