"""A loop that counts up is known by its shape, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from synth.prover.normal_form.counted_loops import with_counters
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = (
    "from synth.lang import *\n\n"
    '@mechanism(adjacent={"x": linf_distance(1)}, requires="n > 0")\n'
    "def f(x: list[float], n: int):\n    i = 0\n"
)


def counters(body: str) -> list[str | None]:
    (mechanism,) = read_source(HEAD + body, "f.py")
    return [
        item.counter for item in ir.statements(with_counters(mechanism).body) if isinstance(item, ir.Loop)
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    while i < n:\n        y = laplace(x[0], 1)\n        i += 1\n    return i\n",
        "    while i < len(x):\n        if x[i] > 3:\n            break\n        i = i + 1\n    return i\n",
        "    while not i >= n:\n        i = 1 + i\n    return i\n",
    ],
)
def test_it_counts(body: str) -> None:
    assert counters(body) == ["i"]


@pytest.mark.parametrize(
    "body",
    [
        "    while i < n:\n        i += 2\n    return i\n",
        "    while i < n:\n        if x[0] > 0:\n            i += 1\n    return i\n",
        "    while i < n:\n        i += 1\n        i += 1\n    return i\n",
        "    m = 3\n    while i < m:\n        m = m + 1\n        i += 1\n    return i\n",
        "    i = 1\n    while i < n:\n        i += 1\n    return i\n",
        "    while True:\n        i += 1\n        if i > n:\n            return i\n",
    ],
)
def test_it_does_not(body: str) -> None:
    assert counters(body) == [None]
