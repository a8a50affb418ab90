"""What the naive interpreter says that Python does is what CPython does."""

# ruff: noqa: E501 -- a program a line

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import Any

import pytest

from synth.validation.interpreter import Interpreter
from synth.validation.outputs import canonical
from synth.validation.scopes import parsed
from synth.validation.values import Member, NotComputed, Raised

SNIPPETS = {
    "precedence": "return 2 + 3 * -2 ** 2 // 5 % 4",
    "floors": "return [(a // b, a % b) for a in (-7, 7) for b in (2, -2)], divmod(-7, 2), -7.5 // 2, -7.5 % 2",
    "halves to even": "return [round(v) for v in (0.5, 1.5, 2.5, -0.5, 2.4999)], round(2.675, 1)",
    "truncation": "import math\nreturn int(-1.5), math.floor(-1.5), math.ceil(-1.5), math.trunc(1.5)",
    "numbers of another type": "return True == 1 == 1.0, {1: 'a', True: 'b', 1.0: 'c'}, [1, True].count(1), 1.0 in [1]",
    "short circuits": "out = []\ndef g(v):\n    out.append(v)\n    return v\ng(0) and g(1)\ng(2) or g(3)\n1 < g(0) < g(5)\nreturn out",
    "the last of and": "return (3 and 0.0), (0 or []), not [], (x and 'a' or 'b')",
    "a list under two names": "a = [1]\nb = a\nb += [2]\nb = b + [3]\na.append(9)\nreturn a, b",
    "tuples aren't lists": "return (1, 2) == [1, 2], (1,) + (2,), [0] * 3, 'ab' * 2",
    "slices": "a = list(range(6))\nreturn a[1:-1], a[::-1], a[:2], a[-2:], a[5:1:-2], (1, 2, 3)[1:]",
    "slices assigned": "a = [1, 2, 3, 4]\na[1:3] = [9]\ndel a[0]\nreturn a",
    "negative indices": "return [1, 2, 3][-1], 'abc'[-2]",
    "unpacking": "a, (b, *c), d = 1, (2, 3, 4), 5\n[e, f] = c\nreturn a, b, c, d, e, f",
    "an index is evaluated once": "out = [0, 0]\ndef at():\n    out.append(1)\n    return 0\nout[at()] += 5\nreturn out",
    "while else": "n = 0\nwhile n < 3:\n    n += 1\nelse:\n    n = 10\nreturn n",
    "for else and break": "for v in range(5):\n    if v == 3: break\nelse:\n    v = 9\nreturn v",
    "continue": "t = 0\nfor v in range(5):\n    if v % 2: continue\n    t += v\nreturn t",
    "a list that grows in its loop": "a = [1, 2]\nfor v in a:\n    if len(a) < 5: a.append(v)\nreturn a",
    "loop variables stay": "for i in range(3): pass\nreturn i, [i for i in range(9)][-1], i",
    "comprehensions": "return [(a, b) for a in range(3) if a for b in range(a)], sorted({v % 2 for v in range(4)}), {k: k * k for k in (1, 2)}",
    "closures see what is there later": "fs = [lambda: k for k in range(3)]\nreturn [f() for f in fs]",
    "defaults are of the definition": "k = 1\ndef g(v=k):\n    return v\nk = 2\nreturn g()",
    "defaults are one object": "def g(v, seen=[]):\n    seen.append(v)\n    return len(seen)\nreturn g(1), g(1)",
    "nonlocal": "n = 0\ndef up():\n    nonlocal n\n    n += 1\n    return n\nreturn up(), up(), n",
    "arguments": "def g(a, b=2, *c, d=4, **e):\n    return a, b, c, d, e\nreturn g(1), g(1, 3, 5, d=0, k=7), g(*[1, 2], **{'d': 3})",
    "unbound": "try:\n    if x > 99: y = 1\n    y\nexcept NameError:\n    return 'unbound'",
    "raising": "try:\n    [][1]\nexcept (KeyError, IndexError) as error:\n    return 'index'\nfinally:\n    x = 3",
    "finally wins": "def g():\n    for v in range(3):\n        try:\n            return v\n        finally:\n            break\n    return 9\nreturn g()",
    "dividing": "try:\n    return 1 // 0\nexcept ZeroDivisionError:\n    return -1\nelse:\n    return 0",
    "exceptions of the program": "class E(ValueError): pass\ntry:\n    raise E('a')\nexcept ValueError:\n    return 1",
    "extremes": "return max([1, 3, 3.0]), min(2, True), max('b', 'a'), max([], default=0), min([3, 1], key=lambda v: -v)",
    "sorting": "return sorted([3, 1, 2], reverse=True), sorted([(1, 'b'), (1, 'a')]), sorted([1, -2], key=abs), sorted([2, 2.0, 1])",
    "sorting is stable backwards": "return sorted([(1, 'a'), (0, 'b'), (1, 'c')], key=lambda p: p[0], reverse=True)",
    "iterators are used up": "it = iter([1, 2, 3])\nreturn next(it), sum(it), list(it), next(it, 'end')",
    "zip takes one more": "a = iter([1, 2, 3])\nb = iter([1])\nlist(zip(a, b))\nreturn list(a)",
    "lazily": "out = []\nany(out.append(v) or v for v in (0, 1, 2))\nreturn out",
    "enumerate and reversed": "return list(enumerate('ab', 1)), list(reversed([1, 2])), list(map(abs, (-1, 2))), list(filter(None, (0, 3)))",
    "dicts": "d = {'a': 1}\nd['b'] = d.get('c', 0)\nd.setdefault('a', 7)\nd |= {'z': 2}\nreturn list(d.items()), 'a' in d, d.pop('a'), len(d)",
    "counting": "from collections import Counter, defaultdict\nc = Counter([1, 1, 2])\nd = defaultdict(list)\nd[0].append(1)\nreturn c[1], c[9], c.most_common(1), d[0], len(d[5]), len(d)",
    "in place changes one object": "def g(v):\n    v += [1]\na = []\ng(a)\nreturn a",
    "identity": "a = []\nreturn a is a, a is [], None is None, True is (1 == 1)",
    "chained comparison": "return 1 < 2 < 3, 3 > 2 == 2, (1 < 3) < 2",
    "conditional": "return 'a' if x else 'b', [1, 2][x > 0]",
    "named expressions": "if (n := len([1, 2])) > 1: pass\nreturn n, [y := 3, y * 2], y",
    "matching": "def g(v):\n    match v:\n        case 0 | 1: return 'low'\n        case (a, b): return a + b\n        case _: return 'other'\nreturn g(1), g((2, 3)), g('q')",
    "text": "return 'a' + 'b', 'A'.lower(), f'{3}{True}', 'x' < 'y', 'a,b'.split(','), ''.join(['a', 'b'])",
    "generators": "seen = []\ndef g(n):\n    for k in range(n):\n        seen.append(k)\n        if k == 2: continue\n        yield k\n    else:\n        yield from (7, 8)\n    while n > 0:\n        n -= 1\n        yield\n        if n == 1: return\nit = g(4)\nreturn next(it), list(seen), [*it], seen, sum(g(1) for _ in ()), list(g(0))",
    "a generator that ends early": "def g():\n    yield 1\n    next(iter([]))\ntry:\n    return list(g())\nexcept RuntimeError:\n    return 'ended'",
    "annotations of inner functions": "try:\n    def g(v: nowhere): return v\nexcept NameError:\n    return 'name'",
    "types of inner functions": "def g(v: list[int] | None, *w: 'nowhere', u: float = 1.5) -> tuple[int, ...]:\n    return v, w, u\nreturn g(1, 2)",
    "a type of a number": "try:\n    def g(v: float[3]): return v\nexcept TypeError:\n    return 'type'",
    "annotations of variables are not evaluated": "v: nowhere = 1\nreturn v",
    "an order by an integer": "try:\n    return sorted([1, 2], reverse=2), sorted([2, 1], reverse=None)\nexcept TypeError:\n    return 'type'",
    "what a module lacks": "import math, random\ntry:\n    math.shown\nexcept AttributeError:\n    return hasattr(math, 'exp') if False else 'no'",
    "places in lists": "import bisect as b\nxs = [1, 2, 2, 3]\nreturn [(b.bisect(xs, v), b.bisect_left(xs, v), b.bisect_right(xs, v)) for v in (0, 1, 2, 2.5, 3, 4)], b.bisect([3, 1, 2], 1), b.bisect_left([3, 1, 2], 2)",
    "of statistics, itertools and operator": "import statistics as s, itertools as i, operator as o, math\nreturn s.mean([1, 3]), s.mean([1, 2]), s.median([3, 1]), s.median_low([3, 1]), s.median_high([4, 3, 1]), list(i.pairwise([1, 2, 3])), list(i.zip_longest([1], [2, 3], fillvalue=0)), list(i.repeat(2, 2)), o.lt(1, 2), o.neg(3), math.prod([2, 3], start=2)",
    "walrus in a loop": "t = 0\nwhile (t := t + 1) < 4: pass\nreturn t",
}

CLASSES = """
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

class Base:
    K = 2
    seen = []
    def __init__(self, v):
        self.v = v
    @property
    def twice(self):
        return self.K * self.v
    @staticmethod
    def plain(a):
        return a + 1
    @classmethod
    def make(cls, v):
        return cls(v + cls.K)
    def __call__(self, a):
        return a + self.v
    def __eq__(self, other):
        return self.v == other.v
    def __add__(self, other):
        return self.v + other
    def __getitem__(self, i):
        return i * 2
    def __len__(self):
        return 0

class Sub(Base):
    K = 3
    def __init__(self, v):
        super().__init__(v * 10)
        self.seen.append(v)

@dataclass(order=True)
class Row:
    a: int
    b: list = field(default_factory=list)
    def total(self):
        return self.a + sum(self.b)

@dataclass(frozen=True)
class Fixed:
    a: int = 1

class Pair(NamedTuple):
    x: int
    y: int = 5
    def swapped(self):
        return Pair(self.y, self.x)

class Color(Enum):
    RED = 1
    GREEN = auto()
    ALSO = 1
"""

OBJECTS = {
    "attributes": "b = Base(3)\nb.w = b.v\nreturn b.twice, b.w, Base.K, b.K, Base.plain(1), b.plain(2)",
    "inherited": "s = Sub.make(1)\nreturn s.v, s.twice, isinstance(s, Base), Base.seen, type(s) is Sub",
    "an attribute of the object hides the class's": "b = Base(1)\nb.K = 7\nreturn b.K, Base(1).K, b.twice",
    "special methods": "b = Base(3)\nreturn b(1), b == Base(3), b + 1, b[4], bool(b), [Base(3)].index(b)",
    "one list of the class": "Sub(1)\nSub(2)\nreturn Base.seen, Sub.seen is Base.seen",
    "dataclasses": "r, s = Row(1), Row(1)\nr.b.append(2)\nreturn r.total(), s.b, r == s, r > s, Row(2, [1]) == Row(2, b=[1])",
    "frozen": "try:\n    Fixed().a = 2\nexcept AttributeError:\n    return Fixed().a",
    "named tuples": "p = Pair(1)\nq, r = p.swapped()\nreturn p.x, q, r, p[1], len(p), p == (1, 5), p < (2, 0)",
    "members": "return Color.RED is Color.ALSO, Color.GREEN.value, Color(1), Color['GREEN'], len(list(Color)), Color.RED == 1",
    "a missing attribute": "try:\n    return Base(1).nothing\nexcept AttributeError:\n    return getattr(Base(1), 'nothing', 4)",
    "private names": "class A:\n    __k = 3\n    def __init__(self, __v):\n        self.__v = __v + self.__k\n    def __get(self):\n        return self.__v\n    def get(self):\n        return self.__get(), A.__k, '__v' in ['_A__v']\nreturn A(1).get(), A(2)._A__v, A(0)._A__get()",
    "a shared None": "Base.none = None\nreturn Base(1).none is None, Base.none, [1, 2, 1].index(2), [3, 3].count(3)",
    "bound methods are kept": "b = Base(1)\nf = b.__call__\nb.v = 5\nreturn f(1)",
}


def interpreted(text: str, **given: Any) -> Any:
    """What the interpreter says that ``f`` gives."""
    run = Interpreter(lambda shares: shares[0][0], 20_000, {})
    scope = run.module(parsed(text))
    return canonical(run.call(scope.module["f"], [], given))


def executed(text: str, **given: Any) -> Any:
    """What CPython says: with strings and members of Enums as the interpreter shows them."""
    names: dict[str, Any] = {"__name__": "tried"}
    exec(compile(text, "<tried>", "exec", dont_inherit=True), names)
    return canonical(_plain(names["f"](**given)))


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return Member(type(value).__name__, value.name, value.value)
        case list():
            return [*map(_plain, value)]
        case tuple():
            return tuple(map(_plain, value))
        case dict():
            return {_plain(key): _plain(item) for key, item in value.items()}
    return value


def function(body: str) -> str:
    return "def f(x):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("x", [0, 2])
@pytest.mark.parametrize("name", SNIPPETS)
def test_statements_do_what_they_do_in_python(name: str, x: int) -> None:
    text = function(SNIPPETS[name])
    assert interpreted(text, x=x) == executed(text, x=x)


@pytest.mark.parametrize("name", OBJECTS)
def test_classes_do_what_they_do_in_python(name: str) -> None:
    text = CLASSES + function(OBJECTS[name])
    assert interpreted(text, x=1) == executed(text, x=1)


ARRAYS = {
    "entries": "a = np.array([1, 2, 3])\nreturn a[1], a[-1], len(a), a.sum(), (a * 2)[0], a / 2",
    "masks": "a = np.array([1.5, -2.0, 0.0])\nreturn a[a > 0], np.where(a > 0, a, 0), (a > 0).sum(), np.abs(a)",
    "types": "a = np.zeros(3, dtype=int)\na[0] = 2.7\nb = np.array([1, 2.5])\nreturn a, b, a.astype(float) + b.sum(), a.tolist()",
    "views aren't copies": "a = np.array([1, 2, 3])\nb = a.copy()\nb[0] = 9\nreturn a, b",
    "places among entries": "a = np.array([1.0, 2.0, 2.0, 3.0])\nreturn [(int(np.searchsorted(a, v)), int(np.searchsorted(a, v, side='right'))) for v in (0, 1, 2, 2.5, 3, 4)], int(np.searchsorted(a[:0], 1))",
    "reductions": "a = np.array([3.0, 1.0, 2.0])\nreturn a.mean(), np.max(a), np.argmax(a), np.argmin(a), np.cumsum(a), np.sort(a), np.median(a)",
    "by entry": "a = np.array([4.0, 2.25])\nreturn np.sqrt(a), np.floor(a), np.clip(a, 3, 3.5), np.maximum(a, 3), np.sign(-a), np.square(a)",
    "two dimensions": "m = np.array([[1, 2], [3, 4]])\nreturn m[1], m[1, 0], m[:, 1], m.sum(), len(m)",
    "made": "return np.arange(3), np.ones(2), np.full(2, 7), np.concatenate([np.arange(2), [5]]), np.diff(np.array([1, 4, 9]))",
    "counts": "a = np.array([1, 0, 1])\nreturn np.bincount(a), np.bincount(a, minlength=4), np.histogram([0, 0.5, 2, 3], bins=2, range=(0, 2))[0], np.histogram([0, 0.5, 2, 3, 3], bins=[0, 0.5, 2, 3]), np.histogram([1, 2, 2], np.array([2, 2]))[0], np.size(a), np.logical_and(a > 0, True), np.logical_xor(a > 0, True), np.logical_not(a)",
    "rounded": "a = np.array([0.5, 1.5, -2.5])\nreturn np.round(a), a.round(), np.round(2.5), np.array([3]).round(), np.linalg.norm(np.array([3.0, 4.0])), np.linalg.norm(a, 1), np.linalg.norm(a, ord=1)",
    "joined": "a = np.array([1, 2])\nreturn np.hstack([a, a]), np.tile(a, 2), np.full_like(a, 7), np.linspace(0, 1, 5), np.std(np.array([1, 3])), np.average(a), a.std(), np.array([3]).item(), np.add(a, 1)",
    "truth values as indices": "for g in (lambda: [1, 2][np.array([1])[0] > 0], lambda: [1][: np.array([1])[0] > 0], lambda: len(range(np.array([1])[0] > 0))):\n    try:\n        g()\n    except TypeError:\n        continue\n    return g()\nreturn 0",
    "in place": "a = np.array([1.0, 2.0])\nb = a\nb += 1\nreturn a, b",
    "truth": "a = np.array([0])\ntry:\n    return bool(np.array([1, 2]))\nexcept ValueError:\n    return bool(a)",
    "unlike lengths": "try:\n    return np.array([1, 2]) + np.array([1, 2, 3])\nexcept ValueError:\n    return 0",
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_do_what_they_do_in_numpy(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    text = "import numpy as np\n" + function(ARRAYS[name])
    names: dict[str, Any] = {}
    exec(compile(text, "<tried>", "exec", dont_inherit=True), names)
    assert interpreted(text, x=1) == canonical(_of_numpy(names["f"](1), numpy))


def _of_numpy(value: Any, numpy: Any) -> Any:
    if isinstance(value, numpy.ndarray | numpy.generic):
        return value.tolist()
    return tuple(_of_numpy(item, numpy) for item in value) if isinstance(value, tuple) else value


NOT_COMPUTED = [
    "return eval('1')",
    "return open('/etc/passwd')",
    "import os\nreturn os.getcwd()",
    "return ().__class__.__bases__",
    "return (lambda: 0).__globals__",
    "return [v for v in range(10**9)]",
    "a = [0]\nfor v in range(60): a += a\nreturn len(a)",
    "return 'a' * 10**9",
    "return 2 ** 10**9",
    "def g(n):\n    return g(n + 1)\nreturn g(0)",
    "while True: pass",
    "n = 3\nfor v in range(90): n = n * n\nreturn n",
    "return '{0.__class__}'.format(1)",
    "return getattr(x, '__class__')",
    "return list({'a', 'b'})",
    "import numpy as np\na = [1]\na += np.ones(1)\nreturn a",
    "import numpy as np\nreturn np.int64(x) == (1,)",
    "import numpy as np\nreturn np.exp(x=0)",
    "import numpy as np\nreturn np.random.default_rng().shown",
    "def g():\n    v = yield 1\n    return v\nreturn list(g())",
]


@pytest.mark.parametrize("body", NOT_COMPUTED)
def test_what_is_not_known_or_too_long_is_not_computed(body: str) -> None:
    with pytest.raises(NotComputed):
        interpreted(function(body), x=1)


def test_what_the_program_raises_is_told() -> None:
    with pytest.raises(Raised) as told:
        interpreted(function("return [1][x]"), x=1)
    assert told.value.value.type is IndexError


def test_floats_are_exact() -> None:
    assert interpreted(function("return 0.1 + 0.2 == 0.3"), x=Fraction(0)) == 1.0
