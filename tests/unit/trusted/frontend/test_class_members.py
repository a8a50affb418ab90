"""Several bases, class methods and members that can't be read: what is read is what Python does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import File, read_program
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import specification_of
from tests.support.typed_runs import Run, Stuck, run_python
from tests.support.well_formed import check

STAND_IN = "from unittest.mock import MagicMock as M; logging = M()"
HEAD = """import abc
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

"""
PROGRAMS = {
    "a diamond": """
class Root:
    def __init__(self, *, a):
        self.a = a
        self.trace = 1
    def step(self, k):
        self.trace = self.trace * 10 + 1
        return k
class Left(Root):
    def __init__(self, *, a, b):
        super().__init__(a=a)
        self.b = b
    def step(self, k):
        self.trace = self.trace * 10 + 2
        return super().step(k) + self.b
class Right(Root):
    def step(self, k):
        self.trace = self.trace * 10 + 3
        return super().step(k * 2)
class Both(Left, Right):
    def step(self, k):
        self.trace = self.trace * 10 + 4
        return super().step(k) - 1
def f(x, n):
    both = Both(a=x, b=n)
    left = Left(b=x, a=n)
    return both.step(n) * 1000000 + both.trace + left.step(x) * 7 + left.trace
""",
    "a mixin with an __init__ of its own": """
class Base(object):
    def __init__(self, *, a, b=2):
        self.a, self.b = self._check(a, b)
    @classmethod
    def _check(cls, a, b):
        if a < -10:
            raise ValueError("a")
        return a + cls.SHIFT, b
    SHIFT = 1
    def _all(self, v):
        self._check(self.a, self.b)
        return True
class Mixin:
    def __init__(self, *, low, high):
        self.low, self.high = self._bounds(low, high)
    @staticmethod
    def _bounds(low, high):
        if low > high:
            raise ValueError("bounds")
        return low, high
    def cut(self, v):
        if v > self.high:
            return self.high
        if v < self.low:
            return self.low
        return v
class Cut(Base, Mixin):
    SHIFT = 5
    def __init__(self, *, a, low, high):
        super().__init__(a=a, b=3)
        Mixin.__init__(self, low=low, high=high)
    def _all(self, v):
        Base._all(self, v)
        super(Cut, self)._all(v)
        return super()._all(v)
    def go(self, v):
        self._all(v)
        return self.cut(v * self.b + self.a)
def f(x, n):
    return Cut(a=x, low=n, high=2).go(x)
""",
    "class methods": """
class A:
    K = 3
    def __init__(self, v, w=1):
        self.v = v
        self.w = w
    @classmethod
    def make(cls, v):
        return cls(cls.twice(v), w=cls.K)
    @classmethod
    def twice(cls, v):
        return v * cls.K
    @staticmethod
    def plain(v):
        return v + 1
    @property
    def both(self):
        return self.v * 100 + self.w
    def again(self):
        return self.__class__.make(self.v).both + self.make(2).v
class B(A):
    K = 5
    @classmethod
    def twice(cls, v):
        return super().twice(v) + cls.plain(1)
def f(x, n):
    a = A.make(x)
    b = B.make(n)
    return a.both + b.both * 7 + b.again() + A.twice(1) + b.twice(2) + B.plain(n)
""",
    "attributes by tuples": """
class A:
    def __init__(self, v, w):
        self.v, self.w = v, w
        [self.x, y], z = (v + 1, w), 3
        self.y, self.z = y, z
    def swap(self):
        self.v, self.w = self.w, self.v
        self.x, self.v = self.v + 1, self.x
        return self.v, self.w, self.x
def f(x, n):
    a = A(x, n)
    p, q, r = a.swap()
    return p * 1000 + q * 100 + r * 10 + a.z + a.y
""",
    "abstract classes and their parts": """
T = TypeVar("T")
class Mechanism(metaclass=abc.ABCMeta):
    @abc.abstractmethod
    def scale(self):
        raise NotImplementedError
    @property
    @abstractmethod
    def name(self):
        ...
    def go(self, v):
        return v * self.scale() + self.name
class Half(Mechanism):
    def scale(self):
        return 2
    @property
    def name(self):
        return 7
class Third(Half, ABC):
    def scale(self):
        return super().scale() + 1
def f(x, n):
    return Half().go(x) * 100 + Third().go(n)
""",
    "tests for classes": """
class Base:
    def check(self):
        return isinstance(self, Base)
class Mixin:
    def ok(self):
        return isinstance(self, (int, Base)) and not isinstance(self, Other)
class Other:
    pass
class Both(Base, Mixin):
    pass
def f(x, n):
    b = Both()
    m = Mixin()
    t = 1 if b.check() and b.ok() and not m.ok() and not isinstance(n, Base) else 0
    return t * 10 + (x if isinstance(b, Mixin) else 2)
""",
    "a property with a setter": """
class A:
    def __init__(self, v):
        self._v = v
    @property
    def v(self):
        return self._v * 2
    @v.setter
    def v(self, other):
        self._v = other
def f(x, n):
    a = A(x)
    return a.v + n
""",
    "members that are not used": """
import logging
def wrapping(g):
    return logging.wrap(g)
class A:
    log = logging.getLogger()
    sizes = {n: n for n in range(3)}
    LIMIT = 4
    def __init__(self, v):
        self.v = v
    def __repr__(self):
        return f"{self.__class__.__name__}({self.v})"
    def __eq__(self, other):
        return isinstance(other, A) and self.__v == other.__v
    def __len__(self):
        return len(self.sizes)
    def fit(self, data, **options):
        with open(data) as file:
            self.w = [int(line) for line in file]
        return self
    @wrapping
    def wrapped(self):
        return 1
    class Inner:
        pass
    def go(self):
        return self.v + self.LIMIT
def f(x, n):
    a = A(x)
    return a.go() + n
""",
}


def read(tmp_path: Path, text: str) -> File:
    path = tmp_path / "p.py"
    path.write_text(HEAD + text)
    return read_program(path, {"f": specification_of({"types": {"x": "int", "n": "int"}})})


def one(file: File) -> ir.Mechanism:
    assert not file.refused, file.refused
    (found,) = file.mechanisms
    check(found)
    return found


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_classes_are_python_s(tmp_path: Path, text: str) -> None:
    mechanism = one(read(tmp_path, text))
    returned = 0
    for x, n in itertools.product((-20, -2, 1, 5), (-3, 0, 2, 4)):
        inputs: dict[str, Any] = {"x": x, "n": n}
        run = Run(mechanism, inputs, _none())
        runnable = HEAD + text.replace("import logging", STAND_IN)
        try:
            expected = run_python(runnable.replace("logging.wrap(g)", "g"), "f", inputs, _none())
        except ValueError:
            if run.at(mechanism.requires):
                with pytest.raises(Stuck):
                    run.output()
        else:
            assert run.output() == (expected,)
            returned += 1
    assert returned > 3


def _none() -> Iterator[int]:
    return iter(())


A = "class A:\n    def __init__(self, v):\n        self.v = v\n"
REFUSED = {
    "bases that have no order": (
        "class A:\n    pass\nclass B(A):\n    pass\nclass C(A, B):\n    pass\n",
        "c = C()\n    return x",
        "no order",
    ),
    "a method in the place of another base's attribute": (
        A + "class B:\n    def v(self):\n        return 1\nclass C(A, B):\n    pass\n",
        "return C(x).v",
        "in the place of an attribute",
    ),
    "an abstract class": (
        "class A(ABC):\n    @abstractmethod\n    def g(self):\n        return 1\n",
        "return A().g()",
        "is abstract",
    ),
    "an abstract class by its metaclass": (
        "class A(metaclass=abc.ABCMeta):\n    @abstractmethod\n    def g(self):\n        return 1\n"
        "class B(A):\n    pass\n",
        "return B().g()",
        "is abstract",
    ),
    "another metaclass": (
        "class A(metaclass=thing):\n    pass\n",
        "a = A()\n    return x",
        "keyword of a class",
    ),
    "a method that is decorated": (
        "def d(g):\n    return abs\nclass A:\n    @d\n    def g(self):\n        return 1\n",
        "return A().g()",
        "decorator 'd'",
    ),
    "a decorator of the class's own": (
        "class A:\n    def staticmethod(g):\n        return 3\n    @staticmethod\n    def g(v):\n"
        "        return v\n",
        "return A.g(x)",
        "is a name of the class",
    ),
    "a member that is not read": (A + "    K = thing()\n", "return A(x).K", "in a value of a class"),
    "a member that hides a base's": (
        "class A:\n    def g(self):\n        return 1\nclass B(A):\n    g = thing()\n",
        "return B().g()",
        "in a value of a class",
    ),
    "a member of a loop": (
        A + "    for name in (1, 2):\n        g = name\n",
        "return A(x).g",
        "a for loop in a class",
    ),
    "a property's assignment": (
        "class A:\n    @property\n    def v(self):\n        return 1\n    @v.setter\n    def v(self, w):\n"
        "        self.w = w\n",
        "a = A()\n    a.v = x\n    return a.v",
        "",
    ),
    "a truth of its own": (
        "class A:\n    def __bool__(self):\n        return False\n",
        "a = A()\n    return 1 if a else x",
        "'__bool__'",
    ),
    "a length of its own": (
        "class A:\n    def __len__(self):\n        return 0\n",
        "a = A()\n    return 1 if not a else x",
        "'__len__'",
    ),
    "equality with None of its own": (
        "class A:\n    def __eq__(self, other):\n        return True\n",
        "a = A()\n    return 1 if a == None else x",
        "'__eq__'",
    ),
    "attributes of its own": (
        A + "    def __getattribute__(self, name):\n        return 3\n",
        "return A(x).v",
        "'__getattribute__'",
    ),
    "attributes of its own, by an assignment": (
        A + "    __getattr__ = thing\n",
        "return A(x).v",
        "'__getattr__'",
    ),
    "attributes of its own, by a value that is not read": (
        A + "    __setattr__ = thing()\n",
        "return A(x).v",
        "",
    ),
    "tests of its own": (
        "class A(ABC):\n    @classmethod\n    def __subclasshook__(cls, other):\n        return True\n",
        "a = A()\n    return x",
        "'__subclasshook__'",
    ),
    "what classes below do when they are made": (
        "class A:\n    def __init_subclass__(cls):\n        cls.g = thing\nclass B(A):\n    def g(self):\n"
        "        return 1\n",
        "return B().g()",
        "",
    ),
    "a method that is defined twice": (
        "class A:\n    def g(self):\n        return 1\n    def g(self, w=1):\n        return 2\n",
        "return A().g()",
        "defined twice",
    ),
    "a field among what is not read": (
        "@dataclass\nclass A:\n    v: int\n    if True:\n        w: int = 3\n",
        "return A(x).v",
        "an if statement",
    ),
    "a class as a value": (
        A + "def make(kind, v):\n    return kind(v).v\n",
        "return make(A, x)",
        "used as a value",
    ),
    "a class that is returned": (
        "class A:\n    @classmethod\n    def g(cls):\n        return cls\n",
        "return A.g()",
        "",
    ),
    "classes that are compared": (
        "class A:\n    @classmethod\n    def g(cls, v):\n        return v if cls == A else 1\n",
        "return A.g(x)",
        "",
    ),
    "a method of a class on what is no object": (
        A + "    def g(self):\n        return 1\n",
        "return A.g(x)",
        "call it on",
    ),
    "a class method's object": (
        A + "    @classmethod\n    def g(cls):\n        return cls.v\n",
        "return A(x).g()",
        "'v' of 'A' is not defined",
    ),
    "super of another object": (
        A + "class B(A):\n    def g(self, other):\n        return super(B, other).v\n",
        "return B(x).g(B(n))",
        "",
    ),
    "a method of objects in a class method": (
        A + "    def h(self):\n        return self.v\nclass B(A):\n    @classmethod\n    def g(cls):\n"
        "        return super().h()\n",
        "return B.g()",
        "",
    ),
    "tests for what loops can run over": (
        "from collections.abc import Sized\nclass A:\n    def __len__(self):\n        return 1\n",
        "a = A()\n    return 1 if isinstance(a, Sized) else x",
        "",
    ),
    "too few values": (
        "class A:\n    def __init__(self, v):\n        self.v, self.w = v, v, v\n",
        "return A(x).v",
        "can't be unpacked",
    ),
}


@pytest.mark.parametrize(("classes", "body", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(tmp_path: Path, classes: str, body: str, message: str) -> None:
    file = read(tmp_path, f"{classes}def f(x, n):\n    {body}\n")
    assert not file.mechanisms
    assert any(message in error.message for error in file.refused), file.refused


def test_what_a_class_leaves_is_listed(tmp_path: Path) -> None:
    """Python runs decorators and values where the class stands: that they change nothing is assumed."""
    text = (
        A
        + "    K = thing()\n    @thing(1)\n    def g(self):\n        return 1\n"
        + "def f(x, n):\n    return A(x).v\n"
    )
    found = one(read(tmp_path, text))
    first = HEAD.count("\n") + 4
    assert found.unread == tuple(range(first, first + 4))


def test_what_a_class_leaves_may_change_what_is_used(tmp_path: Path) -> None:
    text = "import numpy as np\nclass A:\n    def g(self):\n        np.exp = self.__dict__\n"
    file = read(tmp_path, f"{text}def f(x, n):\n    return np.exp(x)\n")
    assert not file.mechanisms


def test_a_draw_is_not_moved_over_a_class_method(tmp_path: Path) -> None:
    text = """from synth.lang import *
class A:
    def __init__(self, v):
        self.v = v
    @classmethod
    def bump(kind, other):
        other.v += 10
        made = kind(other.v)
        return made.v
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def f(x: int, eps: float):
    a = A(x)
    return A.bump(a) + a.v + laplace(0, 1 / eps) + a.v
"""
    (tmp_path / "p.py").write_text(text)
    (found,) = read_program(tmp_path / "p.py").mechanisms
    inputs = {"x": 3, "eps": 1}
    assert Run(found, inputs, iter([1])).output() == (run_python(text, "f", inputs, iter([1])),)


def test_the_reason_is_told_where_it_stands(tmp_path: Path) -> None:
    (error,) = read(tmp_path, A + "    K = thing()\ndef f(x, n):\n    return A(x).K\n").refused
    assert isinstance(error, ProgramError) and error.code is Refusal.UNSUPPORTED_CONSTRUCT
    assert error.line == HEAD.count("\n") + 4


HELD = {
    "a lambda, or what is given": """
class A:
    def __init__(self, k, g=None):
        self.k = k
        if g is None:
            self.g = lambda v: v - 1
        else:
            self.g = g
        self.update(k, g)
    def update(self, k=None, g=None):
        self.k = k if k is not None else self.k
        self.g = g if g is not None else self.g
    def go(self, v):
        return self.g(v) * self.k
def twice(v):
    return 2 * v
def f(x, n):
    return A(x).go(n) * 1000 + A(n, twice).go(x) + A(2, g=lambda v: v * v).go(n)
""",
    "an object that a method of its own sets up": """
class Inner:
    def __init__(self, v):
        self.v = v
    def __call__(self, w):
        self.v += w
        return self.v
class Base:
    def __init__(self, v):
        self._prepare(v)
    def _prepare(self, v):
        self.inner = Inner(v)
class Outer(Base):
    def __init__(self, v, w):
        super().__init__(v)
        self.w = w
    def go(self):
        self.inner(self.w)
        return self.inner(1) + self.inner.v
def f(x, n):
    return Outer(x, n).go()
""",
    "what is decided by what is fixed": """
MODE = True
class A:
    def __init__(self, v, other=None):
        self.v = v
        if MODE and other is None:
            self.w = v + 1
        else:
            self.w = thing(v)
    def go(self):
        if not MODE:
            return nothing(self)
        return self.w if self.v is not None else self.missing
def f(x, n):
    return A(x).go() - A(n).w
""",
}


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_attributes_that_are_assigned_where_control_always_comes(tmp_path: Path, text: str) -> None:
    mechanism = one(read(tmp_path, text))
    for x, n in itertools.product((-20, -2, 1, 5), (-3, 0, 2, 4)):
        inputs: dict[str, Any] = {"x": x, "n": n}
        expected = run_python(HEAD + text, "f", inputs, _none())
        assert Run(mechanism, inputs, _none()).output() == (expected,)


B = "class B:\n    def __init__(self, v):\n        self.v = v\n"
NOT_HELD = {
    "by a branch of what is below": "class A(B):\n    def __init__(self, v):\n        if v > 0:\n"
    "            super().__init__(lambda w: w)\ndef f(x, n):\n    a = A(x)\n    return a.v(n)\n",
    "by an operand": "class A(B):\n    def __init__(self, v):\n"
    "        v > 0 and super().__init__(lambda w: w)\n"
    "def f(x, n):\n    a = A(x)\n    return a.v(n)\n",
    "behind a return": "class A(B):\n    def __init__(self, v):\n        if v > 0:\n            return\n"
    "        super().__init__(lambda w: w)\ndef f(x, n):\n    a = A(x)\n    return a.v(n)\n",
    "in a loop": "class A(B):\n    def __init__(self, v):\n        for i in range(v):\n"
    "            super().__init__(lambda w: w)\ndef f(x, n):\n    a = A(x)\n    return a.v(n)\n",
    "later": "def f(x, n):\n    b = B(1)\n    b.v = lambda w: w\n    return b.v(n)\n",
    "by a method that is called later": "class A:\n    def put(self):\n        self.g = lambda w: w\n"
    "def f(x, n):\n    a = A()\n    if x > 0:\n        a.put()\n    return a.g(n)\n",
    "in a branch by a method": "class A:\n    def __init__(self, v):\n        if v > 0:\n"
    "            self.put()\n"
    "    def put(self):\n        self.g = lambda w: w\ndef f(x, n):\n    a = A(x)\n    return a.g(n)\n",
    "two functions": "class A:\n    def __init__(self, v):\n        self.g = lambda w: w\n"
    "        self.put()\n"
    "    def put(self):\n        self.g = lambda w: w + 1\ndef f(x, n):\n    a = A(x)\n    return a.g(n)\n",
    "a function and a number": "class A:\n    def __init__(self, v):\n        self.g = 1\n"
    "        self.g = lambda w: w\n"
    "def f(x, n):\n    a = A(x)\n    return a.g(n)\n",
    "a function with variables": "class A:\n    def __init__(self, v):\n        self.g = lambda w: w + v\n"
    "        v = 3\ndef f(x, n):\n    a = A(x)\n    return a.g(n)\n",
    "again from outside": "class A(B):\n    def again(self):\n        B.__init__(self, lambda w: w)\n"
    "def f(x, n):\n    a = A(lambda w: w + 1)\n    a.again()\n    return a.v(n)\n",
}


@pytest.mark.parametrize("text", NOT_HELD.values(), ids=NOT_HELD)
def test_attributes_that_may_hold_something_else(tmp_path: Path, text: str) -> None:
    assert not read(tmp_path, B + text).mechanisms


def test_whether_an_attribute_is_there_is_not_decided_by_private_data(tmp_path: Path) -> None:
    """With `c` not positive this raises: one of two adjacent runs has no output."""
    text = """from synth.lang import *
class A:
    def __init__(self, xs):
        self.xs = xs
class B(A):
    def __init__(self, xs, c):
        if c > 0:
            super().__init__(xs)
@mechanism(adjacent={"c": absolute_distance(1)}, epsilon="0")
def f(c: int, ks: list[int]):
    b = B(ks, c)
    return len(b.xs)
"""
    (tmp_path / "p.py").write_text(text)
    (error,) = read_program(tmp_path / "p.py").refused
    assert error.code is Refusal.ALIASING


@pytest.mark.parametrize("power", ["math.e ** x", "math.pow(math.e, x)", "e ** x"])
def test_powers_of_e_are_exponentials(tmp_path: Path, power: str) -> None:
    text = f"import math\nfrom math import e\ndef f(x, n):\n    y = {power}\n    return y * n\n"
    assert "exp(" in write_core(one(read(tmp_path, text)))
    assert "**" not in write_core(one(read(tmp_path, text)))
