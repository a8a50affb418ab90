"""Which parameters are made large in the tests: those that say how often a drawing loop runs."""

from __future__ import annotations

from textwrap import indent

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.prover.testing.loop_bounds import loop_limits
from tests.support.proving import from_text

HEAD = """@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and m > 0")
def f(q: Callable[[int], int], p: list[int], n: int, m: int, c: int, eps: float) -> int:
"""

LIMITS = {
    "for": "for k in range(n):\n    y = laplace(q(k), 1/eps)",
    "for over a local": "end = n - 1\nfor k in range(end):\n    y = laplace(q(k), 1/eps)",
    "for with break": "for k in range(len(p)):\n    if k >= n:\n        break\n    y = laplace(q(k), 1/eps)",
    "while": "k = 0\nwhile k < n:\n    y = laplace(q(k), 1/eps)\n    k += 1",
    "down": "k = n\nwhile k > 0:\n    y = laplace(q(k), 1/eps)\n    k -= 1",
    "down by adding": "k = n\nwhile 0 != k:\n    y = laplace(q(k), 1/eps)\n    k += -1",
    "down to a parameter": "k = n\nwhile k >= c:\n    y = laplace(q(k), 1/eps)\n    k -= 1",
    "up from a parameter": "k = c\nwhile k < n:\n    y = laplace(q(k), 1/eps)\n    k += 1",
    "for between parameters": "for k in range(c, n):\n    y = laplace(q(k), 1/eps)",
    "steps of a parameter": "k = 0\nwhile k < n:\n    y = laplace(q(k), 1/eps)\n    k += m",
    "divided": "k = 0\nwhile k < n // m:\n    y = laplace(q(k), 1/eps)\n    k += 1",
    "flag": "k = 0\nmore = k < n\nwhile more:\n    y = laplace(q(k), 1/eps)\n    k += 1\n    more = k < n",
    "counted on every way": """k = 0
while k < n:
    y = laplace(q(k), 1/eps)
    if y > 0:
        k += 1
        continue
    k += 2""",
    "events have a limit too": """k = 0
count = 0
while k < n and count < c:
    y = laplace(q(k), 1/eps)
    count += y > 0
    k += 1""",
    "rounds have a limit too": """for r in range(c):
    for k in range(n):
        y = laplace(q(k), 1/eps)""",
    "over a list as long as n": "xs = [q(i) for i in range(n)]\nfor v in xs:\n    y = laplace(v, 1/eps)",
    "over a copy of a list": """xs = [q(i) for i in range(n)]
ys = [v for v in xs]
for k in range(len(ys)):
    y = laplace(ys[k], 1/eps)""",
    "cut into blocks": """i = 0
while i < n:
    k = 0
    while k < m and i < n:
        y = laplace(q(i), 1/eps)
        k += 1
        i += 1""",
}
"""Loops that n alone makes long."""

NONE = {
    "events": """count = 0
while count < c:
    y = laplace(q(count), 1/eps)
    if y > 0:
        count += 1""",
    "events that are left": """count = 0
for x1 in p:
    y = laplace(x1, 1/eps)
    count += y > 0
    left = c - count
    if left == 0:
        break""",
    "a period": "for k in range(len(p)):\n    if k % m == 1:\n        break\n    y = laplace(q(k), 1/eps)",
    "an entry": "for k in range(len(p)):\n    if p[k] > n:\n        break\n    y = laplace(q(k), 1/eps)",
    "a list as long as a parameter's": "xs = [v for v in p]\nfor v in xs:\n    y = laplace(v, 1/eps)",
    "no draw": "k = 0\nwhile k < n:\n    k += 1\ny = laplace(q(k), 1/eps)",
    "no end": "k = 0\nfor x1 in p:\n    y = laplace(x1, 1/eps)\n    if k < n:\n        y = 0\n    k += 1",
}
"""Loops that no parameter makes long."""


def _limits(body: str) -> set[str]:
    return loop_limits(canonical(from_text(HEAD + indent(body + "\nreturn 0\n", "    "))))


@pytest.mark.parametrize("body", LIMITS.values(), ids=LIMITS)
def test_limit_is_found(body: str) -> None:
    assert _limits(body) == {"n"}


@pytest.mark.parametrize("body", NONE.values(), ids=NONE)
def test_nothing_else_is_a_limit(body: str) -> None:
    """Least of all the number of events that are paid for."""
    assert _limits(body) == set()


@pytest.mark.parametrize(
    ("counted", "limits"),
    [("k = 0\nwhile k < t:\n    k += 1", {"t"}), ("k = 0.0\nwhile k < t:\n    k += 0.5", set())],
    ids=["integers", "a budget"],
)
def test_a_real_limit_is_one_of_integers(counted: str, limits: set[str]) -> None:
    head = HEAD.replace("m: int", "t: float").replace(" and m > 0", "")
    body = counted + "\n    y = laplace(q(0), 1/eps)\nreturn 0\n"
    assert loop_limits(canonical(from_text(head + indent(body, "    ")))) == limits
