"""Names with two underscores in classes: what is read of them is what Python makes of them."""

from __future__ import annotations

import ast
import random

import pytest

from synth.trusted.frontend import private_names
from tests.support.real_runs import compare

HEAD = "import random\nfrom dataclasses import dataclass\nfrom synth.lang import *\n"
STATED = '@mechanism(adjacent={"x": absolute_distance(1)})\n'

READ = {
    "an attribute and a method": """
class A:
    def __init__(self, x):
        self.__x = x
    def __twice(self, k):
        return 2 * self.__x + k
    def get(self):
        return self.__twice(1)
def f(x: int):
    return A(x).get()
""",
    "two attributes of one object": """
class A:
    def __init__(self, x):
        self.__x = x
    def first(self):
        return self.__x
class B(A):
    def __init__(self, x):
        super().__init__(x)
        self.__x = 10 * x
    def second(self):
        return self.__x
def f(x: int):
    b = B(x)
    return b.first() * 100 + b.second()
""",
    "a method that a class below has, too": """
class A:
    def __step(self, x):
        return x + 1
    def go(self, x):
        return self.__step(x)
class B(A):
    def __step(self, x):
        return x - 1
def f(x: int):
    return B().go(x)
""",
    "the name as Python has it": """
class A:
    def __init__(self, x):
        self.__x = x
def f(x: int):
    return A(x)._A__x
""",
    "a class that begins with underscores": """
class __A:
    def __init__(self, x):
        self.__x = x
    def get(self):
        return self.__x + self._A__x
def f(x: int):
    return __A(x).get()
""",
    "parameters, variables, lambdas and comprehensions": """
class A:
    def get(self, __x):
        __y = [__v + 1 for __v in (__x, 2)]
        return (lambda __z: __z * 3)(__y[0]) + __y[1]
def f(x: int):
    return A().get(x)
""",
    "a static method and a constant of the class": """
class A:
    __most = 3
    @staticmethod
    def __cut(x):
        return x if x < A.__most else A.__most
    def get(self, x):
        return self.__cut(x) + self.__most
def f(x: int):
    return A().get(x)
""",
    "a global name that a class calls with two underscores": """
_A__k = 5
class A:
    def get(self, x):
        return x + __k
def f(x: int):
    return A().get(x)
""",
    "a field of a dataclass": """
@dataclass
class A:
    __x: int
    def get(self):
        return self.__x
def f(x: int):
    return A(x).get() + A(_A__x=3).get()
""",
}

NOT_READ = {
    "an argument by name, which Python doesn't change": """
class A:
    def get(self, __x=1):
        return __x
    def other(self, x):
        return self.get(__x=x)
def f(x: int):
    return A().other(x)
""",
    "from outside of the class": """
class A:
    def __init__(self, x):
        self.__x = x
def f(x: int):
    return A(x).__x
""",
    "from another class": """
class A:
    def __init__(self, x):
        self.__x = x
class B:
    def get(self, a):
        return a.__x
def f(x: int):
    return B().get(A(x))
""",
    "a global name that a class can't name so": """
__k = 5
class A:
    def get(self, x):
        return x + __k
def f(x: int):
    return A().get(x)
""",
}


def _stated(text: str) -> str:
    return HEAD + text.replace("def f(", f"{STATED}def f(")


@pytest.mark.parametrize("name", READ)
def test_names_are_read_as_python_has_them(name: str) -> None:
    assert compare(_stated(READ[name]), random.Random(0)) == "same"


@pytest.mark.parametrize("name", NOT_READ)
def test_names_that_python_does_not_find_are_refused(name: str) -> None:
    assert compare(_stated(NOT_READ[name]), random.Random(0)) == "refused"


def test_names_are_those_of_compiled_code() -> None:
    """The oracle is Python's compiler: an expanded text has the names that it gives the text itself."""
    for case in (*READ.values(), *NOT_READ.values()):
        tree = ast.parse(case)
        private_names.expand(tree)
        once = ast.unparse(tree)
        assert _names(compile(case, "a", "exec")) == _names(compile(once, "a", "exec"))


def _names(code: object) -> list[object]:
    if not hasattr(code, "co_code"):
        return []
    inner = [item for each in code.co_consts for item in _names(each)]
    return [code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, *inner]
