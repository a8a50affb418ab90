"""Randomized response, with its weights and the other answers in lists, as libraries write it."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from synth.trusted.program import syntax as ir
from tests.support.proving import assert_bound, from_text, prove_apart

HEAD = """\
import math
import random
import numpy as np

LABELS = ["red", "green", "blue"]


@mechanism(adjacent={"x": discrete_distance()}, requires="DOMAIN and eps > 0", epsilon="eps")
def f(x: int, k: int, eps: float):
    e = math.exp(eps)
"""
OF_ALL = {
    "weights": """
        weights = [e if i == x else 1.0 for i in range(k)]
        return random.choices(range(k), weights=weights)[0]
    """,
    "an array of chances": """
        probs = np.full(k, 1 / (k - 1 + np.exp(eps)))
        probs[x] = np.exp(eps) / (k - 1 + np.exp(eps))
        return np.random.choice(k, p=probs)
    """,
    "the rest of 1": """
        p = e / (e + k - 1)
        q = (1 - p) / (k - 1)
        out = np.random.choice(k, p=[q if i != x else p for i in range(k)])
        return int(out)
    """,
    "the others in a list": """
        if random.random() < e / (e + k - 1):
            return x
        others = [v for v in range(k) if v != x]
        return others[np.random.randint(len(others))]
    """,
    "removed from a list": """
        answer = x
        others = list(range(k))
        others.remove(x)
        if not random.random() < e / (e + k - 1):
            answer = random.choice(others)
        return answer
    """,
}
OF_LABELS = {
    "weights": "return random.choices(LABELS, weights=[e if c == x else 1 for c in LABELS], k=1)[0]",
    "a dict": """
        weights = {c: (e if c == x else 1.0) for c in LABELS}
        return random.choices(list(weights.keys()), weights=list(weights.values()))[0]
    """,
    "the others": """
        if random.random() < e / (e + len(LABELS) - 1):
            return x
        return random.choice([c for c in LABELS if c != x])
    """,
}
OF_BITS = {
    "two answers": "return np.random.choice([x, 1 - x], p=[e / (1 + e), 1 - e / (1 + e)])",
    "a private chance": """
        p = e / (1 + e) if x == 1 else 1 / (1 + e)
        return int(np.random.choice([0, 1], p=[1 - p, p]))
    """,
    "one hot": """
        q = 1 / (e + 1)
        bits = np.zeros(k)
        bits[x] = 1
        out = np.zeros(k)
        for i in range(k):
            if bits[i] == 1:
                out[i] = 1 if np.random.random() < 0.5 else 0
            else:
                out[i] = 1 if np.random.random() < q else 0
        return out
    """,
}
ALL = [
    *((f"all, {name}", body, "0 <= x < k and k >= 2") for name, body in OF_ALL.items()),
    *((f"labels, {name}", body, "x in LABELS") for name, body in OF_LABELS.items()),
    *((f"bits, {name}", body, "0 <= x <= 1 and k >= 2") for name, body in OF_BITS.items()),
]
QUICK = {"labels, the others", "bits, two answers"}


def _of(body: str, domain: str) -> ir.Mechanism:
    head = HEAD.replace("DOMAIN", domain).replace("x: int", "x: str" if "LABELS" in domain else "x: int")
    return from_text(head + indent(dedent(body).strip(), "    ") + "\n")


@pytest.mark.parametrize(
    ("body", "domain"),
    [
        pytest.param(body, domain, id=name, marks=() if name in QUICK else pytest.mark.slow)
        for name, body, domain in ALL
    ],
)
def test_the_least_bound_is_proved(body: str, domain: str) -> None:
    of = _of(body, domain)
    assert_bound(of, prove_apart(of), "eps")


NOT_PRIVATE = {
    "a weight too large": "return random.choices(range(k), [2 * e if i == x else 1 for i in range(k)])[0]",
    "one index beyond": "return random.choices(range(k), [e * e if i == x + 1 else 1 for i in range(k)])[0]",
    "one list too short": "return [v for v in range(k) if v != x][random.randrange(k - 1)] == x + 1",
    "the list itself": "return [v for v in range(k) if v != x]",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NOT_PRIVATE)
def test_what_is_not_private_is_not_proved(name: str) -> None:
    of = _of(NOT_PRIVATE[name], "0 <= x < k and k >= 2")
    assert prove_apart(of).verdict != "proved"
