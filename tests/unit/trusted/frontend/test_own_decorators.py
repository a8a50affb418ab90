"""Decorators of the user that give back what they are given are read; all others are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import File, read_program

HEAD = "from synth.lang import *\n"
TAIL = "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float):\n    return laplace(g(x), 2)\n"
G = "def g(v):\n    return v\n"
COPY = (
    "def copy_docstring(source):\n    '''Of another function.'''\n    def copy(target):\n"
    "        if source.__doc__ and not target.__doc__:\n            target.__doc__ = source.__doc__\n"
    "        return target\n    return copy\n"
)
LEFT = {
    "one that returns its argument": f"def d(h):\n    return h\n@d\n{G}",
    "one that is made": f"{COPY}@copy_docstring(f0)\n{G}".replace("@", "def f0():\n    'text'\n@", 1),
    "one that describes": f"def d(h):\n    h.__doc__ = 'text'\n    return h\n@d\n{G}",
    "a method": (
        f"{COPY}class A:\n    def run(self, v):\n        'text'\n        return v\n"
        "class B(A):\n    @copy_docstring(A.run)\n    def run(self, v):\n        return v\n"
        "def g(v):\n    return B().run(v)\n"
    ),
}
REPLACED = {
    "another function": f"def d(h):\n    return abs\n@d\n{G}",
    "a function that is called": f"def d(h):\n    def k(v):\n        return 9 * h(v)\n    return k\n@d\n{G}",
    "a name that is bound anew": f"def d(h):\n    h = abs\n    return h\n@d\n{G}",
    "one of two": f"def d(h):\n    if h.__doc__ is None:\n        return abs\n    return h\n@d\n{G}",
    "what runs something": f"def d(h):\n    h.__doc__ = exec('1')\n    return h\n@d\n{G}",
    "an attribute": f"def d(h):\n    h.__defaults__ = (9,)\n    return h\n@d\n{G}",
    "an argument that runs something": f"{COPY}@copy_docstring(print(1))\n{G}",
    "one that is decorated": f"def e(h):\n    return abs\n@e\ndef d(h):\n    return h\n@d\n{G}",
    "one that is bound anew": f"def d(h):\n    return h\ndef c():\n    global d\n    d = abs\n@d\n{G}",
    "one that is bound twice": f"def d(h):\n    return h\nd = abs\n@d\n{G}",
    "one that comes below": f"@d\n{G}def d(h):\n    return h\n",
    "a generator": f"def d(h):\n    yield 1\n    return h\n@d\n{G}",
    "another that is made": (
        "def m(s):\n    def d(h):\n        return h\n    def k(h):\n        return abs\n    return k\n"
        f"@m(1)\n{G}"
    ),
}


def read(folder: Path, text: str) -> File:
    (folder / "main.py").write_text(f"{HEAD}{text}{TAIL}")
    return read_program(folder / "main.py")


@pytest.mark.parametrize("name", LEFT)
def test_it_leaves_the_function_as_it_is(name: str, tmp_path: Path) -> None:
    (found,) = read(tmp_path, LEFT[name]).mechanisms
    assert "laplace(x, 2.0)" in write_core(found)
    assert not read(tmp_path, LEFT[name]).unread


@pytest.mark.parametrize("name", REPLACED)
def test_it_may_replace_the_function(name: str, tmp_path: Path) -> None:
    file = read(tmp_path, REPLACED[name])
    assert not file.mechanisms and file.refused
