"""Imports of libraries within functions: read where Python finds the same, and refused elsewhere."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = "from synth.lang import *\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)})\n'

READ = {
    "at the top": "def f(x: int):\n    import random\n    return x if random.random() < 0.5 else 0\n",
    "behind statements": (
        "def f(x: int):\n    if x > 3:\n        return 0\n    import math as m\n    return m.floor(x / 2)\n"
    ),
    "of names": (
        "def f(x: int):\n    from random import random, randint\n"
        "    return x if random() < 0.5 else randint(1, 2)\n"
    ),
    "in two functions": (
        "def g(x):\n    import random\n    return random.choice([x, 1])\n"
        "def f(x: int):\n    import random\n    return g(x) if random.random() < 0.5 else 0\n"
    ),
    "beside that of the file": (
        "import random\ndef g(x):\n    return random.choice([x, 1])\n"
        "def f(x: int):\n    import random\n    return g(x) if random.random() < 0.5 else 0\n"
    ),
    "in a method": (
        "class A:\n    def get(self, x):\n        import math\n        return math.ceil(x / 2)\n"
        "def f(x: int):\n    return A().get(x)\n"
    ),
    "alone in a function": "def g():\n    import math\ndef f(x: int):\n    g()\n    return x\n",
}

NOT_READ = {
    "read before": (
        "import math\ndef f(x: int):\n    y = math.floor(x / 2)\n    import math\n    return y\n"
    ),
    "read in another function": (
        "def g(x):\n    return math.floor(x / 2)\ndef f(x: int):\n    import math\n    return g(x)\n"
    ),
    "in a branch": "def f(x: int):\n    if x > 3:\n        import math\n    return math.floor(x / 2)\n",
    "another thing of that name": (
        "def floor(x):\n    return 0\ndef g(x):\n    return floor(x)\n"
        "def f(x: int):\n    from math import floor\n    return g(x / 2)\n"
    ),
    "two modules of one name": (
        "def g(x):\n    import random as m\n    return m.random() < 0.5\n"
        "def f(x: int):\n    import math as m\n    return m.floor(x / 2)\n"
    ),
    "two members of one name": (
        "import random\ndef g(x):\n    return random.choice([x, 1])\n"
        "def f(x: int):\n    from numpy import random\n    return random.choice([x, 1])\n"
    ),
    "a variable of that name": ("def f(x: int):\n    math = x\n    import math\n    return math\n"),
    "a parameter of that name elsewhere": (
        "def g(math):\n    return math + 1\ndef f(x: int):\n    import math\n    return g(x)\n"
    ),
    "a file of the user": "def f(x: int):\n    import noise\n    return noise.floor(x / 2)\n",
    "a default that is evaluated before": (
        "def f(x: int, k: int = math.floor(2.5)):\n    import math\n    return math.floor(x / 2)\n"
    ),
    "a seed in another function": (
        "def g():\n    import random\n    random.seed(0)\n"
        "def f(x: int):\n    import random\n    return x if random.random() < 0.5 else 0\n"
    ),
}


def _stated(text: str) -> str:
    return HEAD + text.replace("def f(", f"{STATED}def f(")


@pytest.mark.parametrize("name", READ)
def test_what_is_imported_where_it_is_used_is_read(name: str) -> None:
    assert compare(_stated(READ[name]), random.Random(0)) == "same"


@pytest.mark.parametrize("name", NOT_READ)
def test_what_the_name_may_not_mean_is_refused(name: str) -> None:
    assert compare(_stated(NOT_READ[name]), random.Random(0)) == "refused"
