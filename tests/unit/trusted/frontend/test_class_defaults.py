"""Values of a class where objects have attributes of the same name: what is read is what Python finds."""

from __future__ import annotations

import random

import pytest

from tests.support.real_runs import compare

HEAD = "from synth.lang import *\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)})\n'

READ = {
    "assigned in __init__": """
class A:
    rate = 5
    def __init__(self, x):
        self.rate = x
    def get(self):
        return self.rate
def f(x: int):
    return A(x).get()
""",
    "assigned by a method that __init__ calls": """
class A:
    rate = 0.5
    def __init__(self, x=0.5):
        self.put(x)
    def put(self, x):
        self.rate = x
def f(x: int):
    return A(x).rate + A().rate
""",
    "assigned by __init__ of a class below": """
class A:
    rate = 5
class B(A):
    def __init__(self, x):
        self.rate = x
def f(x: int):
    return B(x).rate
""",
    "changed later": """
class A:
    rate = 5
    def __init__(self):
        self.rate = 0
    def add(self, x):
        self.rate += x
        return self.rate
def f(x: int):
    a = A()
    a.add(x)
    return a.add(1)
""",
}

NOT_READ = {
    "the value of the class itself": """
class A:
    rate = 5
    def __init__(self, x):
        self.rate = x
def f(x: int):
    return A(x).rate + A.rate
""",
    "not assigned before": """
class A:
    rate = 5
    def add(self, x):
        self.rate = self.rate + x
        return self.rate
def f(x: int):
    return A().add(x)
""",
    "a value that has a say in assignments": """
class Fixed:
    def __set__(self, owner, value):
        pass
    def __get__(self, owner, kind):
        return 3
class A:
    rate = Fixed()
    def __init__(self, x):
        self.rate = x
def f(x: int):
    return A(x).rate
""",
    "a value that has a say in assignments, by a name": """
class Fixed:
    def __set__(self, owner, value):
        pass
    def __get__(self, owner, kind):
        return 3
FIXED = Fixed()
class A:
    rate = FIXED
    def __init__(self, x):
        self.rate = x
def f(x: int):
    return A(x).rate
""",
    "a property": """
class A:
    rate = property(lambda self: 3, lambda self, v: None)
    def __init__(self, x):
        self.rate = x
def f(x: int):
    return A(x).rate
""",
    "assigned on the class, too": """
class A:
    rate = 5
    def __init__(self, x):
        self.rate = x
def late(p):
    A.rate = property(lambda self: 3, lambda self, v: None)
def f(x: int):
    return A(x).rate
""",
}


def _stated(text: str) -> str:
    return HEAD + text.replace("def f(", f"{STATED}def f(")


@pytest.mark.parametrize("name", READ)
def test_what_an_object_has_comes_first(name: str) -> None:
    assert compare(_stated(READ[name]), random.Random(0)) == "same"


@pytest.mark.parametrize("name", NOT_READ)
def test_what_may_be_the_value_of_the_class_is_refused(name: str) -> None:
    assert compare(_stated(NOT_READ[name]), random.Random(0)) == "refused"


def test_where_it_may_not_be_assigned_it_is_not_read_as_if_it_were() -> None:
    """Then Python gives the value of the class, which is not read: nothing is said of such a run."""
    text = """
class A:
    rate = 5
    def __init__(self, x):
        if x > 0:
            self.rate = x
def f(x: int):
    return A(x).rate
"""
    assert compare(_stated(text), random.Random(0)) in ("refused", "undefined")
