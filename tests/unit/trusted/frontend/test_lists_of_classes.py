"""Lists that classes have: read where nothing in the file may change them, and refused elsewhere."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import Run, run_python

HEAD = (
    "from synth.lang import *\n\n\nclass A:\n    BANDS = [(0, 2), (2, 5)]\n    EDGES = [1, 3, 4]\n"
    '    NAMES: list[str] = ["a", "b"]\n\n    def __init__(self, k):\n        self.k = k\n\n'
)
MECHANISM = "\n\n@mechanism\ndef f(x: list[int], k: int):\n    a = A(k)\n    return a.of(x)\n"

METHODS = {
    "a loop": "n = []\nfor lo, hi in self.BANDS:\n    n.append(sum(1 for v in x if lo <= v < hi))\nreturn n",
    "cells": "return [lo + hi for lo, hi in zip(self.EDGES[:-1], self.EDGES[1:])]",
    "an entry": "return [self.EDGES[0], A.EDGES[-1], len(self.NAMES), sum(A.EDGES)]",
    "keys": "d = {n: self.k for n in self.NAMES}\nd['b'] += 1\nreturn [d['a'], d['b']]",
    "members": "return [1 if v in self.EDGES else 0 for v in x]",
}


def _text(method: str, more: str = "") -> str:
    lines = "".join(f"        {line}\n" for line in method.split("\n"))
    return f"{HEAD}    def of(self, x):\n{lines}{more}{MECHANISM}"


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_they_are_python_s(method: str) -> None:
    (mechanism,) = read_source(_text(method), "p.py")
    for x in ([], [1], [4, 3, 0]):
        expected = run_python(_text(method), "f", {"x": x, "k": 7}, iter(()))
        found = Run(mechanism, {"x": x, "k": 7}, iter(())).output()
        as_list = [item for part in found for item in (part if isinstance(part, tuple) else (part,))]
        assert [item[0] if isinstance(item, tuple) else item for item in as_list] == expected


CHANGES = {
    "appended to": "    def more(self):\n        self.EDGES.append(1)\n",
    "of the class": "    def more(self):\n        A.EDGES[0] = 2\n",
    "another name": "    def more(self):\n        e = self.EDGES\n        e.append(1)\n",
    "given back": "    def more(self):\n        return self.EDGES\n",
    "given on": "    def more(self, g):\n        g(self.EDGES)\n",
    "added to": "    def more(self):\n        self.EDGES += [1]\n",
    "outside of it": "\n\nA.EDGES.append(9)\n",
    "by its name": '\n\ngetattr(A, "EDGES").append(9)\n',
    "in the class": "    EDGES.append(9)\n",
    "by a pattern": "\n\ndef g(a):\n    match a:\n        case A(EDGES=e):\n            e.append(1)\n",
    "by what it has": '\n\ndef g(a):\n    a.__dict__["EDGES"].append(1)\n',
}


@pytest.mark.parametrize("more", CHANGES.values(), ids=CHANGES)
def test_what_may_be_changed_is_refused(more: str) -> None:
    with pytest.raises(ProgramError):
        read_source(_text("return [e for e in self.EDGES]", more), "p.py")


@pytest.mark.parametrize("kept", ["return self.EDGES", "e = self.EDGES\nreturn [v for v in e]"])
def test_it_gets_no_other_name(kept: str) -> None:
    with pytest.raises(ProgramError, match="'EDGES' of 'A' may be changed"):
        read_source(_text(kept), "p.py")
