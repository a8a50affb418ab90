"""Classes, dataclasses and named tuples: what is read runs as in Python, all else is refused."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.typed_runs import Run, Stuck, run_python
from tests.support.well_formed import check

IMPORTS = """from synth.lang import *
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

"""
MECHANISM = "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: int, n: int, eps: float):\n"

PROGRAMS = {
    "attributes and methods": (
        """
class Counter:
    STEP = 3
    def __init__(self, start, step: int = 2):
        self.count = start
        self.step: int = step
        self.seen = None
    def add(self, more=1):
        self.count += more * self.step
        self.seen = more
        return self.count
    @property
    def double(self):
        return self.count * 2
    @staticmethod
    def of(a, b):
        return a - b * Counter.STEP
    def total(self):
        return self.add() + self.add(more=5) + self.double
""",
        """
c = Counter(x)
d = Counter(step=n, start=1)
a = c.add(n)
if n > 2:
    a += d.add(a)
else:
    d.count = 7
for i in range(n):
    c.add(i)
    e = Counter(i)
    e.add(c.count)
    a += e.count
t = c.total()
return a + t + c.double * 3 + d.count + Counter.of(x, n) + d.of(1, 2) + (0 if c.seen is None else c.seen)
""",
    ),
    "an object in an object": (
        """
class Inner:
    def __init__(self, v):
        self.v = v
    def bump(self):
        self.v += 1
        return self
class Outer:
    def __init__(self, inner, own):
        self.inner = inner
        self.own = Inner(own)
    def go(self, k):
        self.inner.v *= k
        self.own.v += self.inner.v
        return self.inner.v
def touch(inner, k):
    inner.bump()
    inner.bump()
    return inner.v + k
""",
        """
i = same = Inner(x)
o = Outer(i, n)
also = o.inner
also.v += n
i.v += 10
a = o.go(n)
i.bump()
b = touch(o.inner, 3) + touch(same, 4)
return a * 10000 + b * 100 + i.v + o.inner.v + o.own.v
""",
    ),
    "inheritance": (
        """
class Base(ABC):
    SCALE = 5
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.setup()
    def setup(self):
        self.b = 1
    @abstractmethod
    def value(self):
        raise NotImplementedError
    def shown(self):
        return self.value() * self.SCALE
class Middle(Base):
    SCALE = 7
    def setup(self):
        super().setup()
        self.b += self.a
    def value(self):
        return self.a + self.b
class Last(Middle):
    def __init__(self, a, c):
        super().__init__(a + 1)
        self.c = c
    def value(self):
        return super().value() - self.c
""",
        "p = Middle(x)\nq = Last(n, x)\nreturn p.shown() * 1000 + q.shown() + q.SCALE + Base.SCALE + p.b",
    ),
    "dataclasses": (
        """
WIDTH = 4
@dataclass
class Params:
    eps: float
    parts: int = 7
    width: int = WIDTH
    out: list = field(default_factory=list)
    KIND: ClassVar[int] = 3
    def __post_init__(self):
        self.half = self.parts / 2
    @property
    def share(self):
        return self.eps * self.half
@dataclass(frozen=True)
class First:
    a: int
    b: int = 2
@dataclass(frozen=True)
class Second(First):
    c: int = 3
    a: int = 9
@dataclass
class Named:
    a: int = field(default=1, kw_only=True)
    b: int = 5
""",
        """
p = Params(eps, width=n)
s = Second()
t = Second(x, c=n)
u = Named(n, a=x)
p.out.append(s.a)
p.parts += 1
if p.out[0] == 9:
    p.parts += p.KIND
return p.share + p.parts + p.width + s.a * 10 + s.b + s.c + t.a * 100 + t.b + t.c + u.a - u.b
""",
    ),
    "named tuples": (
        """
Pair = namedtuple("Pair", "left right")
Trip = NamedTuple("Trip", [("km", float), ("zone", int)])
class Point(NamedTuple):
    a: int
    b: int = 2
    def total(self):
        return self.a + self.b
def swapped(p):
    return Pair(right=p.right, left=p.left) if p.left > 2 else Pair(left=p.right, right=p[0])
""",
        """
p = Pair(x, n)
q = swapped(Pair(n, x))
r = Point(n)
kept = []
for i in range(3):
    r = Point(r.b, i) if i != n else r
    kept.append(r)
u, v = q
t = 0
for k in kept:
    t = t * 7 + k.total() + k.a
if p == (5, 2) or r == Point(2, 1):
    t += 1
return t + u * 1000 + v * 100 + len(p) + p.right + kept[1].b + Trip(1, 2).zone
""",
    ),
    "lists": (
        """
class Store:
    def __init__(self, limit):
        self.items = []
        self.limit = limit
        self.last = None
    def put(self, item):
        if len(self.items) < self.limit:
            self.items.append(item)
            self.last = item
        return len(self.items)
    def __repr__(self):
        return "store"
class Reader:
    def __init__(self, data):
        self.data = data
    def total(self):
        t = 0
        for item in self.data:
            t = t * 3 + item
        return t
""",
        """
s = Store(3)
xs = [x]
r = Reader(xs)
for i in range(n):
    s.put(i + x)
    xs.append(i)
t = r.total()
r.data.append(7)
for i in range(2):
    s.items = [i]
    s.put(x)
return t * 1000 + r.total() + len(s.items) + s.items[0] + (0 if s.last is None else s.last) + len(xs)
""",
    ),
    "a budget": (
        """
class BudgetError(ValueError):
    pass
class Budget:
    def __init__(self, total):
        if total <= 0:
            raise BudgetError("total")
        self.left = total
    def spend(self, amount):
        if amount > self.left:
            raise BudgetError(f"{amount} of {self.left}")
        self.left -= amount
        return amount
""",
        "b = Budget(n)\na = b.spend(1)\nb.spend(2)\nif n > 4:\n    a += b.spend(2)\nreturn x + a + b.left",
    ),
}


def text_of(classes: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    return IMPORTS + classes + "\n" + MECHANISM + lines


def read(classes: str, body: str) -> ir.Mechanism:
    (mechanism,) = read_source(text_of(classes, body), "p.py")
    check(mechanism)
    return mechanism


@pytest.mark.parametrize(("classes", "body"), PROGRAMS.values(), ids=PROGRAMS)
def test_objects_are_python_s(classes: str, body: str) -> None:
    mechanism = read(classes, body)
    returned = 0
    for x, n, eps in itertools.product((-2, 5), range(6), (1, 2)):
        inputs: dict[str, Any] = {"x": x, "n": n, "eps": eps}
        run = Run(mechanism, inputs, _none())
        try:
            expected = run_python(text_of(classes, body), "f", inputs, _none())
        except ValueError:
            if run.at(mechanism.requires):
                with pytest.raises(Stuck):
                    run.output()
        else:
            assert run.output() == (expected,)
            returned += 1
    assert returned > 10


def _none() -> Iterator[int]:
    return iter(())


A = "class A:\n    def __init__(self, v):\n        self.v = v\n    def put(self, v):\n        self.v = v\n"
LISTS = "class A:\n    def __init__(self, v):\n        self.v = v\n"
REFUSED = {
    "an object that a library calls": (
        "class A:\n    def __call__(self, y):\n        return y\n",
        "return sum(map(A(), [x, n]))",
        Refusal.UNSUPPORTED_CALL,
    ),
    "an attribute without a slot": (
        "class A:\n    __slots__ = ('v',)\n    def __init__(self, v):\n        self.v = v\n"
        "    def g(self):\n        self.w = 1\n        return self.v\n",
        "return A(x).g()",
        None,
    ),
    "an attribute without a slot of a dataclass": (
        "@dataclass(slots=True)\nclass A:\n    v: int\n"
        "    def g(self):\n        self.w = 1\n        return self.v\n",
        "return A(x).g()",
        None,
    ),
    "one of two objects": (A, "a = A(x) if n > 2 else A(n)\nreturn a.v", Refusal.MIXED_TYPES),
    "a name that is assigned twice": (A, "a = A(x)\nif n > 2:\n    a = A(n)\nreturn a.v", Refusal.ALIASING),
    "a name that is a parameter": (A, "n = A(x)\nreturn n.v", Refusal.ALIASING),
    "objects in a list": (A, "a = A(x)\nxs = []\nxs.append(a)\nreturn 1", None),
    "an object in a tuple": (A, "a = A(x)\nt = (a, 1)\nreturn 1", Refusal.ALIASING),
    "an object is returned": (A, "return A(x)", Refusal.UNSUPPORTED_OUTPUT),
    "objects are compared": (A, "a = A(1)\nb = A(1)\nreturn 1 if a == b else x", Refusal.WRONG_TYPE),
    "identity": (A, "a = A(1)\nreturn 1 if a is a else x", None),
    "equality of one's own": (
        "class A:\n    def __eq__(self, other):\n        return True\n",
        "a = A()\nreturn 1 if a == 2 else x",
        Refusal.WRONG_TYPE,
    ),
    "truth of one's own": (
        "class A:\n    def __bool__(self):\n        return False\n",
        "a = A()\nreturn 1 if a else x",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a length of one's own": (
        "class A:\n    def __len__(self):\n        return 0\n",
        "a = A()\nreturn 1 if a else x",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "attributes of one's own": (
        "class A:\n    def __getattr__(self, name):\n        return 0\n",
        "a = A()\nreturn a.v",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "objects of another class": (
        "class A:\n    def __new__(cls):\n        return 3\n",
        "a = A()\nreturn x",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a metaclass": ("class A(metaclass=type):\n    pass\n", "return x", Refusal.UNSUPPORTED_CONSTRUCT),
    "a base that is not known": ("class A(int):\n    pass\n", "return x", Refusal.UNSUPPORTED_CONSTRUCT),
    "an attribute of the class is assigned": (
        "class A:\n    V = 1\n    def put(self):\n        self.V = 5\n",
        "a = A()\na.put()\nreturn A.V",
        None,
    ),
    "by an object, where another object has it of the class": (
        "class A:\n    V = 1\n    def put(self):\n        self.V = 5\n",
        "a = A()\nb = A()\na.put()\nreturn b.V",
        None,
    ),
    "in a function": (A + "def g():\n    A.W = 5\n", "return x", Refusal.UNSUPPORTED_CONSTRUCT),
    "by a class method": (
        "class A:\n    V = 1\n    @classmethod\n    def put(cls):\n        cls.V = 5\n",
        "return x",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "by a method that is called on a class": (
        A + "class B:\n    v = 1\ndef g():\n    A.put(B, 5)\n",
        "return B().v",
        Refusal.ALIASING,
    ),
    "by a method that is called on its class": (
        "class B:\n    v = 1\n    @classmethod\n    def go(cls):\n        A.put(cls, 5)\n" + A,
        "return B().v",
        Refusal.ALIASING,
    ),
    "by a method that is called on a module": (
        "import math\nclass A:\n    def put(self):\n        self.exp = 5\ndef g():\n    A.put(math)\n",
        "return math.exp(2) + x",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a method is replaced": (
        "class A:\n    def v(self):\n        return 1\n    def put(self):\n        self.v = 5\n",
        "a = A()\na.put()\nreturn a.v()",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "setattr": (A, "a = A(x)\nsetattr(a, 'v', 3)\nreturn a.v", Refusal.UNSUPPORTED_NAME),
    "a class in a place of a module": ("A = 3\n" + A, "return x", Refusal.DEFINED_TWICE),
    "a class behind its use": ("def g(v=A):\n    return v\n" + A, "return x", Refusal.USED_BEFORE_DEFINED),
    "a default that changes": (
        "class A:\n    def __init__(self, v=[]):\n        self.v = v\n",
        "a = A()\na.v.append(x)\nreturn len(A().v)",
        Refusal.UNSUPPORTED_LIST,
    ),
    "a list of the class": ("class A:\n    V = []\n", "a = A()\na.V.append(x)\nreturn x", None),
    "a value of the class by the name of another": (
        "V = 1\nclass A:\n    V = 2\n    W = V\n",
        "return A().W",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a default by the name of another": (
        "V = 1\nclass A:\n    V = 2\n    def get(self, v=V):\n        return v\n",
        "return A().get()",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a field in the place of a property": (
        "class A:\n    @property\n    def v(self):\n        return 1\n@dataclass\nclass B(A):\n"
        "    v: int = 2\n",
        "return B().v",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "an attribute without a value": (
        "class A:\n    def put(self):\n        self.v = 1\n",
        "a = A()\nif n > 2:\n    a.put()\nreturn a.v",
        Refusal.NOT_ASSIGNED,
    ),
    "an attribute of a branch": (
        "class A:\n    def __init__(self, n):\n        if n > 2:\n            self.v = 1\n",
        "a = A(n)\nreturn a.v",
        Refusal.NOT_ASSIGNED,
    ),
    "no such attribute": (A, "a = A(x)\nreturn a.w", Refusal.UNKNOWN_NAME),
    "no such method": (A, "a = A(x)\na.w()\nreturn 1", Refusal.UNSUPPORTED_CALL),
    "a list under two names": (
        LISTS,
        "xs = [x]\na = A(xs)\nxs = [n]\nreturn a.v[0]",
        Refusal.ALIASING,
    ),
    "a list that a sum makes anew": (
        LISTS,
        "xs = [x]\na = A(xs)\nxs = xs + [n]\nreturn len(a.v)",
        Refusal.ALIASING,
    ),
    "an attribute that gets another list": (
        LISTS,
        "xs = [x]\na = A(xs)\na.v = [n]\nreturn len(a.v)",
        Refusal.ALIASING,
    ),
    "a list of an object under a second name": (
        "class A:\n    def __init__(self):\n        self.v = []\n    def get(self):\n        return self.v\n",
        "a = A()\nb = a.get()\na.v = [n]\nreturn len(b)",
        Refusal.ALIASING,
    ),
    "a list by a branch": (
        "class A:\n    def __init__(self, p, q, n):\n        if n > 2:\n            self.v = p\n"
        "        else:\n            self.v = q\n",
        "p = [1]\nq = [x]\na = A(p, q, n)\nreturn len(a.v)",
        Refusal.ALIASING,
    ),
    "a property that changes the object": (
        "class A:\n    def __init__(self):\n        self.v = 0\n    @property\n    def w(self):\n"
        "        self.v += 1\n        return self.v\n",
        "a = A()\nreturn x + a.w",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a frozen object changes": (
        "@dataclass(frozen=True)\nclass A:\n    v: int\n    def put(self):\n        self.v = 3\n",
        "a = A(x)\na.put()\nreturn a.v",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a named tuple changes": (
        "class A(NamedTuple):\n    v: int\n    def put(self):\n        self.v = 3\n",
        "a = A(x)\na.put()\nreturn a.v",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
    "a field without a default behind one": (
        "@dataclass\nclass A:\n    v: int = 1\n    w: int\n",
        "return A(1, 2).w",
        Refusal.WRONG_CALL,
    ),
    "a missing argument": ("@dataclass\nclass A:\n    v: int\n", "return A().v", Refusal.WRONG_CALL),
    "another decorator of a class": (
        "@wild\nclass A:\n    v = 1\n",
        "return x",
        Refusal.UNSUPPORTED_DECORATOR,
    ),
    "another decorator of a method": (
        "class A:\n    @wild\n    def v(self):\n        return 1\n",
        "return x",
        Refusal.UNSUPPORTED_DECORATOR,
    ),
    "what a class body runs": ("class A:\n    for i in range(3):\n        pass\n", "return x", None),
    "a call in a class body": ("class A:\n    v = print(1)\n", "return x", Refusal.UNSUPPORTED_CONSTRUCT),
    "super outside of a class": ("def g(a):\n    super().__init__()\n" + A, "g(A(1))\nreturn x", None),
    "names of a tuple are lost": (
        "P = namedtuple('P', 'a b')\nQ = namedtuple('Q', 'b a')\n",
        "p = P(x, n)\nif n > 2:\n    p = Q(n, x)\nreturn p.a",
        Refusal.UNSUPPORTED_CONSTRUCT,
    ),
}


@pytest.mark.parametrize(("classes", "body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(classes: str, body: str, code: Refusal | None) -> None:
    with pytest.raises(ProgramError) as caught:
        read(classes, body)
    assert code in (None, caught.value.code)
    assert caught.value.line is not None


def test_a_class_that_no_mechanism_uses_hides_none() -> None:
    classes = "class A:\n    def __eq__(self, other):\n        return True\nclass B(Exception):\n    pass\n"
    assert read(classes, "return x").name == "f"


def test_a_named_tuple_is_returned_as_a_tuple() -> None:
    named = read("P = namedtuple('P', 'a b')\n", "return P(x, n)")
    plain = read("", "return (x, n)")
    assert named.output == plain.output
    assert named.body[-1] == ir.Return(plain.body[-1].values, (), named.body[-1].span)  # type: ignore[union-attr]


def test_each_object_of_a_place_is_its_own() -> None:
    classes = (
        "class A:\n    def __init__(self, v):\n        self.v = v\ndef make(v):\n    a = A(v)\n    return a\n"
    )
    mechanism = read(classes, "a = make(x)\nb = make(n)\na.v += 1\nreturn a.v * 100 + b.v")
    assert Run(mechanism, {"x": 1, "n": 2, "eps": 1}, _none()).output() == (202,)


LAYERS = (
    "class Layer:\n    def __init__(self, inner, more):\n"
    "        self.inner = inner\n        self.more = more\n"
    "    def run(self, x):\n        return self.more + self.inner.run(x)\n"
    "class Last:\n    def run(self, x):\n        return 2 * x\n"
)


def test_a_method_may_call_itself_of_another_object() -> None:
    mechanism = read(LAYERS, "a = Layer(Layer(Layer(Last(), 100), 10), n)\nreturn a.run(x)")
    assert Run(mechanism, {"x": 3, "n": 1, "eps": 1}, _none()).output() == (117,)


def test_a_method_that_makes_objects_without_end_is_refused() -> None:
    endless = "class A:\n    def run(self, x):\n        return A().run(x)\n"
    with pytest.raises(ProgramError) as caught:
        read(endless, "return A().run(x)")
    assert caught.value.code in (Refusal.PROGRAM_TOO_LARGE, Refusal.RECURSION)
