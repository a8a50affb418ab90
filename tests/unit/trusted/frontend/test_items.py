"""Entries that are assigned: lists of a fixed size, and others, are what CPython makes of them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.proving import assert_bound, from_text, prove_apart
from tests.support.table_runs import TABLES, frozen, noise
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.support.well_formed import check

HEADER = """from synth.lang import *

SIZE = 3

def grown(xs, v):
    xs.append(v)
    return v

def zeroed(xs):
    xs[0] = 0
    return len(xs)

def taken(xs):
    return xs.pop() + len(xs)

def stamped(n):
    ys = [n, n + 1, 0]
    ys[2] = n * 2
    return ys

"""
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "histogram": "h = [0] * SIZE\nfor v in q:\n    if 0 <= v < SIZE:\n        h[v] += 1\nreturn h",
    "histogram with noise": (
        "h = [0, 0, 0]\nfor v in q:\n    h[v % 3] += 1\nreturn [c + laplace(0, 2) for c in h], laplace(0, 1)"
    ),
    "an index out of range": "h = [0] * 3\nfor v in q:\n    h[v] = n\nreturn h",
    "negative constants": "h = [1, 2, n]\nh[-1] = 7\nh[-3] += h[-1]\nreturn h, h[-2] + n",
    "reads by variables": "h = [n, 2, 3]\nh[0] = 5\ns = 0\nfor v in r:\n    s = s * 5 + h[v % 3]\nreturn s",
    "an entry as an index": (
        "h = [0, 2, 1]\nh[h[1]] = n\nh[h[0]] = h[2]\nh[0] += h[h[1] % 3] if n > 1 else 4\nreturn h"
    ),
    "a list that is made anew": (
        "h = [0] * 2\ns = 0\nfor v in q:\n    h = [v, n]\n    h[1] += v\n    s = s * 3 + h[1]\nreturn s, h"
    ),
    "in branches": "h = [0, 0]\nif n > 1:\n    h[0] = 1\nelse:\n    h = [5, 6]\n    h[1] += n\nreturn h",
    "loops that are written out": (
        "h = [n, 2, 3, 4]\nh[1] = 9\ns = 0\nfor i, x in enumerate(h, 1):\n    if x == 3:\n        continue\n"
        "    if i > n + 2:\n        break\n    s = s * 7 + x * i\nelse:\n    s = -1\nreturn s"
    ),
    "loops over indices": (
        "h = [0] * 3\nfor i in range(3):\n    for j in range(len(h)):\n        h[j] += i * n\n"
        "    h[i] = h[i] + laplace(0, 1)\nreturn h"
    ),
    "an index that is assigned in its loop": (
        "h = [0] * 3\nfor i in range(3):\n    if n > 1:\n        i = 0\n    h[i] += n\n    i += 1\n"
        "    h[i % 3] += 5\nreturn h"
    ),
    "zipped": (
        "h = [0] * 3\nh[1] = n\nreturn [a * b for a, b in zip(q, h)], [b - a for b, a in zip(h, [4, 5])]"
    ),
    "comprehensions over indices": "h = [1, 2, 3]\nh[0] = n\nreturn [h[i] * 2 for i in range(3) if h[i] > 1]",
    "what looks through it": (
        "h = [3, 1, 2]\nh[1] = n\nreturn sum(h), max(h), sorted(h), len(h), h.index(3), h.count(n), list(h),"
        " h.copy(), h[1:], [v for v in reversed(h)]"
    ),
    "noise around it": "h = [3, 1, 2]\nh[1] = n\nreturn laplace(h, 1)",
    "of a helper": "x = stamped(n)\nx.append(1)\nreturn x, [stamped(v)[0] + 1 for v in range(2)]",
    "reals and integers": "h = [0] * 2\nh[1] = 0.5\nreturn [v + laplace(0, 1) for v in h]",
    "tuples": "h = [(0, 0)] * 2\nfor v in q:\n    a, b = h[v % 2]\n    h[v % 2] = (a + 1, v)\nreturn h",
    "none": "h = [None, n]\nh[0] = 4 if n > 1 else None\nreturn h, h[0] is None",
    "a display": "return [n, 2, 3][len(q) % 3], [4, 5][-1]",
    "others": "x = list(q)\nx[0] = n\nx[-1] += 5\nreturn x",
    "others in a loop": "x = [v for v in q]\nfor v in r:\n    x[v] += len(x)\nreturn x",
    "others in a branch": "x = list(q)\nif len(q) > 1:\n    x[1] = x[0]\n    x.append(n)\nreturn x",
    "others by a helper": "x = [n, n, 3]\ny = zeroed(x)\nreturn x, y",
    "a helper in the value": (
        "x = [n, 2]\nx[len(x) - 2] = grown(x, 5)\nx[grown(x, 1)] += grown(x, 6)\nreturn x, n"
    ),
    "pop": "x = list(q)\nt = x.pop()\nx.append(n)\nu = x.pop(0)\nx.pop(-1)\nreturn t, u, x",
    "pop in an expression": "x = [n, 2, 3]\ny = x[0] * 10 + x.pop() - len(x) * x.pop(0)\nreturn x, y",
    "pop while there is something": "x = list(q)\ns = 0\nwhile x:\n    s = s * 3 + x.pop()\nreturn s, x",
    "pop in any": "x = [3, n, 1]\nreturn any(x.pop() > v for v in (2, 1, 0)), x, n",
    "pop in a chain": "x = [n, 2, 1]\nreturn n < x[1] < x.pop(0) + 3, x",
    "pop of a helper's parameter": "x = [n, 5]\ny = taken(x)\nreturn x, y",
    "del": "x = list(q)\ndel x[1]\ndel x[-1]\nreturn x",
    "insert": (
        "x = [n]\nfor i, v in enumerate(q):\n    x.insert(i - 1, v * 2)\nx.insert(0, 9)\nx.insert(-1, 8)\n"
        "return x"
    ),
    "remove": "x = list(q)\nx.remove(n)\nreturn x",
    "sort": "x = list(q)\nx.append(n)\nx.sort()\nreturn x, x[0]",
    "sort from the largest": "x = list(q)\nx.append(n)\nx.sort(reverse=True)\nreturn x, x[0]",
    "sort from the least": "x = list(q)\nx.append(n)\nx.sort(reverse=False)\nreturn x, x[0]",
    "clear": "x = list(q)\nx.clear()\nx.append(n)\nreturn x",
    "sums of lists": "x = [v for v in q]\ny = x + [n] + x\nx.append(1)\nreturn y, x, [n] + [2]",
    "repeated": "return [0] * len(q), [n, 1] * n, 2 * [n], [1] * -1, [n] * 20",
    "repeated and changed": "x = [0] * len(q)\nfor i, v in enumerate(q):\n    x[i] = v * n\nreturn x",
    "others, and what was read before": "x = list(q)\nt = (x[0], len(x))\nx[0] = 9\nx.append(1)\nreturn t, x",
}


def text_of(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    """Equal outputs of Python have equal flat outputs, and different ones different ones."""
    text = text_of(BODIES[name])
    (mechanism,) = read_source(text, "p.py")
    check(mechanism)
    forward: dict[Any, Any] = {}
    backward: dict[Any, Any] = {}
    for seed, (q, r, n) in enumerate(itertools.product(TABLES, TABLES, (0, 1, 2, 4))):
        inputs = {"q": list(q), "r": list(r), "n": n}
        try:
            expected = frozen(run_python(text, "f", {"q": list(q), "r": list(r), "n": n}, noise(seed)))
        except (ValueError, IndexError, ZeroDivisionError):
            with pytest.raises(ObligationFailed):
                Run(mechanism, inputs, noise(seed)).output()
            continue
        try:
            output = Run(mechanism, inputs, noise(seed)).output()
        except ObligationFailed:
            assert any(v < 0 for v in (*q, *r))  # only an index that is negative is fine in Python
            continue
        assert forward.setdefault(expected, output) == output
        assert backward.setdefault(output, expected) == expected
    assert len(forward) > 2


def test_a_list_of_a_fixed_size_is_no_list_of_the_core() -> None:
    (mechanism,) = read_source(text_of(BODIES["histogram"]), "p.py")
    assert {"h.0", "h.1", "h.2"} <= mechanism.variables.keys() and "h" not in mechanism.lists


def test_entries_of_one_list_have_one_type() -> None:
    """The law of a draw around an entry doesn't depend on what was assigned to this one."""
    (mechanism,) = read_source(text_of(BODIES["reals and integers"]), "p.py")
    draws = [part for part in ir.statements(mechanism.body) if isinstance(part, ir.Draw)]
    assert [draw.sort for draw in draws] == [ir.Sort.REAL] * 2


REFUSED = {
    "the parameter": ("q[0] = 1", "the parameter 'q' can't be changed: use list(q)"),
    "in an order that a number decides": (
        "x = list(q)\nx.sort(reverse=n > 0)\nreturn x",
        "'sort' takes no named arguments",
    ),
    "in the order of keys": (
        "x = list(q)\nx.sort(key=lambda v: -v)\nreturn x",
        "'sort' takes no named arguments",
    ),
    "while a loop runs over it": (
        "h = [1, 2]\nfor v in h:\n    h[0] = v\nreturn h",
        "while a loop runs over it",
    ),
    "another while a loop runs over it": (
        "h = list(q)\nfor v in h:\n    h[0] = v\nreturn h",
        "while a loop runs over it",
    ),
    "made anew while a loop runs over it": (
        "h = [1, 2]\nh[0] = n\nfor v in h:\n    h = [v, v]\nreturn h",
        "while a loop runs over it",
    ),
    "two names": ("h = [1, 2]\ng = h\nh = [3]\nreturn g", "is made anew"),
    "a slice": ("h = [1, 2]\nh[:1] = [3]\nreturn h", "an assignment to a slice is not supported"),
    "noise in place": ("h = [1, 2]\nh[0] += laplace(0, 1)\nreturn h", "write xs[i] = xs[i] + ..."),
    "no such entry": ("h = [1, 2]\nh[2] = 1\nreturn h", "a list of 2 has no entry 2"),
    "a pop while a loop runs over it": (
        "h = list(q)\nfor v in h:\n    h.pop()\nreturn h",
        "while a loop runs over it",
    ),
    "a pop of a parameter": ("return q.pop()", "the method 'pop' is not supported"),
    "del of a slice": (
        "h = [1]\ndel h[:]\nreturn h",
        "a del statement of anything but names and entries of lists",
    ),
    "a list and a tuple": ("return [n] + (1, 2)", "adding lists is only supported"),
    "a list and a parameter": ("return [n] + q", "adding lists is only supported"),
    "a list times a real": ("return [n] * 0.5", "a list is repeated a whole number of times"),
    "a private number of times": ("return [0] * q[0]", "private data in a loop bound"),
    "a number": ("n[0] = 1", "an assignment to an entry of a number is not supported"),
    "rows": ("h = [[0, 0], [0, 0]]\nh[0][1] = 1\nreturn h", "a list of lists is not supported"),
    "two targets": ("h = [1, 2]\nh[0] = h[1] = n\nreturn h", "this assignment is not supported"),
    "a target of a loop": (
        "h = [1, 2]\nfor h[0] in q:\n    pass\nreturn h",
        "this assignment is not supported",
    ),
    "entries of two kinds": ("h = [1, 2]\nh[0] = (1, 2)\nreturn h", "is not supported"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_modelled_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(ProgramError) as caught:
        read_source(text_of(body), "p.py")
    assert message in str(caught.value)


def test_the_same_list_by_two_names_of_a_helper() -> None:
    """What is appended is computed before, also where two parameters are one list."""
    text = (
        "from synth.lang import *\n\n"
        "def more(xs, ys, q):\n    xs.extend([len(ys) for v in q])\n    return len(xs)\n\n"
        + SIGNATURE
        + "    a = [n]\n    s = more(a, a, q)\n    return a, s\n"
    )
    (mechanism,) = read_source(text, "p.py")
    inputs: dict[str, Any] = {"q": [1, 2, 3], "r": [], "n": 7}
    assert Run(mechanism, inputs, noise(0)).output()[-1] == ((7,), (1,), (1,), (1,))


HISTOGRAM = """
@mechanism(adjacent={"data": change_one_distance(1)}, requires="eps > 0")
def f(data: list[int], eps: float):
    h = [0] * 3
    for v in data:
        if 0 <= v < 3:
            h[v] += 1
    return [c + laplace(0, 2 / eps) for c in h]
"""


def test_a_noisy_histogram_is_private() -> None:
    mechanism = from_text(HISTOGRAM)
    assert_bound(mechanism, prove_apart(mechanism), "eps")


@pytest.mark.parametrize("body", ["ds = [D(), D()]\n    ds[0] = D()", "ds = [1, 2]\n    ds[0] = D()"])
def test_objects_are_no_entries_that_are_assigned(body: str) -> None:
    text = (
        "from synth.lang import *\n\n\nclass D:\n    pass\n\n\n"
        f'@mechanism(adjacent={{"x": absolute_distance(1)}})\ndef f(x: int):\n    {body}\n    return 0\n'
    )
    with pytest.raises(ProgramError, match="can't stand in a list of which entries are assigned"):
        read_source(text, "p.py")
