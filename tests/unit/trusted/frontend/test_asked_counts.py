"""Dicts that count, of which computed keys are asked: what is read is what CPython makes of them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import Run, run_python
from tests.support.well_formed import check

HEAD = "from collections import Counter, defaultdict\nimport collections\nfrom synth.lang import *\n\n"
BEGIN = "@mechanism(requires='k >= 0')\ndef f(x: list[int], z: list[tuple[int, float]], k: int):\n"


def _text(body: str, before: str = "") -> str:
    return HEAD + before + BEGIN + "".join(f"    {line}\n" for line in body.split("\n"))


def _read(body: str, before: str = "") -> ir.Mechanism:
    (mechanism,) = read_source(_text(body, before), "p.py")
    check(mechanism)
    return mechanism


def _has_pairs(mechanism: ir.Mechanism) -> bool:
    return any(name.endswith("%counts") for name in mechanism.lists)


def _flat(value: Any) -> list[float]:
    if isinstance(value, list | tuple):
        return [number for item in value for number in _flat(item)]
    return [float(value)]


def _compare(body: str, before: str = "") -> None:
    mechanism = _read(body, before)
    assert _has_pairs(mechanism)
    for size, k in itertools.product(range(4), range(3)):
        for x in itertools.product(range(3), repeat=size):
            z = [(item, item / 2 + place) for place, item in enumerate(x)]
            inputs: dict[str, Any] = {"x": list(x), "z": z, "k": k}
            expected = run_python(_text(body, before), "f", inputs, iter(()))
            typed = {"x": list(x), "z": z, "z.0": [one for one, _ in z], "z.1": [two for _, two in z], "k": k}
            names = {item.name for item in mechanism.parameters}
            given = {name: value for name, value in typed.items() if name in names}
            assert _flat(Run(mechanism, given, iter(())).output()) == _flat(expected), inputs


COUNTS = {
    "a Counter": "c = Counter()\nfor v in x:\n    c[v] += 1\nreturn [c[i] for i in range(k)]",
    "of the module": "c = collections.Counter()\nfor v in x:\n    c[v] += 2\nreturn c[k]",
    "a list at once": "c = Counter(x)\nreturn [c[i] for i in range(k)]",
    "a comprehension at once": "c = Counter([v for v in x if v > 0])\nc[k] += 1\nreturn c[k], c[0]",
    "sums": "t = defaultdict(float)\nfor i, v in z:\n    t[i] += v\nreturn [t[i] for i in range(k)]",
    "sums of numbers that are clipped": (
        "t = defaultdict(float)\nfor i, v in z:\n    if i > 0:\n        continue\n    t[i] += min(v, 1)\n"
        "return [t[i] for i in range(k)]"
    ),
    "get": "c = Counter()\nfor v in x:\n    c[v] += 1\nreturn [c.get(i, 0) for i in range(k)]",
    "by a lambda": ("c = Counter()\nfor v in x:\n    c[v] += 1\nreturn max(range(3), key=lambda i: c[i])"),
    "pairs": (
        "c = Counter()\nfor v in x:\n    c[v, v + 1] += 1\n"
        "return [c[i, j] for i in range(k) for j in range(k + 1)]"
    ),
    "asked between": (
        "c = Counter()\nout = []\nfor v in x:\n    c[v] += 1\n    out.append(c[k])\nreturn out"
    ),
    "an annotated name": "c: Counter = Counter()\nfor v in x:\n    c[v] += 1\nreturn c[k]",
}


@pytest.mark.parametrize("body", COUNTS.values(), ids=COUNTS)
def test_counts_are_python_s(body: str) -> None:
    _compare(body)


CALLED = "def counts(xs, n):\n    c = Counter(xs)\n    return [c[v] for v in range(n)]\n\n\n"


def test_counts_of_a_function_that_is_called_are_python_s() -> None:
    _compare("return counts(x, k), counts([i for i, _ in z], 2)", CALLED)


OTHERS = {
    "keys that are written out": "c = Counter()\nfor v in x:\n    c[v] += 1\nreturn c[0], c[1]",
    "a loop over what the file says": (
        "c = Counter()\nfor v in x:\n    c[v] += 1\nout = []\nfor i in (0, 1, 2):\n"
        "    out.append(c[i])\nreturn out"
    ),
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_counts_stay_as_they_are(body: str) -> None:
    assert not _has_pairs(_read(body))


REFUSED = {
    "which keys there are": "c = Counter(x)\nreturn c[k], len(c)",
    "whether a key is there": "c = Counter(x)\nreturn c[k] if k in c else 1",
    "an entry that is assigned": "c = Counter(x)\nc[k] = 3\nreturn c[k]",
    "numbers of two types": "c = Counter()\nfor i, v in z:\n    c[i] += v\nreturn c[k]",
    "a list": "c = Counter()\nfor v in x:\n    w = [v]\n    c[w] += 1\nreturn c[k]",
    "a list that is asked for": "c = Counter(x)\nw = [k]\nreturn c[w]",
    "a list at once": "c = Counter([[v] for v in x])\nreturn c[k]",
    "another name": "c = Counter(x)\nd = c\nreturn d[k]",
    "what isn't Python's": "sum = max\nc = Counter(x)\nreturn c[k]",
    "what is no number": "t = defaultdict(float)\nfor v in x:\n    t[v] += 'a'\nreturn t[k]",
    "another Counter": "Counter = list\nc = Counter(x)\nreturn c[k]",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_more_is_asked_is_not_read_so(body: str) -> None:
    try:
        assert not _has_pairs(_read(body))
    except ProgramError:
        return


@pytest.mark.parametrize("counted", ["c = Counter(x)", "c = Counter()\n    for r in x:\n        c[r] += 1"])
def test_records_without_a_hash_are_no_keys(counted: str) -> None:
    text = f"{HEAD}from dataclasses import dataclass\n\n@dataclass\nclass R:\n    a: int\n\n"
    text += f"@mechanism\ndef f(x: list[R], t: int):\n    {counted}\n    return 0\n    s = c[t]\n"
    with pytest.raises(ProgramError):
        read_source(text, "p.py")


@pytest.mark.parametrize("use", ["c[a] += 1\n    return c[k]", "return c[a]"])
def test_arrays_are_no_keys(use: str) -> None:
    text = f"import numpy as np\n{HEAD}{BEGIN}    a = np.array([k])\n    c = Counter(x)\n    {use}\n"
    with pytest.raises(ProgramError):
        read_source(text, "p.py")
