"""Comprehensions, generators, and what else a loop runs over: they mean what CPython makes of them."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = "from synth.lang import *\n\n"
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "map": "return [v * 2 for v in q]",
    "filter": "return [v for v in q if v > n if v < 9]",
    "nested": "return [v * w for v in q if v > 0 for w in r if w != v]",
    "inner bound of the outer variable": "return [w + v for i, v in enumerate(q) for w in range(i)]",
    "tuples": "return [(i, v) for i, v in enumerate(q, n)]",
    "draws": "return [v + laplace(0, 2) for v in q]",
    "draws in conditions": "return [v for v in q if v + laplace(0, 1) > n]",
    "of a comprehension": "return [v + 1 for v in [w * 2 for w in q]]",
    "inside of a comprehension": "return [len([w for w in r if w > v]) for v in q]",
    "its own scope": "v = 100\nx = [v for v in q]\nreturn v, x",
    "the first iterable is outside": "v = [n, 4]\nx = [v for v in v]\nreturn x",
    "a parameter's name": "x = [n for n in q]\nreturn n, x",
    "the parameter itself": "q = [min(v, 3) for v in q]\nq = [v + 1 for v in q]\nreturn q, len(q)",
    "the same name again": "x = list(q)\nx = [v + 1 for v in x]\nx.append(n)\nreturn x",
    "in a loop": "x = [0]\nfor v in q:\n    x = [w + v for w in x if w < 50]\n    x.append(v)\nreturn x",
    "in branches": "if n > 1:\n    x = [v for v in q]\nelse:\n    x = [v for v in r]\nreturn x, len(x)",
    "annotated": "x: list[int] = [v for v in q]\nreturn x",
    "renewed, then changed in a loop": (
        "x = [v for v in q]\nx = [v + 1 for v in x]\nfor v in r:\n    x = [w + v for w in x]\nreturn x"
    ),
    "generator": "s = 0\nfor v in (w + n for w in q if w > 0):\n    s = s * 3 + v\nreturn s",
    "generator left early": (
        "s = 0\nfor v in (w + laplace(0, 1) for w in q for i in range(2)):\n"
        "    if v > 4:\n        break\n    if v < 0:\n        continue\n    s += v\n"
        "else:\n    s = -1\nreturn s, laplace(0, 1)"
    ),
    "generator numbered": "return [(i, v) for i, v in enumerate((w for w in q if w > n), 2)]",
    "generator of a generator": "return list(v + 1 for v in (w * 2 for w in q if w > 0) if v < 9)",
    "generator as an argument": "return first((v for v in q if v + laplace(0, 1) > n), n), laplace(0, 1)",
    "generator in a helper's loop": "return [first((w for w in r if w > v), 0) for v in q]",
    "generator that isn't used": "return ignored((1 // v for v in q), n)",
    "names of a generator": "n = n + 1\nw = 7\nreturn total((v * w + n for v in q)), w",
    "zip": "return [a * b for a, b in zip(q, r)]",
    "zip of three": "return [(a, b, c) for a, b, c in zip(q, range(n), r)]",
    "zip of tuples": (
        "s = 0\nfor (a, b), c in zip([(1, 2), (n, 4)], (5, 6, 7)):\n    s += a * b - c\nreturn s"
    ),
    "enumerated zip": "return [i * a + b for i, (a, b) in enumerate(zip(q, r))]",
    "zipped enumerate": "return [i * a + b for (i, a), b in zip(enumerate(q), r)]",
    "reversed": "return [v for v in reversed(q)], [v for v in reversed([1, n])]",
    "reversed ranges": (
        "return [v for v in reversed(range(n))], [v for v in reversed(range(n, 9))],"
        " [v for v in reversed(range(9, n, -2))], [v for v in reversed(range(9, n, -1))],"
        " [v for v in reversed(range(n, -2, 3))]"
    ),
    "enumerated reversed": "return [(i, v) for i, v in enumerate(reversed(q))]",
    "loop over a tuple": "s = 0\nfor v in (n, 2, 3):\n    s = s * 10 + v\nreturn s",
    "copies": "x = [1, n]\ny = list(x)\nx.append(5)\ny.append(6)\nreturn x, y, list(q), list(range(n))",
    "unpacked": (
        "x = [v for v in q]\ny = [n, *x, 2, *range(n), *(4, n), *[v + 1 for v in r]]\nx.append(n)\n"
        "return x, y"
    ),
    "unpacked while it changes": (
        "x = [v for v in q]\ny = [*x, grown(x), *x, laplace(0, 1), len(x)]\nreturn x, y, [*y], [*q, 1]"
    ),
    "unpacked in a loop": "s = 0\nfor v in [*q, n, *reversed(r)]:\n    s = s * 3 + v\nreturn s, sum([*q, n])",
    "extend": (
        "x = [n]\nx.extend(q)\nx.extend([x[0], len(x)])\nx.extend((1, 2))\nx += [v + 1 for v in r]\nreturn x"
    ),
    "extend by itself": "x = [n, 2]\nx.extend(x)\nx += x\nreturn x",
    "extend by what is computed from it": "x = [n, 2]\nx += [v + len(x) for v in x]\nreturn x",
    "extend by iterators": "x = [n]\nx.extend(range(n))\nx.extend(v for v in q if v > 0)\nreturn x",
    "a list added": "x = [n]\ny = [v for v in q]\nx = x + y\nx = x + [v for v in r]\nreturn x",
    "strict": "return [a + b for a, b in zip(q, list(q), strict=True)]",
    "not equally long": "return [a + b for a, b in zip(q, r, strict=True)]",
    "a helper that renews its parameter": "x = [n, 1]\nreturn total(shifted(x)), x",
}

HELPERS = """
def first(xs, default):
    for x in xs:
        return x
    return default

def ignored(xs, value):
    return value

def total(xs):
    t = 0
    for x in xs:
        t = t * 2 + x
    return t

def grown(xs):
    xs.append(7)
    return len(xs)

def shifted(xs):
    xs = [x + 1 for x in xs]
    xs.append(4)
    return xs

"""


def text_of(body: str) -> str:
    return HEADER + HELPERS + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    assert_as_python(text_of(BODIES[name]))


REFUSED = {
    "a generator used twice": (
        "return twice((v for v in q))",
        "a generator is used up by the first loop over it: use a list",
    ),
    "a generator in a loop that it is older than": (
        "return each((v for v in q), n)",
        "a loop over a generator inside of another loop is not supported: use a list",
    ),
    "a variable of a comprehension that has no value yet": (
        "return [v for u in q for v in [v, u]]",
        "variable 'v' may be used before it is assigned",
    ),
    "a variable of a comprehension behind it": (
        "x = [v for v in q]\nreturn v",
        "unknown name 'v'",
    ),
    "a list that grows while it is run over": (
        "x = [1]\nx.extend(v for v in x)\nreturn x",
        "the list is changed while a loop runs over it",
    ),
    "two names for one list": (
        "x = [v for v in q]\nfor v in q:\n    y = x\nreturn x",
        "aliasing a list is not supported",
    ),
    "lists in a list": ("return [[v] for v in q]", "a list of lists is not supported"),
    "private data in an inner bound": (
        "return [w for v in q for w in range(v)]",
        "private data in a loop bound",
    ),
    "a list and a number": ("x = [v for v in q]\nreturn x - 1", "a list is used as a number"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_modelled_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    helpers = HELPERS + (
        "def twice(xs):\n    t = 0\n    for x in xs:\n        t += x\n    for x in xs:\n        t += x\n"
        "    return t\n\n"
        "def each(xs, n):\n    t = 0\n    for i in range(n):\n        for x in xs:\n            t += x\n"
        "    return t\n\n"
    )
    text = HEADER + helpers + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py")
    assert message in str(caught.value)
