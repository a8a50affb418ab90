"""Lists of a module that functions of the file are given: read if they only read them, refused otherwise."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = "import random\nfrom synth.lang import *\nWORDS = ['a', 'b', 'c']\nNUMBERS = [1, 2, 5]\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)})\n'

READ = {
    "searched and indexed": """
def g(xs, x):
    if 'b' in xs:
        return xs.index('b') * x + len(xs)
    return xs.count('a')
def f(x: int):
    return g(WORDS, x)
""",
    "passed on": """
def h(k, words):
    return words[k]
def g(xs, x):
    return h(1, xs) == 'b', h(words=xs, k=0) == 'a', x
def f(x: int):
    return g(WORDS, x)
""",
    "looped over": """
def g(xs, x):
    s = 0
    for v in xs:
        s += v * x
    return s + sum(xs)
def f(x: int):
    return g(NUMBERS, x) + g(xs=NUMBERS, x=1)
""",
    "a list that is written where it is passed": """
def g(xs, x):
    return [v == 'a' for v in xs], xs[0] == 'a', x
def f(x: int):
    return g(['a', 'b'], x)
""",
    "labels that are chosen": """
def g(xs, x):
    return xs[0] == xs[1], x
def f(x: int):
    w = 'a'
    if x > 0:
        w = 'b'
    return g(['a', w], x)
""",
    "functions that call one another": """
def g(xs, x):
    return x if len(xs) > 2 else h(xs, x)
def h(xs, x):
    return x + 1 if len(xs) > 1 else 0
def f(x: int):
    return g(WORDS, x) + h(WORDS, x)
""",
}

NOT_READ = {
    "changed": "def g(xs, x):\n    xs.append('d')\n    return x\n",
    "an entry changed": "def g(xs, x):\n    xs[0] = 'd'\n    return x\n",
    "changed in place": "def g(xs, x):\n    xs += ['d']\n    return x\n",
    "another name": "def g(xs, x):\n    ys = xs\n    ys.append('d')\n    return x\n",
    "given back": "def g(xs, x):\n    return xs\n",
    "kept": (
        "class K:\n    def __init__(self, xs):\n        self.xs = xs\n"
        "def g(xs, x):\n    k = K(xs)\n    return x\n"
    ),
    "changed further on": (
        "def h(k, words):\n    words.remove('a')\n    return k\ndef g(xs, x):\n    return h(words=xs, k=x)\n"
    ),
    "changed by one within it": (
        "def g(xs, x):\n    def h():\n        xs.append('d')\n    h()\n    return x\n"
    ),
    "changed by a function that is a value": "def g(xs, x):\n    p = xs.append\n    p('d')\n    return x\n",
    "shuffled": "def g(xs, x):\n    random.shuffle(xs)\n    return x\n",
    "sorted in place": "def g(xs, x):\n    xs.sort()\n    return x\n",
    "by stars": "def g(*xs):\n    return 0\n",
    "one of two functions": (
        "def g(xs, x):\n    return x\ndef late():\n    global g\n    g = lambda xs, x: xs.append('d')\n"
    ),
    "one that is set as an attribute": (
        "import sys\ndef g(xs, x):\n    return x\ndef late(m):\n    m.g = lambda xs, x: xs.append('d')\n"
    ),
    "a local function of that name": (
        "def g(xs, x):\n    return x\n"
        "def late():\n    def g(xs, x):\n        xs.append('d')\n    g(WORDS, 1)\nlate()\n"
    ),
}


def _stated(text: str) -> str:
    return HEAD + text.replace("def f(", f"{STATED}def f(")


@pytest.mark.parametrize("name", READ)
def test_functions_that_only_read_them(name: str) -> None:
    assert compare(_stated(READ[name]), random.Random(0)) == "same"


@pytest.mark.parametrize("name", NOT_READ)
def test_functions_that_may_change_them(name: str) -> None:
    """The list is another one later: what the mechanism makes of it then is not read."""
    asked = "def f(x: int):\n    return WORDS[0] == 'a', len(WORDS), x\n"
    text = _stated(f"{NOT_READ[name]}\ndef before():\n    g(WORDS, 1)\n{asked}")
    assert compare(text, random.Random(0)) == "refused"
