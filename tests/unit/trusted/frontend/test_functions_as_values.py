"""Nested functions, lambdas, functions that are arguments, and assignment expressions."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.table_runs import assert_as_python

HEADER = "import functools\nimport math\nfrom functools import partial\nfrom synth.lang import *\n\nK = 2\n\n"
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"
HELPERS = """
def each(g, xs):
    return [g(x) for x in xs]


def scaled(x, by, plus=1):
    return x * by + plus


def pushed(xs, v):
    xs.append(v)
    return v


"""


def text_of(body: str) -> str:
    return HEADER + HELPERS + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


BODIES = {
    "a name of its own that is bound outside later": (
        "g = lambda k: sum(v for v in q if v > k)\ns = g(n)\nfor v in r:\n    s += v\nreturn s, g(s)"
    ),
    "the same in a nested function": (
        "def g(k):\n    return [a * b for a in q for b in r if a > k]\nxs = g(n)\na, b = 1, 2\n"
        "xs.append(a + b)\nreturn xs, g(b)"
    ),
    "a name of its own, and the one outside": (
        "v = [n, 4]\ng = lambda k: sum(v + k for v in v)\na = g(1)\nreturn a, g(v[0])"
    ),
    "a name outside behind one of its own": (
        "v = 5\ng = lambda k: sum(v for v in q) + v * k\na = g(1)\nv = 6\nreturn a, g(1)"
    ),
    "the outer one in what is run over first": (
        "v = 5\ng = lambda: [v + w for v in range(v) for w in range(v)]\nxs = g()\nv = 2\nreturn xs, g(), n"
    ),
    "a lambda": "g = lambda v: v * n\nreturn g(2), each(g, q), (lambda: n)()",
    "a nested function": (
        "def g(v):\n    if v > n:\n        return 0\n    return v\nreturn sum(g(v) for v in q)"
    ),
    "names at the time of the call": "k = 1\ng = lambda v: v * k\na = g(n)\nk = 3\nreturn a, g(n), g(k)",
    "names at the time of each call": (
        "s = 0\ng = lambda: s\nt = 0\nfor v in q:\n    s += v\n    t = t * 2 + g()\nreturn t"
    ),
    "defaults at the time of the definition": (
        "k = n\ng = lambda v, by=k: v * by\nk = 7\ndef h(v, *, by=k + 1):\n    return v * by\nk = 9\n"
        "return g(2), g(2, 3), h(2), h(2, by=3)"
    ),
    "a default that is a list": (
        "def g(v, seen=[]):\n    seen.append(v)\n    return len(seen)\nreturn g(n), g(n), [g(v) for v in q]"
    ),
    "a list of the outer function": (
        "x = []\ndef g(v):\n    x.append(v)\n    return len(x)\ny = [g(v) for v in q]\nreturn x, y, g(n)"
    ),
    "a list of a fixed size": "x = [n, 2, 3]\nx[0] += 1\ng = lambda i: x[i]\nx[1] = 5\nreturn g(0), g(1), x",
    "own names hide": "x = 1\nK = n\ndef g(v):\n    x = v * 2\n    K = x\n    return K\nreturn g(n), x, K",
    "names of the module": "def g(v):\n    return scaled(v, K)\nreturn g(n)",
    "nested twice": "def g(v):\n    h = lambda w: w * v + n\n    return h(v + 1)\nreturn g(2), each(g, q)",
    "functions by their names": "return each(abs, q), each(float, r), each(math.floor, q), scaled(n, 2)",
    "partial": (
        "k = n\ng = partial(scaled, by=k)\nk = 5\nh = functools.partial(scaled, 3, 4)\n"
        "return g(2), g(2, plus=4), h(), h(n), each(partial(g, plus=0), q)"
    ),
    "map and filter": (
        "t = 0\nfor v in map(lambda v: v * 2, filter(lambda v: v > n, q)):\n    t = t * 3 + v\n"
        "return t, sum(map(abs, q)), list(map(float, r))"
    ),
    "sorting by keys": "return sorted(q, key=lambda v: -v), sorted(q, key=lambda v: v % 2, reverse=True)",
    "extremes by keys": (
        "return max(q, key=lambda v: (v - n) ** 2), min(r, key=abs), max(r, key=lambda v: -v, default=n)"
    ),
    "functions of a factory": (
        "def times(k):\n    k = k + 1\n    return lambda v: v * k\ng = times(n)\nh = times(2)\n"
        "return g(2), h(n), each(g, q), [times(v)(3) for v in r]"
    ),
    "any looks no further": (
        "x = []\ng = lambda v: pushed(x, v) > n\na = any(g(v) for v in q)\nreturn a, x, any(map(g, r)), x"
    ),
    "a chain": "x = [n]\ng = lambda: pushed(x, 1)\nreturn 0 < len(x) < g() + 1, x",
    "order of arguments": "x = []\ng = lambda a, b: a * 3 + b\nreturn g(pushed(x, n), len(x)), x",
    "a list that changes beside its length": (
        "x = [n]\ng = lambda: pushed(x, 1)\nreturn len(x) + g() * 10 + len(x), (len(x), g(), len(x)), x"
    ),
    "a variable of a loop that is written out": (
        "t = 0\nfor i in [n, 2, 3]:\n    g = lambda v: v * i\n    t = t * 2 + g(3)\nreturn t, n"
    ),
    "a variable of a comprehension": "return [sum(map(lambda w: w * v + n, r)) for v in q]",
    "a function twice": (
        "def twice(f, v):\n"
        "    return f(f(v))\n"
        "k = 3\n"
        "g = lambda v: v * k + 1\n"
        "k = n\n"
        "return twice(g, 2), twice(lambda w: g(w) - 1, n)"
    ),
    "early returns": (
        "def first(xs):\n"
        "    for v in xs:\n"
        "        if v > n:\n"
        "            return v\n"
        "    return -1\n"
        "return first(q), first([w + 1 for w in r]), first(q)"
    ),
    "a condition of a loop": (
        "i = 0\nx = []\ng = lambda: i < 3 and i < n + 2\nwhile g():\n    x.append(i)\n    i += 1\nreturn x, i"
    ),
    "assigned at once": ("a = 1\ng = lambda: a * 2\na, b = n, g()\na += g()\nreturn a, b"),
    "entries that change": (
        "x = [0, 0, n]\ng = lambda i: x[i]\nfor j in range(3):\n    x[j] += j + g(j)\nreturn x, g(2)"
    ),
    "three functions within one another": (
        "def outer(k):\n"
        "    def inner(v):\n"
        "        def deep():\n"
        "            return v + k + n\n"
        "        return deep()\n"
        "    return inner(k * 2)\n"
        "return outer(1), outer(n)"
    ),
    "parameters that hide": (
        "f = lambda n: n + 1\nn2 = f(n)\ndef g(q):\n    return q + n2\nreturn g(3), n, len(q)"
    ),
    "functions and generators": (
        "s = 0\n"
        "g = partial(scaled, n)\n"
        "for b in map(g, r):\n"
        "    s = s * 3 + b\n"
        "return s, any(map(lambda v: v > n, q)), all(filter(lambda v: v, r))"
    ),
    "variables of a nested function": (
        "z = 2\ndef g():\n    z = n\n    h = lambda: z\n    z = z + 1\n    return h()\nreturn g(), z"
    ),
    "a definition in a branch": ("if n > 1:\n    def g(v):\n        return v + 1\n    return g(n)\nreturn n"),
    "kinds of parameters": (
        "def g(a, /, b=2, *, c=n):\n"
        "    return a * 100 + b * 10 + c\n"
        "return g(1), g(1, c=3), partial(g, c=4)(2), partial(g, 5)(b=1), partial(g, b=7)(1)"
    ),
    "a walrus": "a = 0\nif (k := n * 2) > 2:\n    a = k\nreturn a, k, (y := n + 1) * y, y",
    "a walrus in a loop": (
        "i, t = -1, 0\nwhile True:\n"
        "    if (i := i + 1) >= len(q) or q[i] == n:\n        return i, t\n    t += q[i]"
    ),
    "a walrus as a condition of a loop": "i = 0\nwhile (k := i * i) < n:\n    i += 1\nreturn i, k, n",
    "a walrus that may be left out": (
        "k = 5\na = n > 1 and (k := n) > 2\nb = 3 if n < 0 else (k := k + 1)\nreturn a, b, k"
    ),
    "a walrus of another type": "k = 0.5\na = (k := n) // 2, k\nreturn a, (k := n + 0.5)",
    "walruses in one call": "return scaled((a := n), (b := a + 1), (c := a * b)), a, b, c",
    "a walrus beside noise": "return (y := n + 1) + laplace(0, 1) + y, y",
    "a walrus of noise": "if (y := laplace(n, 1)) > 0:\n    return y\nreturn y - 1",
}


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    assert_as_python(text_of(BODIES[name]))


REFUSED = {
    "what is run over first is outside": (
        "g = lambda: sum(v for v in v)\nv = q\nreturn g()",
        "variable 'v' may be used before it is assigned",
    ),
    "a name outside beside one of its own": (
        "g = lambda: sum(v for v in q) + v\na = g()\nv = 1\nreturn a",
        "variable 'v' may be used before it is assigned",
    ),
    "a name of a function within": (
        "g = lambda: sum((lambda: w)() for v in q)\na = g()\nw = 1\nreturn a",
        "variable 'w' may be used before it is assigned",
    ),
    "a draw of synth.lang": ("g = lambda v: laplace(v, 1)\nreturn g(n), g(n / 2)", "draw of synth.lang"),
    "a draw behind a name": ("return each(noisy, q)", "draw of synth.lang in a function that is a value"),
    "a function of two": (
        "g = abs\nif n > 1:\n    g = float\nreturn g(n)",
        "is a function and something else",
    ),
    "functions of two returns": (
        "def g(v):\n    if v > 1:\n        return lambda: v\n    return lambda: 2\nreturn g(n)()",
        "a function is given back",
    ),
    "a function as the result": ("return lambda: 1", "a function"),
    "a list of functions": ("g = [lambda v: v]\nreturn 1", "a function can't be part of a tuple or list"),
    "recursion": (
        "def g(v):\n    return g(v - 1) if v > 0 else 0\nreturn g(n)",
        "recursion is not supported",
    ),
    "a name before its assignment": ("g = lambda: x\ny = g()\nx = 1\nreturn y", "may be used before"),
    "a nested use before the assignment": (
        "def g():\n    return x\ny = g()\nx = 1\nreturn y",
        "may be used before",
    ),
    "a decorator": ("@functools.cache\ndef g():\n    return 1\nreturn g()", "decorator of a nested function"),
    "nonlocal": ("x = 1\ndef g():\n    nonlocal x\n    x = 2\n    return x\nreturn g(), x", "nonlocal"),
    "a list that is another one": (
        "x = [n]\nx = [v for v in x]\ng = lambda: len(x)\nx = [v for v in x]\nreturn g()",
        "'x' is a list that changes",
    ),
    "a list that may be made anew": (
        "x = [n]\ng = lambda v, a=x: len(a) + v\nx = [1, 2]\nreturn g(1)",
        "a list that is given to a function beforehand",
    ),
    "a list that is given to partial": (
        "x = [n]\ng = partial(each, xs=x)\nx = [1, 2]\nreturn g(abs)",
        "a list that is given to a function beforehand",
    ),
    "too many arguments": ("g = partial(scaled, 1, 2, 3)\nreturn g(4)", "takes 0 arguments, not 1"),
    "an argument behind a named one": ("g = partial(scaled, x=1)\nreturn g(2)", "takes 0 arguments, not 1"),
    "a walrus behind a use": ("k = 1\nreturn k + (k := n)", "used before it is assigned in one statement"),
    "a second walrus": ("return (k := n) + (k := 2)", "used before it is assigned in one statement"),
    "a walrus in a condition": ("k = 1\nreturn k if (k := n) else 0", "used before it is assigned"),
    "a walrus in a lambda": ("g = lambda: (k := n)\nreturn g()", "in a lambda or comprehension"),
    "a walrus that is captured": ("k = 1\ng = lambda: k\nreturn g() + (k := n)", "used in a nested function"),
    "a walrus of a list": ("return len(x := [n])", "in an assignment expression is not supported"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, message = REFUSED[name]
    noisy = "def noisy(v):\n    return laplace(v, 1)\n\n\n"
    with pytest.raises(ProgramError, match=message):
        read_source(HEADER + noisy + text_of(body).removeprefix(HEADER), "p.py")


def test_a_lambda_for_a_choice_hides_no_name_of_a_function() -> None:
    """In Python i is the local variable in the function, and the index in the lambda only."""
    text = text_of("i = 1\ng = lambda: r[i]\nreturn choice(2, lambda i: g())")
    (mechanism,) = read_source(text, "p.py")
    (same,) = read_source(text.replace("i: g()", "k: r[i]"), "p.py")
    laws = [
        item.law
        for one in (mechanism, same)
        for item in ir.statements(one.body)
        if isinstance(item, ir.Choose)
    ]
    assert [law.score for law in laws if isinstance(law, ir.Weights)] == [laws[0].score] * 2


def test_keys_that_draw_do_so_once_for_each_entry() -> None:
    text = "import random\n" + text_of("return max(q, key=lambda v: v + random.gauss(0, 1))")
    (mechanism,) = read_source(text, "p.py")
    assert sum(isinstance(item, ir.Draw) for item in ir.statements(mechanism.body)) == 1
