"""Objects of classes, Enums and named types, where Python's rules are others than a quick look says."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = """\
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

from synth.lang import *

T = TypeVar("T")
"""

PLAIN = """
class A:
    v = 0
    def __init__(self):
        self.v = 1
    def f(self):
        return 1
"""

MARKED = """
class C:
    extra = 0
    def __init__(self):
        self.n = 0
    def mark(self):
        self.extra = 1
"""


def _abstract(method: str, own: str = "    pass") -> str:
    return (
        f"class A(ABC):\n    @abstractmethod\n    {method}\nclass B(A):\n{own}\n"
        "def g():\n    B()\n    return 1"
    )


REFUSED = {
    "a class on top of a dataclass": f"{PLAIN}\n@dataclass\nclass B(A):\n    pass\nclass C(B):\n    pass\n"
    "def g():\n    return C().v",
    "a dataclass that is initialized again": "@dataclass\nclass A:\n    n: int = 0\n@dataclass\nclass B(A):\n"
    "    def __post_init__(self):\n        super().__init__()\ndef g():\n    return B(5).n",
    "by the name of the base": f"{PLAIN}\n@dataclass\nclass B(A):\n    def again(self):\n"
    "        B.__init__(self)\ndef g():\n    b = B()\n    b.again()\n    return b.v",
    "a dataclass on top of one, by super": f"{PLAIN}\n@dataclass\nclass B(A):\n    pass\n"
    "@dataclass\nclass C(B):\n    def __post_init__(self):\n        super().__init__()\n"
    "def g():\n    return C().v",
    "super in a class with slots": f"{PLAIN}\n@dataclass(slots=True)\nclass B(A):\n    n: int\n"
    "    def f(self):\n        return super().f()\ndef g():\n    return B(1).f()",
    "an abstract method that is not read": _abstract("def m(self, *a):\n        return 1"),
    "an abstract special method": _abstract("def __len__(self):\n        return 1"),
    "an abstract coroutine": _abstract("async def m(self):\n        return 1"),
    "an abstract method that is defined anew": _abstract(
        "def m(self, *a):\n        return 1", "    @abstractmethod\n    def m(self, *a):\n        return 2"
    ),
    "an abstract setter": "class A(ABC):\n    @property\n    def v(self):\n        return 1\n    @v.setter\n"
    "    @abstractmethod\n    def v(self, w):\n        pass\nclass B(A):\n    pass\n"
    "def g():\n    B()\n    return 1",
    "super of what is deleted": f"{PLAIN}\nclass B(A):\n    def h(self):\n        del self\n"
    "        return super().f()\ndef g():\n    return B().h()",
    "super of a class that is deleted": f"{PLAIN}\n    @classmethod\n    def k(cls):\n        return 1\n"
    "class B(A):\n    @classmethod\n    def h(cls):\n        if True:\n            del cls\n"
    "        return super().k()\ndef g():\n    return B.h()",
    "super beside another class": f"{PLAIN}\nclass B(A):\n    def h(self):\n        __class__ = 5\n"
    "        return super().f()\ndef g():\n    return B().h()",
    "super beside an imported class": f"{PLAIN}\nclass B(A):\n    def h(self):\n"
    "        import math as __class__\n        return super().f()\ndef g():\n    return B().h()",
    "super in a dict comprehension": f"{PLAIN}\nclass B(A):\n    def h(self):\n"
    "        return {k: super().f() for k in ('a',)}['a']\ndef g():\n    return B().h()",
    "super in a generator": f"{PLAIN}\nclass B(A):\n    def h(self):\n"
    "        return sum(super().f() for _ in range(1))\ndef g():\n    return B().h()",
    "a property of the file": "class property:\n    def __init__(self, f):\n        self.f = f\n"
    "    def __get__(self, o, t=None):\n        return 0\nclass C:\n    @property\n    def v(self):\n"
    "        return 1\ndef g():\n    return C().v",
    "names of an Enum beside pairs": 'K = Enum("K", [("A", 1), "BD"])\ndef g():\n    for k in K:\n'
    '        if k.value == "D":\n            return 1\n    return 0',
    "a class that says who its objects are": "class Odd(ABC):\n    @classmethod\n"
    "    def __subclasshook__(cls, other):\n        return True\n"
    "def g():\n    return int(isinstance(1, Odd))",
    "a protocol": "class Odd(Protocol):\n    def f(self):\n        return 1\n"
    "def g():\n    return int(isinstance(1, Odd))",
    "a protocol of types": "class Odd(Protocol[T]):\n    def f(self):\n        return 1\n"
    "def g():\n    return int(isinstance(1, Odd))",
    "an object of an abstract protocol of types": "class P(Protocol[T]):\n    @abstractmethod\n"
    "    def f(self):\n        return 1\nclass Q(P):\n    def h(self):\n        return 1\n"
    "def g():\n    return Q().h()",
    "an object of a protocol": "class P(Protocol):\n    def f(self):\n        return 1\n"
    "def g():\n    return P().f()",
    "an __init__ that is a name": "def start(self):\n    raise ValueError\nclass C:\n    __init__ = start\n"
    "    def f(self):\n        return 1\ndef g():\n    return C().f()",
    "a __post_init__ that is a name": "def start(self):\n    raise ValueError\n@dataclass\nclass C:\n"
    "    n: int\n    __post_init__ = start\ndef g():\n    return C(1).n",
    "an object of a round that another one has marked": f"{MARKED}\ndef use(o, k):\n    y = 5\n"
    "    if k == 'b':\n        y = o.extra\n    o.mark()\n    return y\n"
    "def g():\n    y = 5\n    for k in ('a', 'b'):\n        y = use(C(), k)\n    return y",
    "the truth of a view": "def g():\n    d = {}\n    return 0 if d.keys() else 1",
    "the truth of a view of pairs": "def g():\n    d = {}\n    return int(not d.items())",
}

SAME = {
    "an abstract method that is defined": _abstract(
        "def m(self, *a):\n        return 1", "    def m(self, *a):\n        return 2"
    ),
    "a method that is not read": "class A(ABC):\n    def m(self, *a):\n        return 1\nclass B(A):\n"
    "    pass\ndef g():\n    B()\n    return 1",
    "super of the file": f"class super:\n    def f(self):\n        return 0\n{PLAIN}\nclass B(A):\n"
    "    def h(self):\n        return super().f()\ndef g():\n    return B().h()",
    "a dataclass on top of a class": f"{PLAIN}\n@dataclass\nclass B(A):\n    pass\n"
    "def g():\n    return B().f()",
    "super of a class": f"{PLAIN}\nclass B(A):\n    def __init__(self):\n        super().__init__()\n"
    "def g():\n    return B().v",
    "a class of types": "class Box(Generic[T]):\n    def __init__(self):\n        self.v = 1\n"
    "def g():\n    return int(isinstance(1, Box))",
    "a function that an attribute holds": "class C:\n    def __init__(self, h):\n        self.n = 0\n"
    "        self.h = h\ndef bump(c):\n    c.n = c.n + 5\n    return 3\ndef g():\n    c = C(bump)\n"
    "    return int(0 <= c.n < c.h(c))",
    "objects of rounds that are written out": f"{PLAIN}\ndef use(o, k):\n    if k == 'b':\n"
    "        o.v = o.v + 1\n    return o.v\n"
    "def g():\n    y = 5\n    for k in ('a', 'b', 'c'):\n        y = 10 * y + use(A(), k)\n    return y",
    "a class on top of a protocol": "class P(Protocol):\n    def f(self):\n        return 1\n"
    "class Q(P):\n    pass\ndef g():\n    return Q().f()",
    "pairs of an Enum": 'K = Enum("K", [("A", 1), ["B", 5]])\ndef g():\n    return K.B.value',
    "the truth of a dict": "def g():\n    d = {}\n    return 0 if d else 1",
}
"""What is asked is called where private data say so: that Python raises would tell."""


def _program(classes: str) -> str:
    return (
        f"{HEAD}{classes}\n@mechanism(adjacent={{'x': discrete_distance()}})\n"
        "def f(x: int):\n    return g() if x > 0 else 7\n"
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_python_makes_otherwise_is_refused(name: str) -> None:
    assert compare(_program(REFUSED[name]), random.Random(0)) == "refused"


@pytest.mark.parametrize("name", SAME)
def test_what_is_read_is_what_python_makes(name: str) -> None:
    assert compare(_program(SAME[name]), random.Random(0)) == "same"
