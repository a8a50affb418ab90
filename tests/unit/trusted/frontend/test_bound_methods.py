"""Methods of objects as values: outcomes are compared with CPython."""

from __future__ import annotations

from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program.beside import specification_of
from tests.soundness.hunts.defined_laws import law
from tests.support.typed_runs import Run

CLASSES = """\
from functools import partial
from typing import NamedTuple


class Bounds:
    def __init__(self, low, high):
        self.low = low
        self.high = high

    def clamp(self, value):
        return min(max(value, self.low), self.high)

    def shifted(self, value, by=1):
        return self.clamp(value) + by

    @staticmethod
    def double(value):
        return 2 * value

    @classmethod
    def made(cls, value):
        return cls(0, value).clamp(value + 1)

    def raise_to(self, high):
        self.high = high


class Wide(Bounds):
    def clamp(self, value):
        return super().clamp(value) - 1


class Shift(NamedTuple):
    by: int

    def of(self, value):
        return value + self.by


def twice(f, value):
    return f(f(value))


"""
BODIES = {
    "map": "b = Bounds(0, n)\nreturn list(map(b.clamp, q))",
    "a name": "b = Bounds(0, n)\nf = b.clamp\nreturn [f(v) for v in q]",
    "an argument": "b = Bounds(0, n)\nreturn [twice(b.shifted, v) for v in q]",
    "one that is inherited": "b = Wide(0, n)\nreturn list(map(b.clamp, q))",
    "partial": "b = Bounds(0, n)\nf = partial(b.shifted, by=3)\nreturn [f(v) for v in q]",
    "a static one": "b = Bounds(0, n)\nreturn list(map(b.double, q))",
    "a class method": "b = Bounds(0, n)\nreturn list(map(b.made, q))",
    "an object that changes": "b = Bounds(0, n)\nf = b.clamp\nb.raise_to(2)\nreturn [f(v) for v in q]",
    "a key": "b = Bounds(0, n)\nreturn sorted(q, key=b.clamp)",
    "of a tuple": "s = Shift(n)\nf = s.of\nreturn [f(v) for v in q]",
    "of one of two tuples": "s = Shift(n)\nf = s.of\ns = Shift(9)\nreturn [f(v) * s.by for v in q]",
}
REFUSED = {
    "that is reassigned": ("b = Bounds(0, n)\nb.clamp = abs\nreturn list(map(b.clamp, q))", "attribute"),
    "in a list": ("b = Bounds(0, n)\nfs = [b.clamp]\nreturn fs[0](n)", "can't be part"),
    "that isn't there": ("b = Bounds(0, n)\nreturn list(map(b.cut, q))", "cut"),
    "one of two": ("b = Bounds(0, n)\nf = b.clamp\nf = b.shifted\nreturn f(n)", "use one name for each"),
}


def text_of(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{CLASSES}def f(q: list[int], n: int):\n{lines}"


STATED = specification_of({"adjacent": {"q": "linf_distance(1)"}})


@pytest.mark.parametrize("name", BODIES)
def test_it_is_python_s(name: str) -> None:
    text = text_of(BODIES[name])
    (mechanism,) = read_source(text, "p.py", (), {"f": STATED})
    names: dict[str, Any] = {"__name__": __name__}
    exec(text, names)
    for q, n in (([3, -1, 7, 2], 5), ([], 1), ([4, 4], 0)):
        (entries,) = Run(mechanism, {"q": q, "n": n}, iter(())).output()
        assert [entry for (entry,) in entries] == names["f"](q, n)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(ProgramError, match=message):
        read_source(text_of(body), "p.py", (), {"f": STATED})


COUNTING = """\
from synth.lang import *


class Counter:
    def __init__(self):
        self.n = 0

    def next(self, x):
        self.n += 1
        return self.n


class Holder:
    def __init__(self, counter):
        self.f = counter.next

    def look(self):
        return any(self.f(x) > 1 for x in [5, 6, 7])


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: float):
    c = Counter()
"""


@pytest.mark.parametrize(
    "looked",
    [
        "any(x > 1 for x in map(c.next, [5, 6, 7]))",
        "all(x < 2 for x in map(c.next, [5, 6, 7]))",
        "any(x > 5 for x in filter(c.next, [5, 6, 7]))",
        "Holder(c).look()",
    ],
)
def test_what_is_behind_the_first_one_found_is_not_called(looked: str) -> None:
    (mechanism,) = read_source(COUNTING + f"    found = {looked}\n    return c.n\n", "p.py")
    found = law(mechanism, {"x": 0})
    assert found is not None
    (output,) = found.outputs
    assert output.values == (2,)
