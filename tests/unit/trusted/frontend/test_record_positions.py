"""Loops over the positions of records of which one may be missing are loops over the records."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from tests.soundness.hunts.defined_laws import law
from tests.support.proving import from_text

HEAD = '@mechanism(adjacent={"xs": add_remove_distance()})\ndef f(xs: list[int], t: int):\n'
LOOPS = {
    "a range": """
    s = 0
    for i in range(len(xs)):
        s = 2 * s + xs[i]
    return s""",
    "a length with a name": """
    n = len(xs)
    s = 0
    for i in range(n):
        if xs[i] > t:
            continue
        s += xs[i]
    return s""",
    "a while": """
    s = 0
    i = 0
    while i < len(xs):
        x = xs[i]
        if x == 3:
            break
        s += x
        i += 1
    return s""",
    "a while that counts before it jumps": """
    s = 0
    i = 0
    while i < len(xs):
        if xs[i] > t:
            i += 1
            continue
        if xs[i] == 0:
            s += 100
        elif xs[i] == 1:
            s = 2 * s
            i += 1
            continue
        s += xs[i]
        i += 1
    return s""",
    "positions that are read": """
    s = 0
    for i in range(len(xs)):
        s += i * xs[i]
    return s""",
    "the last position": """
    i = -1
    for i in range(len(xs)):
        if xs[i] == t:
            break
    return i""",
    "a comprehension": """
    ys = [xs[i] + i for i in range(len(xs)) if xs[i] != t]
    return ys, sum(xs[k] for k in range(len(xs)))""",
    "loops around loops": """
    s = 0
    for i in range(len(xs)):
        for k in range(len(xs)):
            s += xs[i] * xs[k] - k
    return s""",
    "noise for each": """
    s = 0
    for i in range(len(xs)):
        if bernoulli(1/3):
            s += xs[i] + i
    return s""",
}


def _run(body: str, xs: list[int], t: int) -> Any:
    scope: dict[str, Any] = {}
    exec(f"def f(xs, t):\n{body}", scope)
    return scope["f"](xs, t)


@pytest.mark.parametrize("name", [name for name in LOOPS if name != "noise for each"])
def test_they_mean_what_python_runs(name: str) -> None:
    mechanism = from_text(HEAD + LOOPS[name])
    rng = random.Random(name)
    for present in product((False, True), repeat=4):
        data = tuple(rng.randint(0, 4) for _ in present)
        found = law(mechanism, {"xs": data, "xs.present": present, "t": 2})
        assert found is not None
        (output,) = found.outputs
        records = [value for value, there in zip(data, present, strict=True) if there]
        assert output == _flat(_run(LOOPS[name], records, 2))


def _flat(value: Any) -> Any:
    from synth.trusted.core.interpreter import Output

    parts = value if isinstance(value, tuple) else (value,)
    lists = tuple(tuple((item,) for item in part) for part in parts if isinstance(part, list))
    return Output(tuple(part for part in parts if not isinstance(part, list)), lists)


def test_a_coin_is_tossed_for_each_record() -> None:
    inputs = {"xs": (5, 7), "xs.present": (True, False), "t": 2}
    found = law(from_text(HEAD + LOOPS["noise for each"]), inputs)
    assert found is not None
    assert sorted(found.outputs.values()) == [Fraction(1, 3), Fraction(2, 3)]


OTHERS = {
    "the next position": "    s = 0\n    for i in range(len(xs)):\n        s += xs[i + 1]\n    return s",
    "all but one": "    s = 0\n    for i in range(len(xs) - 1):\n        s += xs[i]\n    return s",
    "a position that is changed": (
        "    s = 0\n    for i in range(len(xs)):\n        i = 0\n        s += xs[i]\n    return s"
    ),
    "a position behind the loop": ("    i = 0\n    for i in range(len(xs)):\n        pass\n    return xs[i]"),
    "a position of another loop": (
        "    s = 0\n    k = 0\n    for i in range(len(xs)):\n        k = i\n"
        "    for i in range(len(xs)):\n        s += xs[k]\n    return s"
    ),
    "a while that begins at 1": (
        "    s = 0\n    i = 1\n    while i < len(xs):\n        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that is begun twice": (
        "    s = 0\n    i = 0\n    for k in range(2):\n        while i < len(xs):\n"
        "            s += xs[i]\n            i += 1\n    return s"
    ),
    "a while that jumps": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        if xs[i] > 2:\n            continue\n"
        "        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that counts too early": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        if xs[i] > 2:\n            i += 1\n"
        "            s += xs[i]\n            continue\n        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that jumps over a record": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        if xs[i] > 2:\n            i += 1\n"
        "        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that counts twice before it jumps": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        if xs[i] > 2:\n            i += 1\n"
        "            i += 1\n            continue\n        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that jumps in another loop": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        for k in range(2):\n            i += 1\n"
        "            continue\n        s += xs[i]\n        i += 1\n    return s"
    ),
    "a while that counts by 2": (
        "    s = 0\n    i = 0\n    while i < len(xs):\n        s += xs[i]\n        i += 2\n    return s"
    ),
    "a length that is not always the length": (
        "    n = len(xs)\n    if t > 0:\n        n = 0\n    s = 0\n"
        "    for i in range(n):\n        s += xs[i]\n    return s"
    ),
    "a length that is assigned later": (
        "    s = 0\n    if t > 0:\n        n = len(xs)\n"
        "    for i in range(n):\n        s += xs[i]\n    return s"
    ),
    "other records": (
        "    s = 0\n    ys = [x for x in xs if x > 0]\n"
        "    for i in range(len(ys)):\n        s += xs[i]\n    return s"
    ),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_positions_are_refused(body: str) -> None:
    with pytest.raises(
        ProgramError, match=r"positions move|private data in a loop bound|before it is assigned"
    ):
        from_text(HEAD + body + "\n")


def test_another_len_is_none_of_them() -> None:
    text = "def len(xs):\n    return 2\n\n\n" + HEAD + LOOPS["a range"]
    with pytest.raises(ProgramError):
        from_text(text)


def test_positions_of_two_lists_of_the_same_records() -> None:
    text = (
        '@mechanism(adjacent={"rows": add_remove_distance()})\ndef f(rows: list[tuple[int, bool]]):\n'
        "    s = 0\n    for i in range(len(rows)):\n        value, kept = rows[i]\n"
        "        s += value if kept else 0\n    return s\n"
    )
    mechanism = from_text(text)
    names = [item.name for item in mechanism.visible]
    inputs = dict(zip(names, ((4, 5), (True, True), (False, True)), strict=True))
    found = law(mechanism, inputs)
    assert found is not None
    (output,) = found.outputs
    assert output.values == (5,)
