"""Arrays as attributes of objects: what is read is what numpy computes, and what may change is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import Run, run_python
from tests.unit.trusted.frontend.test_arrays import HEAD, INPUTS, SIGNATURE, exact, flat, noise

CLASSES = """
class Held:
    def __init__(self, x, y=None):
        self.x = x
        self.y = np.array(x) * 2
        self.fitted = None
    def total(self):
        return self.x.sum() + self.y[0]
    def fit(self, more):
        self.fitted = self.y + more
        return self
    def twice(self):
        self.fitted = self.fitted * 2
        return self.fitted

class Summed(Held):
    def __init__(self, x):
        super().__init__(np.asarray(x) + 1)
        self.sums = np.zeros(len(self.x))
        for i in range(3):
            self.sums = self.sums + i * self.x

class Grid:
    def __init__(self, rows, width, v):
        self.cells = np.full((rows, width), v)
    def row(self, i):
        return self.cells[i]

@mechanism
"""

SAME = [
    "o = Held(a)\nreturn o.total(), o.x.size, o.y.max(), len(o.y)",
    "o = Held(a).fit(t)\nreturn o.fitted.sum(), o.fitted.tolist()",
    "o = Held(a)\no.fit(1).fit(t)\nc = o.fitted\no.fit(5)\nreturn c.sum(), o.twice().sum(), o.fitted[-1]",
    "o = Held(xs)\nxs = np.array(xs)\nreturn o.y.sum(), xs[0]",
    "o = Summed(xs)\nreturn o.sums, o.x[0], o.total()",
    "o = Grid(2, 3, t)\nreturn o.cells.sum(), o.row(1)[2], o.cells.shape[1]",
    "s = 0.0\nfor i in range(n):\n    o = Held(a + i)\n    o.fit(i)\n    s += o.total()\nreturn s, a",
    "o = Held(a)\nif n > 1:\n    o.fit(t)\nelse:\n    o.fit(a)\nreturn o.fitted",
    "c = a.copy()\nc += 1\no = Held(c.copy())\nreturn o.total(), c[0]",
]

REFUSED = {
    "c = a + 0\no = Held(c)\nc[0] = 7\nreturn o.total()": "an attribute is the array 'c', which is changed",
    "o = Held(a)\na += 1\nreturn o.total()": "an attribute is the array 'a', which is changed",
    "o = Held(a)\nc = o.y\nc += 1\nreturn o.total()": "one array: use 'y.copy()'",
    "o = Held(a)\no.y += 1\nreturn o.total()": "an array that is an attribute is not changed in place",
    "o = Held(a).fit(1)\no.fitted += 1\nreturn o.total()": "an array that is an attribute is not changed",
    "o = Held(a).fit(1)\no.fitted[0] = 1\nreturn o.total()": "an assignment to an entry of an array",
    "o = Held(a).fit(1)\no.fitted.sort()\nreturn o.total()": "'sort' of an array without a name",
    "o = Held(a)\no.y = a\nreturn o.total()": "not assigned once, in '__init__'",
    "o = Held(a)\nreturn o.fitted.sum()": "the method 'sum' is not supported",
    "o = Held(a)\nif n > 1:\n    o.fit(1)\nreturn o.fitted.sum()": "may be used before it is assigned",
    "o = Held(a).fit(1)\no.fitted = None\nreturn o.twice().sum()": "both an array and None",
    "o = Held(a).fit(1)\nfor v in o.fitted:\n    o.fit(v)\nreturn o.fitted": "while a loop runs over it",
    "o = Held(a).fit(1)\nreturn o.fitted + o.twice()": "a list is changed beside an array of its entries",
}


def program(text: str) -> str:
    body = "\n".join(f"    {line}" for line in text.splitlines())
    return f"{HEAD}{CLASSES}{SIGNATURE.rstrip()}\n{body}\n"


@pytest.mark.parametrize("text", SAME)
def test_it_is_what_numpy_computes(text: str) -> None:
    (mechanism,) = read_source(program(text), "p.py")
    for inputs in INPUTS:
        typed = {
            name: [exact(item) for item in value] if isinstance(value, list) else exact(value)
            for name, value in inputs.items()
        }
        given: dict[str, Any] = {
            name: np.array(value) if name in ("a", "b", "k") else value for name, value in inputs.items()
        }
        expected = flat(run_python(program(text), "f", given, noise()))
        found = flat(Run(mechanism, typed, noise()).output())
        assert sorted(found) == pytest.approx(sorted(expected)), inputs


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(program(text), "p.py")
    assert REFUSED[text] in caught.value.message
