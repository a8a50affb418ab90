"""Mechanisms that are generators: what they yield is their output, and each run must come to its end."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = "from synth.lang import *\n\n"
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "values": "yield n\nyield n + 1",
    "in a loop": "'''doc'''\nfor v in q:\n    yield v + laplace(0, 1)",
    "left early": "c = 0\nfor v in q:\n    if v + laplace(0, 1) > n:\n        yield True\n        c += 1\n"
    "        if c >= 2:\n            return\n    else:\n        yield False",
    "None": "for v in q:\n    if v > n:\n        yield\n    yield v",
    "tuples": "for i, v in enumerate(q):\n    yield i, v\nreturn None",
    "nothing": "return\nyield n",
    "sometimes nothing": "if n > 0:\n    yield len(q)",
    "a raise that public data decide": "if n < -5:\n    raise ValueError\nyield n\nyield sum(q)",
    "a helper": "def g(v):\n    return v * n\nfor v in q:\n    yield g(v)",
    "another one": "def g(v):\n    yield v\n    yield n\nfor v in q:\n    for w in g(v):\n        yield w",
}
REFUSED = {
    "an endless loop": "yield q[0]\nwhile True:\n    pass",
    "a loop that may not end": "yield sum(q)\nk = n\nwhile k != 0:\n    k = k - 1",
    "an endless helper": (
        "def g():\n    k = n\n    while k != 0:\n        k -= 1\n    return k\nyield sum(q)\nn = g()"
    ),
    "a raise at the end": "yield sum(q)\nif n > 1:\n    yield 0\n    raise ValueError",
    "a value that is returned": "yield sum(q)\nreturn len(q)",
    "a value that is sent": "v = yield sum(q)\nyield v",
    "what another one yields": "yield from q",
    "left by who runs over it": "try:\n    yield n\nfinally:\n    n = sum(q)",
    "what is caught there": (
        "for v in q:\n    try:\n        yield 0\n    except ValueError:\n        continue\n    yield 1"
    ),
    "what is caught behind it": "try:\n    yield 0\nexcept ValueError:\n    n = sum(q)\nyield n",
    "a generator in a variable": "def g():\n    yield n\nh = g()\nreturn list(h)",
    "one of another function": "def g():\n    v = yield n\nreturn list(g())",
}


def program(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_means_the_list_of_what_it_yields(body: str) -> None:
    collected = (
        program(body)
        .replace("def f(", "def g_(")
        .replace("@mechanism(adjacent={'q': linf_distance(1)})\n", "")
    )
    assert_as_python(program(body), 1, f"{collected}\n\ndef f(q, r, n):\n    return list(g_(q, r, n))\n")


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_refused(body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(program(body), "p.py")
