"""Lists of weights that loops compute hold the scores: what is read has the law of the program."""

from __future__ import annotations

import random

import pytest

from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """\
import math
import random
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int, eps: float):
"""
WEIGHTS = """\
ws = []
for k in range(4):
    s = 0
    for j in range(k):
        s += x
    ws.append(math.exp(eps * s / 2))
"""
DRAW = "i = random.choices(range(4), weights=ws)[0]\n"
SCORED = {
    "entries": DRAW + "return i, [v > 1.5 for v in ws]",
    "the entry that is drawn": DRAW + "return ws[i] > 1.5",
    "a sum of them": "t = sum(ws)\n" + DRAW + "return i, t > 5",
    "two draws": DRAW + "j = random.choices(range(4), weights=ws)[0]\nreturn i + j",
}
KEPT = {
    "no exponential": WEIGHTS.replace("math.exp(eps * s / 2)", "1.0 + s * s") + DRAW + "return i",
    "two kinds of entries": WEIGHTS + "ws.append(math.exp(n * x))\n" + DRAW + "return i",
    "a list that is returned": WEIGHTS + DRAW + "return i, ws",
    "none is drawn": WEIGHTS + "return ws[2] > 1.5",
}


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


def appended(body: str) -> list[ir.Expression]:
    """What goes into the list."""
    (found,) = read_source(text(body), "p.py")
    return [
        item.values[0]
        for item in ir.statements(found.body)
        if isinstance(item, ir.Append) and item.target == "ws"
    ]


def is_weight(value: ir.Expression) -> bool:
    return isinstance(value, ir.Operation) and value.operator is ir.Operator.EXPONENTIAL


@pytest.mark.parametrize("body", SCORED.values(), ids=SCORED)
def test_scores_are_kept_and_weights_are_read(body: str) -> None:
    body = WEIGHTS + body
    assert not any(map(is_weight, appended(body)))
    assert compare(text(body), random.Random(1), 4) == "same"


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_other_lists_stay_what_they_are(body: str) -> None:
    kinds = [is_weight(value) for value in appended(body)]
    assert kinds and (all(kinds) or body == KEPT["no exponential"])
