"""Programs that were read as others than Python runs: each is refused now, or read as it is."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout
from typing import Any

import pytest

from synth.trusted.frontend.reader import read_source
from synth.validation.core_laws import followed_core
from synth.validation.ways import STILL
from tests.support.real_runs import Misread, compare

IMPORTS = """from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple
import random
import numpy as np
import numpy.typing as npt
from synth.lang import *
"""

COUNTING = """
class Count:
    def __init__(self, start):
        self.at = start
        self.up = False
    def next(self):
        self.at += 1
        self.up = True
        return self.at
"""

HOLDING = """
class Holder:
    def __init__(self, xs):
        self.xs = xs
"""

TOTAL = """
def total(values, gone):
    s = 0
    for v in values:
        s += v
    return s
"""

PROGRAMS = {
    "a parameter by position only that a loop over counts changes": """
def f(x: int, /, data: list[int], k: int):
    counts = [0] * k
    for v in data:
        counts[k - 1] += x
        x = 1
    return sum(counts)
""",
    "a star before a property that draws": """
class Drawn:
    @property
    def pair(self):
        ks = []
        ks.append(random.choice([0, 1]))
        return (ks[0], ks[0])
def both(p, q):
    return (p, q)
def f(x: int):
    drawn = Drawn()
    return both(*drawn.pair)
""",
    "an entry of a list that an object has, too": f"""{HOLDING}
def f(x: int):
    ys = [1, 2]
    h = Holder(ys)
    ys[0] = x
    return h.xs[0]
""",
    "an object that is initialized again in a branch": f"""{HOLDING}
def f(x: int):
    ys = [1]
    zs = [2]
    h = Holder(ys)
    if x > 0:
        h.__init__(zs)
    return h.xs[0]
""",
    "a base that is initialized twice": f"""{HOLDING}
class Chosen(Holder):
    def __init__(self, ys, zs, x):
        super().__init__(ys)
        if x > 0:
            super().__init__(zs)
def f(x: int):
    ys = [1]
    zs = [2]
    return Chosen(ys, zs, x).xs[0]
""",
    "an attribute that another object of the class has for sure": """
class Holder:
    def __init__(self, flag, xs):
        if flag:
            self.xs = xs
def f(x: int):
    one = Holder(True, [1])
    return Holder(x > 0, [2]).xs[0]
""",
    "reversed beside pop": f"""{TOTAL}
def f(x: int):
    ys = [x, 2, 3]
    return total(reversed(ys), ys.pop())
""",
    "a generator over reversed beside pop": f"""{TOTAL}
def f(x: int):
    ys = [x, 2, 3]
    return total((v for v in reversed(ys)), ys.pop())
""",
    "reversed in zip beside pop": """
def f(x: int):
    ys = [x, 2, 3]
    s = 0
    for v, w in zip(reversed(ys), [ys.pop(), 1]):
        s += v * w
    return s
""",
    "reversed in enumerate beside pop": """
def f(x: int):
    ys = [x, 2, 3]
    s = 0
    for i, v in enumerate(reversed(ys), ys.pop()):
        s += v * i
    return s
""",
    "an order that changes while the entries are computed": f"""{COUNTING}
def f(x: int):
    c = Count(x)
    return sorted((c.next() for _ in range(3)), reverse=c.up)
""",
    "an entry of an array that a nested function assigns": """
def f(x: int):
    ys = np.zeros(2)
    def put(i):
        ys[i] = x
    if len(ys) > 0:
        put(0)
    return ys
""",
    "an entry of a list that a nested function assigns": """
def f(x: int):
    ys = [v for v in range(3)]
    def put(i):
        ys[i] = x
    put(0)
    return ys
""",
    "a type that is called like ClassVar": """
@dataclass
class Pair:
    a: "NotClassVar" = 0
    b: int = 0
def f(x: int):
    return Pair(x).a
""",
    "ClassVar by another name": """
from typing import ClassVar as Shared
@dataclass
class Pair:
    a: Shared[int] = 0
    b: int = 0
def f(x: int):
    return Pair(x).a
""",
    "ClassVar in quotes, with annotations that are not evaluated": """from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar
from synth.lang import *
@dataclass
class Pair:
    a: "ClassVar[int]" = 0
    b: int = 0
def f(x: int):
    return Pair(x).a
""",
    "ClassVar in a named tuple": """
class Pair(NamedTuple):
    a: int
    b: "ClassVar[int]" = 3
def f(x: int):
    return 0 if len(Pair(0)) == 1 else x
""",
    "InitVar by another name, in quotes": """
from dataclasses import InitVar as Given
@dataclass
class Pair:
    a: "Given[int]" = 0
def f(x: int):
    return Pair(x).a
""",
    "a list in a tuple in a list": """
def f(x: int):
    ys = []
    ys.append((1, [x]))
    return ys
""",
    "a list in a tuple in a display": """
def f(x: int):
    return [(1, (2, [x]))]
""",
    "a list in a named tuple in a comprehension": """
class Pair(NamedTuple):
    a: int
    b: list[int]
def f(x: int):
    return [Pair(i, [x]) for i in range(2)]
""",
    "a list in a tuple that a generator yields": """
def f(x: int):
    yield (1, [x])
""",
    "one of two tuples with lists, by an index": """
def f(x: int):
    return [(1, [x]), (2, [0])][x % 2]
""",
    "a new list, and then a number under its name": """
def f(x: int):
    v = list((1, 2))
    v = x
    return v
""",
    "a new list that is a number in a branch": """
def f(x: int):
    v = list((x, 1))
    if x > 0:
        v = 1
    return v
""",
    "a new list that is an array in a branch": """
def f(x: int):
    v = [i + 1 for i in range(2)]
    v = list(v)
    if x > 0:
        v = np.array([x])
    return v
""",
    "a new list that is an array of two dimensions in a branch": """
def f(x: int):
    v = list((x, 1))
    if x > 0:
        v = np.zeros((2, 2)) + x
    return v
""",
    "a class that a class method binds anew": """
class Kept:
    K = 3
    @classmethod
    def of(cls, x):
        if x > 0:
            cls = 3
        return cls.K
def f(x: int):
    return Kept.of(x)
""",
    "an attribute that is a label or None": """
class Kept:
    def __init__(self, v):
        self.v = v
def f(x: int):
    kept = Kept("u")
    if x > 0:
        kept.v = None
    return kept.v == "u"
""",
    "a loop over empty tuples": """
def f(x: int):
    n = 0
    for v in sorted(((), ())):
        n += 1
    return n
""",
    "a member of an Enum, by its type": """
from enum import Enum
class Kind(Enum):
    A = 1
    B = 2
def f(x: int):
    kind = Kind.A if x > 0 else None
    return isinstance(kind, Kind)
""",
    "an array that an attribute is in one branch, and None in the other": """
class Kept:
    def __init__(self):
        self.v = None
def f(x: int):
    o = Kept()
    if x > 0:
        o.v = None
    else:
        o.v = np.zeros((2, 2))
    return o.v is None
""",
    "a handler around a try that binds a name": """
K = 5
def f(x: int):
    def g():
        if x > 0:
            y = K
        try:
            try:
                z = 1
            except KeyError:
                pass
        except ValueError as K:
            pass
        return 1
    return g()
""",
    "a uniform draw that is a number in a branch": """
def f(x: int):
    u = random.random()
    if x > 0:
        u = 0.1
    return u < 0.5
""",
    "a field by name only, by a constant": """
FLAG = True
@dataclass
class Pair:
    a: int = field(default=0, kw_only=FLAG)
    b: int = 0
def f(x: int):
    return Pair(x).b
""",
}

BINDING = {
    "a name of what is caught": ("ValueError as K", "pass"),
    "an assignment": ("ValueError", "K = 3"),
    "an import": ("ValueError", "import math as K"),
    "a deletion": ("ValueError", "del K"),
    "a class": ("ValueError", "class K:\n            pass"),
    "an assignment in an expression": ("ValueError", "print(K := 3)"),
}
"""What binds a name where no run comes to: what is caught, and a statement."""

HOMES = {
    "the mechanism": "K = 5\ndef f(x: int):\n{body}",
    "a nested function": "K = 5\ndef f(x: int):\n    def g():\n{inner}\n    return g()\n",
    "a method": "K = 5\nclass A:\n    def g(self, x):\n{inner}\ndef f(x: int):\n    return A().g(x)\n",
}


def _whole(text: str) -> str:
    head = "" if text.startswith("from __future__") else IMPORTS
    return (head + text).replace("def f(", "@mechanism()\ndef f(")


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_refused_or_read_as_it_runs(name: str) -> None:
    compare(_whole(PROGRAMS[name]), random.Random(name))


SHAPELESS = (
    "v = w = lambda: x\nreturn v()",
    "v = w = {1, 2}\nreturn x in v",
    "v = w = random.random()\nreturn v < 0.5",
    "v = w = range(3)\nreturn len(v)",
    "v = w = (1, {'a': x})\nreturn v[0]",
    "d = {'a': (x, {'b': 3})}\nreturn d['a']",
    "def k(v=({'a': 1}, 2)):\n    return v[1]\nreturn k()",
    "v = [(1, 2)]\nv[0] = 0.5\nreturn v",
)


@pytest.mark.parametrize("body", SHAPELESS)
def test_values_without_a_shape_are_refused_with_their_place(body: str) -> None:
    """Some led to an internal error."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    assert compare(_whole(f"def f(x: int):\n{lines}"), random.Random(0)) == "refused"


READ = {
    "3": ("o.v is None", "isinstance(o.v, int)", "(o.v, 1)[1]", "o.v ** 0", "o.v == 'a'"),
    "None": ("o.v is None", "not o.v"),
    "()": ("len(o.v)", "o.v == ()"),
    "(1, 2)": ("len(o.v)", "isinstance(o.v, tuple)"),
    "'u'": ("o.v == 3", "o.v is None"),
    "True": ("o.v is None", "isinstance(o.v, bool)"),
    "np.zeros(2)": ("len(o.v)", "o.v is None", "isinstance(o.v, np.ndarray)"),
    "np.zeros((2, 2))": ("o.v.shape[1]", "o.v is None"),
    "np.array([v for v in range(x)])": ("o.v is None",),
    "random.Random()": ("o.v is None",),
}
"""What an attribute may be, and what may be asked of it without its value."""

SETTING = {
    "in __init__": ("if x > 0:\n            self.v = {value}", "pass"),
    "by a method": ("self.w = x", "if x > 0:\n            self.v = {value}"),
    "in a loop": ("for i in range(x):\n            self.v = {value}", "pass"),
    "where it was None": ("self.v = None", "if x > 0:\n            self.v = {value}"),
}


@pytest.mark.parametrize("setting", SETTING)
@pytest.mark.parametrize("value", READ)
def test_an_attribute_that_may_be_missing_is_asked_for(value: str, setting: str) -> None:
    """Python raises where it isn't there, or finds None, also where the answer needs no value."""
    init, later = (part.format(value=value) for part in SETTING[setting])
    body = f"    def __init__(self, x):\n        {init}\n    def set(self, x):\n        {later}\n"
    for asked in READ[value]:
        run = f"def f(x: int):\n    o = Kept(x)\n    o.set(x)\n    return {asked}\n"
        compare(_whole(f"class Kept:\n{body}{run}"), random.Random(0))


GIVING = {
    "a nested function": "    def g():\n        return w\n",
    "a lambda": "    g = lambda: w\n",
    "a function that calls another": "    first = lambda: w\n    def g():\n        return first()\n",
    "a default": "    def g(a=[3, 1]):\n        return a\n",
}
"""Functions that give back a list that was there before they were called."""

ONCE_MORE = {
    "once": "    v = g()\n",
    "in a branch": "    v = [0]\n    if x > 0:\n        v = g()\n",
    "in a loop": "    v = [0]\n    for i in range(2):\n        v = g()\n",
    "among others": "    v, n = g(), 1\n",
}

CHANGES = ("v[0] = 5", "v.sort()", "v.append(5)", "v += [5]", "v.insert(0, 5)", "w[0] = 5", "w.sort()")


@pytest.mark.parametrize("binding", ONCE_MORE)
@pytest.mark.parametrize("giving", GIVING)
def test_what_a_nested_function_gives_back_may_be_a_list_that_has_a_name(giving: str, binding: str) -> None:
    """It counted as a list that the function made, so that what was changed under one name was lost."""
    for change in CHANGES:
        head = f"def f(x: int):\n    w = [3, x]\n{GIVING[giving]}{ONCE_MORE[binding]}"
        compare(_whole(f"{head}    {change}\n    return w, v, g()\n"), random.Random(0))


def test_a_function_that_makes_a_list_may_be_called_in_a_loop_that_is_written_out() -> None:
    made = "def made(k, x):\n    ys = [k]\n    ys.append(x)\n    return ys\n"
    made += "def again(k, x):\n    return made(k, x)\n"
    loop = "    t = 0\n    for k in (1, 2, 3):\n        ys = again(k, x)\n        t += ys[0] * ys[1]\n"
    loop += "    return t\n"
    assert compare(_whole(f"{made}def f(x: int):\n{loop}"), random.Random(0)) == "same"


TURNING = """
def same(v):
    return v
class Turning:
    def __init__(self, x, log):
        self.n = 0
        self.x = x
        self.log = log
        self.source = random.Random()
        self.held = same
        self.counts = {1: 5, 2: 6}
    def turn(self):
        self.n = self.x - self.n
        return self
    def drawing(self):
        self.turn()
        return self.source
    def key(self):
        self.n += 1
        return self.n % 2 + 1
    @property
    def noted(self):
        self.log.append(1)
        return self
    def items(self):
        return [1, 2]
"""

ONCE = (
    "o.drawing().random()",
    "o.turn().held(1)",
    "o.turn().source.random()",
    "for v in o.noted.items():\n        o.turn()",
    "d[o.key()] += o.key()",
    "o.counts[o.key()] += o.key()",
    "xs[o.key()] += o.key()",
)


@pytest.mark.parametrize("statement", ONCE)
def test_what_a_statement_mentions_once_is_evaluated_once(statement: str) -> None:
    """And in its turn: what is evaluated before something that changes it isn't evaluated behind it."""
    start = "    log = []\n    o = Turning(x, log)\n    d = {1: 5, 2: 6}\n    xs = [1, 2, 3]\n"
    end = "    return o.n, len(log), d[1], d[2], o.counts[1], o.counts[2], xs\n"
    text = f"{TURNING}def f(x: int):\n{start}    {statement}\n{end}"
    assert compare(_whole(text), random.Random(0)) == "same"


ASKING = {
    "a function": ("    def g():\n        return len(w)\n", "g()"),
    "a function that another one calls": ("    k = lambda: len(w)\n    g = lambda: k()\n", "g()"),
    "a list that a function gives back": ("    g = lambda: w\n", "g()[0]"),
    "a function that is given": ("    g = lambda v: v + len(w)\n", "sum(map(g, [1, 2]))"),
    "an object": ("    o = Holder(w)\n", "len(o.xs)"),
    "a dict": ("    o = {'a': w}\n", "len(o['a'])"),
    "a function that changes it": ("    def g():\n        w.append(7)\n        return 1\n", "g()"),
}
"""Ways to ask for a list w that don't name it, and what is asked."""

COMPREHENSIONS = (
    "w = [{asked} for _ in range(2)]",
    "w += [{asked} for _ in range(2)]",
    "w = w + [{asked} for _ in range(2)]",
    "w.extend([{asked} for _ in range(2)])",
    "w = [v for v in range({asked})]",
    "w = [v for v in range(5) if v < {asked}]",
    "w: list[int] = [{asked} for _ in range(2)]",
    "if x > 0:\n        w = [{asked} for _ in range(2)]",
)


@pytest.mark.parametrize("statement", COMPREHENSIONS)
@pytest.mark.parametrize("asking", ASKING)
def test_a_comprehension_is_evaluated_before_the_list_changes(asking: str, statement: str) -> None:
    """It was read as a loop that appends to the list itself, where nothing in it names the list."""
    made, asked = ASKING[asking]
    start = f"{HOLDING}def f(x: int):\n    w = [3, x]\n{made}"
    compare(_whole(f"{start}    {statement.format(asked=asked)}\n    return w\n"), random.Random(0))


def test_a_comprehension_asks_for_other_lists_by_functions() -> None:
    body = "    w = [3, x]\n    g = lambda: len(w)\n    u = [0]\n    u += [g() for _ in range(2)]\n"
    assert compare(_whole(f"def f(x: int):\n{body}    return u\n"), random.Random(0)) == "same"


_LARGE = "for i in range(2):\n        if x > 1:\n            "

DELETED = {
    "in a later round": f"{_LARGE}z = y\n            del y",
    "behind the loop": "for i in range(1):\n        del y\n    z = y",
    "by deleting it again": "for i in range(x):\n        del y",
    "in the test of a loop": "while y > 0 and z < 1:\n        z += y\n        del y",
    "where a round goes on": f"{_LARGE}del y\n            continue\n    z = y",
    "where no break comes": f"{_LARGE}del y\n    else:\n        z = y",
    "as what a loop counted": "y = 3\n    for y in range(x):\n        del y\n    z = y",
}
"""A variable that is used where an earlier round of a loop deleted it."""


@pytest.mark.parametrize("place", DELETED)
def test_a_variable_that_a_loop_deletes_is_not_there_in_the_next_round(place: str) -> None:
    """Python raises then, as private data may decide; what it was before was read."""
    body = f"    y = 1\n    z = 0\n    {DELETED[place]}\n    return 0\n"
    assert compare(_whole(f"def f(x: int):\n{body}"), random.Random(0)) == "refused"


def test_what_a_loop_assigns_and_deletes_is_read() -> None:
    loop = "    for i in range(3):\n        y = i + x\n        z += y\n        del y, i\n"
    text = f"def f(x: int):\n    z = 0\n{loop}    return z\n"
    assert compare(_whole(text), random.Random(0)) == "same"


BOUND = {
    "a function": ("lambda v: v", "g(1)"),
    "a dict": ("{0: 5}", "g[0]"),
    "a generator": ("(v for v in [1])", "sum(g)"),
    "a logger": ("logging.getLogger('a')", "g.info('a')"),
}
"""What a parameter stands for as it is, and a use of it."""

ANEW = ("3", "[1, 2]", "list(range(3))", "np.zeros(2)", "np.zeros((2, 2))", "None")


@pytest.mark.parametrize("anew", ANEW)
@pytest.mark.parametrize("kind", BOUND)
def test_a_parameter_that_stands_for_something_is_not_bound_anew(kind: str, anew: str) -> None:
    """It went on standing for the argument: what Python makes of the new value was not read."""
    given, use = BOUND[kind]
    head = "import logging\ndef k(g, x):\n"
    branch = f"    if x > 0:\n        g = {anew}\n    return {use}\n"
    text = f"{head}{branch}def f(x: int):\n    return k({given}, x)\n"
    assert compare(_whole(text), random.Random(0)) == "refused"


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("binding", BINDING)
def test_a_name_that_a_handler_binds_is_local(binding: str, home: str) -> None:
    """So what reads it raises, where private data say that it is read."""
    caught, statement = BINDING[binding]
    lines = ["if x > 0:", "    y = K", "try:", "    y = 1", f"except {caught}:", f"    {statement}"]
    body = "\n".join(f"    {line}" for line in [*lines, "return 1"])
    text = HOMES[home].format(body=body, inner=body.replace("    ", "        "))
    assert compare(_whole(text), random.Random(0)) == "refused"


def test_what_is_compared_differs() -> None:
    """The comparison finds a misreading: here in what stands for the reader."""
    text = _whole("def f(x: int):\n    return x\n")
    other = _whole("def f(x: int):\n    return abs(x)\n")
    assert compare(text, random.Random(0)) == "same"
    with pytest.raises(Misread):
        compare(text, random.Random(0), run=other)


SHOWING = """class P(NamedTuple):
    u: int
    @property
    def p(self):
        DOES
        return self.u
@mechanism(adjacent={"x": discrete_distance()})
def f(x: int):
    t = P(2)
    h = lambda: t.p
    def g(v):
        return t.p + v
    return ASKED
"""
ASKED = (
    "any(v + t.p > x for v in [0, 1, 2])",
    "all(v + t.p < x for v in [0, 1, 2])",
    "any(map(lambda v: v + t.p > x, [0, 1, 2]))",
    "any(v + h() > x for v in [0, 1, 2])",
    "any(g(v) > x for v in [0, 1, 2])",
)


@pytest.mark.parametrize("asked", ASKED)
def test_any_asks_no_property_behind_the_entry_that_decides(asked: str) -> None:
    """How often a property shows something, or raises, tells where it ends."""
    program = IMPORTS + SHOWING.replace("ASKED", asked)
    (found,) = read_source(program.replace("DOES", "pass"), "p.py")
    assert not found.shown
    text = program.replace("DOES", "print('asked')")
    (found,) = read_source(text, "p.py")
    names: dict[str, Any] = {}
    exec(text, names)
    for x in range(6):
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = names["f"](x)
        shown = [("tuple", 0.0, ("tuple",), ("tuple",))] * printed.getvalue().count("asked")
        output = ("tuple", float(value), ("list", *shown))
        assert followed_core(found, {"x": x}, 8, STILL).law == {output: 1.0}


@pytest.mark.parametrize("place", ["nested", "parameter"])
def test_gumbel_is_numpys_only_where_nothing_of_the_function_has_the_name(place: str) -> None:
    own = "def OWN(loc, scale, size=None):\n    return random.randint(0, 1) * scale\n"
    nested = own.replace("OWN", "gumbel").replace("\n", "\n    ")
    ranked = "np.argmax([c + gumbel(0, s) for c in (0, 2)])"
    text = {
        "nested": f"def f(x: int):\n    {nested}s = abs(x) + 1\n    return {ranked}\n",
        "parameter": "def f(x: int):\n    return h(own, abs(x) + 1)\n",
    }[place]
    helpers = f"{own.replace('OWN', 'own')}def h(gumbel, s):\n    return {ranked}\n"
    program = f"{IMPORTS}from numpy.random import gumbel\n{helpers}@mechanism(adjacent={{}})\n{text}"
    assert compare(program, random.Random(1)) in ("same", "refused")
