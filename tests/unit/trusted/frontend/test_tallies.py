"""Lists of counts are made cell by cell where that is the same, and nowhere else."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import tallies
from synth.trusted.frontend.library import bundled
from synth.trusted.frontend.module_reading import parse_module, read_module
from synth.trusted.frontend.reader import read_source
from synth.trusted.frontend.source import make_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.support.well_formed import check

HEADER = "import math\nimport numpy as np\nfrom synth.lang import *\n\n"
HEAD = (
    "@mechanism(adjacent={'x': change_one_distance()}, requires='k >= 0')\n"
    "def f(x: list[int], y: list[int], k: int):\n"
)


def _text(body: str, before: str = "") -> str:
    return HEADER + before + HEAD + "".join(f"    {line}\n" for line in body.strip().split("\n"))


def _read(body: str, before: str = "") -> ir.Mechanism:
    (mechanism,) = read_source(_text(body, before), "p.py")
    check(mechanism)
    return mechanism


def _cell_by_cell(body: str, before: str = "") -> bool:
    return any("cells" in name for name in _read(body, before).lists)


TALLIES = {
    "counts": "h = [0] * k\nfor v in x:\n    h[v] += 1\nreturn [c for c in h]",
    "guarded": "h = [0] * k\nfor v in x:\n    if 0 <= v < k:\n        h[v] += 1\nreturn h[0], len(h)",
    "skipped": "h = [0] * k\nfor v in x:\n    if v == 1:\n        continue\n    h[v] -= v\nreturn h",
    "a temporary": (
        "h = [0] * k\nfor v in x:\n    i = min(v, k - 1)\n    h[i] += 2 * i\n    h[0] += 1\nreturn h"
    ),
    "reals": "h = [0.5] * k\nfor v in x:\n    h[v] += 1\nh[0] += 1\nreturn h",
    "on both sides": (
        "h = [0] * k\nn = k\n"
        "for v in x:\n    if v > 0:\n        h[v] += 1\n    else:\n        h[k - 1] += v\n"
        "return [c + n for c in h]"
    ),
    "written out": "h = [0] * k\nfor v in x:\n    if v > 0:\n        h[v] = h[v] + 1\nreturn h",
    "a difference written out": "h = [0] * k\nfor v in x:\n    h[k - 1] = h[k - 1] - (v + 1)\nreturn h",
    "read by a lambda": (
        "h = [0] * k\nfor v in x:\n    h[v] += 1\nbest = max(range(k), key=lambda i: h[i])\nreturn best, h"
    ),
    "of another size": "n = k\nn += 1\nh = [0] * n\nfor v in x:\n    h[v] += 1\nreturn h",
    "of a computed size": "h = [0] * (k + len(y) - 1)\nfor v in x:\n    h[v] += 1\nreturn h",
    "of a large size": "h = [0] * 20\nfor v in x:\n    h[v + 17] += 1\nreturn [h[17], h[18], h[19], len(h)]",
    "in a comprehension": "h = [0 for _ in range(k)]\nfor v in x:\n    h[v] += 1\nreturn h",
    "a size that changes later": "n = k\nh = [0] * n\nn = 1\nfor v in x:\n    h[v] += n\nreturn h, n",
    "by floor and round": (
        "h = [0] * k\nfor v in x:\n    h[math.floor(v / 2)] += 1\n    h[round(v / 2)] += 1\nreturn h"
    ),
    "of a list that is made": (
        "good = [v for v in x if v < k]\nh = [0] * k\nfor v in good:\n    h[v] += 1\nreturn h"
    ),
    "of numbers that are computed": (
        "near = [min(v, k - 1) for v in x]\nh = [0] * k\nfor n in near:\n    h[n] += 1\nreturn h, len(near)"
    ),
    "renamed behind": "h = [0] * k\nfor v in x:\n    h[v] += 1\ng = [h for h in h]\nh = [1]\nreturn g, h[0]",
}


@pytest.mark.parametrize("body", TALLIES.values(), ids=TALLIES)
def test_tallies_are_python_s(body: str) -> None:
    assert _cell_by_cell(body)
    _compare(body)


CALLED = {
    "a function": (
        "def count(z, n):\n    h = [0] * n\n    for v in z:\n        h[v] += 1\n    return h\n\n\n",
        "g = count(x, k)\nreturn g, count(y, k + 2)",
    ),
    "a function that is given what is made": (
        "def count(z, n):\n    h = [0 for _ in range(n)]\n    for v in z:\n        h[v] += 1\n"
        "    return h\n\n\n",
        "return count([min(v, k - 1) for v in x], k)",
    ),
    "a method": (
        "class Counts:\n    def __init__(self, n):\n        self.n = n\n\n    def of(self, z):\n"
        "        h = [0] * self.n\n        for v in z:\n            if v < self.n:\n"
        "                h[v] += 1\n        return h\n\n\n",
        "c = Counts(k)\nreturn c.of(x)",
    ),
}


@pytest.mark.parametrize(("before", "body"), CALLED.values(), ids=CALLED)
def test_tallies_of_what_is_called_are_python_s(before: str, body: str) -> None:
    assert _cell_by_cell(body, before)
    _compare(body, before)


def test_a_function_that_counts_and_calls_itself_is_recursive() -> None:
    before = (
        "def count(z, n):\n    h = [0] * n\n    for v in z:\n        h[v] += 1\n    return count(h, n)\n\n\n"
    )
    with pytest.raises(ProgramError, match="recursion is not supported: count -> count"):
        _read("return count(x, k)", before)


OTHERS = {
    "read in the loop": "h = [0] * k\nfor v in x:\n    h[v] += h[0]\nreturn h",
    "used by the index": "h = [0] * k\nfor v in x:\n    h[h[0]] += 1\nreturn h",
    "left early": "h = [0] * k\nfor v in x:\n    if v == 2:\n        break\n    h[v] += 1\nreturn h",
    "carried on": "h = [0] * k\nlast = 0\nfor v in x:\n    h[last] += 1\n    last = v\nreturn h, last",
    "another sum": "h = [0] * k\ns = 0\nfor v in x:\n    h[v] += 1\n    s += v\nreturn h, s",
    "the other way round": "h = [0] * k\nfor v in x:\n    h[v] = 1 - h[v]\nreturn h",
    "from another cell": "h = [0] * k\nfor v in x:\n    h[v] = h[0] + 1\nreturn h",
    "another list's cell": "h = [0] * k\nfor v in x:\n    h[v] = y[v] + 1\nreturn h",
    "a lambda's own name": (
        "h = [0] * k\nfor v in x:\n    h[v] += 1\nbest = max(range(2), key=lambda h: -h)\nreturn best, h"
    ),
    "a lambda's own name for a record": (
        "h = [0] * k\nfor v in x:\n    h[v] += 1\nbest = max(range(2), key=lambda v: -v)\nreturn best, h"
    ),
    "multiplied": "h = [1] * k\nfor v in x:\n    h[v] *= 2\nreturn h",
    "assigned": "h = [0] * k\nfor v in x:\n    h[v] = 1\nreturn h",
    "changed in between": "h = [0] * k\nh[0] = 5\nfor v in x:\n    h[v] += 1\nreturn h",
    "in a loop": "h = [0] * k\nfor w in y:\n    for v in x:\n        h[v] += 1\nreturn h",
    "of a size that has a name": "h = [0] * (n := k)\nfor v in x:\n    h[v] += 1\nreturn h, n",
    "of few cells": "h = [0] * 3\nfor v in x:\n    h[v] += 1\nreturn [h[0], h[1], h[2]]",
    "another list": "h = [0] * k\nfor v in x:\n    h[v] += 1\nelse:\n    h[0] = 7\nreturn h",
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_loops_stay_as_they_are(body: str) -> None:
    assert not _cell_by_cell(body)
    _compare(body)


ARRAYS = {
    "of integers": "h = np.zeros(k, dtype=int)\nfor v in x:\n    h[v] += 1\nreturn list(h)",
    "of reals": "h = np.zeros(k)\nfor v in x:\n    if v < k:\n        h[v] += 1.5\nreturn list(h)",
    "integers among reals": "h = np.zeros(k, dtype=float)\nfor v in x:\n    h[v] -= 2\nreturn list(h)",
    "added as a whole": (
        "h = np.zeros(k, dtype=int)\nfor v in x:\n    i = min(v, k - 1)\n    h[i] = h[i] + 1\n"
        "g = 2 * h + 1\nreturn [c for c in g]"
    ),
    "halves added": "h = np.zeros(k)\nfor v in x:\n    h[v] += 1\nh += 0.5\nreturn list(h)",
    "a half assigned": "h = np.zeros(k)\nfor v in x:\n    h[v] += 1\nh[0] = 0.5\ng = h / 2\nreturn list(g)",
    "counted twice": (
        "h = np.zeros(k)\nfor v in x:\n    h[v] += 1\nfor w in y:\n    h[w % k] += 1\nreturn list(h)"
    ),
    "changed later": ("h = np.zeros(k)\nfor v in x:\n    h[v] += 1\nh[h < 1] = 5\nh[0] = 7\nreturn list(h)"),
}


@pytest.mark.parametrize("body", ARRAYS.values(), ids=ARRAYS)
def test_tallies_in_arrays_are_numpy_s(body: str) -> None:
    assert _cell_by_cell(body)
    _compare(body)


OTHER_ARRAYS = {
    "a real among integers": "h = np.zeros(k, dtype=int)\nfor v in x:\n    h[v] += 0.5\nreturn list(h)",
    "what is added may be real": "h = np.zeros(k, dtype=int)\nfor v in x:\n    h[v] += v / 2\nreturn list(h)",
    "truth values": "h = np.zeros(k, dtype=bool)\nfor v in x:\n    h[v] += 1\nreturn list(h)",
    "small integers": "h = np.zeros(k, dtype=np.int8)\nfor v in x:\n    h[v] += 1\nreturn list(h)",
    "other cells": "h = np.ones(k)\nfor v in x:\n    h[v] += 1\nreturn list(h)",
    "an array of two axes": "h = np.zeros((k, 2))\nfor v in x:\n    h[v, 0] += 1\nreturn h[0, 0]",
    "an array with an order": "h = np.zeros(k, order='C')\nfor v in x:\n    h[v] += 1\nreturn list(h)",
    "a mask": "b = np.array([True])\nh = np.zeros(len(b))\nfor v in x:\n    h[b] += 1\nreturn list(h)",
    "a mask by a variable": (
        "b = np.array([True])\nh = np.zeros(len(b))\nfor v in x:\n    i = b\n    h[i] += 1\nreturn list(h)"
    ),
    "another numpy": ("h = np.zeros(k)\nfor v in x:\n    h[v] += 1\nreturn [c for c in [np for np in h]]"),
}


@pytest.mark.parametrize("body", OTHER_ARRAYS.values(), ids=OTHER_ARRAYS)
def test_other_arrays_stay_as_they_are(body: str) -> None:
    try:
        assert not _cell_by_cell(body)
    except ProgramError:
        return
    _compare(body)


@pytest.mark.parametrize("index", ["v > 1", "True", "v / 1", "[v]", "(v,)", "float(v)"])
@pytest.mark.parametrize("made", ["np.zeros(k)", "np.zeros(k, dtype=int)"])
def test_what_is_no_single_place_is_refused(made: str, index: str) -> None:
    """Truth values choose all entries or none, and numpy takes no reals."""
    with pytest.raises(ProgramError):
        _read(f"h = {made}\nfor v in x:\n    h[{index}] += 1\nreturn list(h)")


def _compare(body: str, before: str = "") -> None:
    """What the program returns is what Python does, wherever Python has a value."""
    mechanism, returned = _read(body, before), 0
    for size, k in itertools.product(range(4), range(1, 4)):
        for x in itertools.product(range(3), repeat=size):
            inputs: dict[str, Any] = {"x": list(x), "y": [1, 2], "k": k}
            try:
                expected = run_python(_text(body, before), "f", inputs, iter(()))
            except IndexError:
                with pytest.raises(ObligationFailed):
                    Run(mechanism, inputs, iter(())).output()
                continue
            found = Run(mechanism, inputs, iter(())).output()
            assert found == _flat(expected)
            returned += 1
    assert returned > 20


def _flat(expected: Any) -> tuple[Any, ...]:
    """Scalars first, and then lists, of which each entry is a tuple."""
    parts = expected if isinstance(expected, tuple) else (expected,)
    lists = [tuple((item,) for item in part) for part in parts if isinstance(part, list)]
    scalars = [part for part in parts if not isinstance(part, list)]
    return (*scalars, *lists)


def test_an_empty_list_of_cells_has_to_be_excluded() -> None:
    mechanism = _read(TALLIES["guarded"])
    with pytest.raises(ObligationFailed):
        Run(mechanism, {"x": [], "y": [], "k": 0}, iter(())).output()


def test_names_of_python_that_are_bound_stay_unread() -> None:
    body = "h = [0] * k\nfor v in x:\n    h[min(v, 1)] += 1\nreturn h"
    text = _text(body).replace("@mechanism", "def min(a, b):\n    return a\n\n\n@mechanism", 1)
    (mechanism,) = read_source(text, "p.py")
    assert not any("cells" in name for name in mechanism.lists)


@pytest.mark.parametrize(
    "line",
    [
        "from numpy import ones as range",
        "from numpy.random import permutation as range",
        "from random import randint as min",
        "from numpy import float64 as int",
        "from numpy import max as len",
    ],
)
@pytest.mark.parametrize("made", ["[0] * k", "np.zeros(k, dtype=int)"])
def test_names_of_python_that_imports_bind_stay_unread(made: str, line: str) -> None:
    """What is read cell by cell would mean the imported functions."""
    text = f"{line}\n" + _text(f"h = {made}\nfor v in x:\n    if v == 7:\n        h[0] += 1\nreturn h[0]")
    try:
        (mechanism,) = read_source(text, "p.py")
    except ProgramError:
        return
    assert not any("cells" in name for name in mechanism.lists)


def test_a_function_without_tallies_is_the_same_object() -> None:
    source = make_source("def f(x, k):\n    return x\n", "p.py")
    module = read_module(source, parse_module(source), bundled())
    function = module.functions["f"]
    assert tallies.by_cell(module, function) is function


@pytest.mark.parametrize("index", ["-1", "v - v - 1", "LAST"])
def test_an_index_from_the_end_is_none_from_the_start(index: str) -> None:
    text = _text(f"h = [0] * k\nfor v in x:\n    h[{index}] += 1\nreturn h")
    (mechanism,) = read_source(text.replace("@mechanism", "LAST = -1\n\n\n@mechanism", 1), "p.py")
    with pytest.raises(ObligationFailed):
        Run(mechanism, {"x": [0], "y": [], "k": 2}, iter(())).output()


PROPERTY = """
class Draws:
    def __init__(self):
        self.top = 1

    @property
    def cell(self):
        return uniform_int(0, self.top)
"""


@pytest.mark.parametrize("use", ["h[d.cell] += 1", "c = d.cell\n    h[c] += 1", "h[v] += d.cell"])
def test_a_property_may_draw_so_it_is_evaluated_once(use: str) -> None:
    body = f"d = Draws()\nh = [0] * k\nfor v in x:\n    {use}\nreturn h"
    (mechanism,) = read_source(_text(body).replace("@mechanism", f"{PROPERTY}\n\n@mechanism", 1), "p.py")
    assert not any("cells" in name for name in mechanism.lists)
