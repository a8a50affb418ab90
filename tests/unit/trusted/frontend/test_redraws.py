"""What is drawn again as long as it is one value is one draw of the others, and nothing else is."""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders, laws
from synth.trusted.program import syntax as ir
from tests.support.real_runs import canonical, law_of

HEAD = """\
import random
from random import randint
from synth.lang import discrete_distance, mechanism


@mechanism(adjacent={"v": discrete_distance()}, requires="2 <= v <= n and n >= 3 and m >= 1")
def f(v: int, w: int, n: int, m: int):
"""
ONE = {
    "drawn before": "x = D\n    while x == v:\n        x = D\n    return x",
    "the other way round": ("x = D\n    while v == x:\n        x = D\n    return x"),
    "it before": "x = v\n    while x == v:\n        x = D\n    return x",
    "named": "u = v\n    x = u\n    while x == u:\n        x = random.randrange(2, n + 1)\n    return x",
    "forever": "while True:\n        x = D\n        if x != v:\n            return x",
    "until": "while True:\n        x = D\n        if x != v:\n            break\n    return x",
    "not": "while True:\n        x = D\n        if not x == v:\n            break\n    return x",
}


def read(body: str) -> ir.Mechanism:
    (found,) = read_source(f"{HEAD}    {body}\n".replace("= D\n", "= randint(2, n)\n"), "p.py")
    return found


def loops(mechanism: ir.Mechanism) -> int:
    return sum(isinstance(item, ir.Loop) for item in ir.statements(mechanism.body))


@pytest.mark.parametrize("body", ONE.values(), ids=ONE.keys())
@pytest.mark.parametrize(("v", "n"), [(2, 3), (3, 3), (2, 5), (4, 5), (5, 5)])
def test_all_others_have_one_chance(body: str, v: int, n: int) -> None:
    found = read(body)
    assert not loops(found)
    law = law_of(found, {"v": v, "w": 0, "n": n, "m": 1})
    others = [x for x in range(2, n + 1) if x != v]
    assert law == {canonical(x): pytest.approx(1 / len(others)) for x in others}


def test_that_there_are_others_is_asked_for() -> None:
    """Where there is one value only, Python never ends, and no verdict says anything."""
    (draw,) = (item for item in ir.statements(read(ONE["forever"]).body) if isinstance(item, ir.Choose))
    n = ir.Variable("n", ir.Sort.INT)
    assert laws.demand(draw) == builders.less_equal(builders.integer(2), builders.subtract(n, builders.ONE))


KEPT = {
    "it may not be one": "x = w\n    while x == w:\n        x = D\n    return x",
    "it may be above": "while True:\n        x = randint(2, n - 1)\n        if x != v:\n            return x",
    "it may be below": "while True:\n        x = randint(3, n)\n        if x != v:\n            return x",
    "another one is drawn first": ("x = randint(2, n + 1)\n    while x == v:\n        x = D\n    return x"),
    "another one is there first": "x = w\n    while x == v:\n        x = D\n    return x",
    "it is changed between": ("x = D\n    x = x + m\n    while x == v:\n        x = D\n    return x"),
    "as long as it is not": ("x = D\n    while x != v:\n        x = D\n    return x"),
    "two values": ("x = v\n    while x == v or x == n:\n        x = D\n    return x"),
    "it counts": ("x, k = v, 0\n    while x == v:\n        x = D\n        k += 1\n    return x, k"),
    "a coin": "while True:\n        x = D\n        if x != v and random.random() < 0.5:\n"
    "            return x",
    "the last one": ("x = v\n    y = v\n    while x == v:\n        y = x\n        x = D\n    return x + y"),
    "its end moves": "while True:\n        x = D\n        if x != v + m:\n            return x",
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT.keys())
def test_other_loops_stay(body: str) -> None:
    assert loops(read(body)) == 1
