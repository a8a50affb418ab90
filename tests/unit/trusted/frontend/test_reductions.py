"""Functions and methods that look through lists, and slices: they mean what CPython makes of them."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = "from synth.lang import *\n\n"
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "sum": "return sum(q), sum(v * v for v in q if v > n), sum(range(n)), sum([n, 2.5], n), sum((1, n))",
    "sum of draws": "return sum(v + laplace(0, 1) for v in q), laplace(0, 1)",
    "extremes": "return max(q), min(q), max(v * v for v in r), min([n, 2, 1])",
    "extremes of several": "return max(n, 2), min(n, len(q), 1)",
    "extremes with a default": "return max(q, default=n), min((v for v in q if v > n), default=7)",
    "extremes of draws": "return max(v + laplace(0, 1) for v in q), laplace(0, 1)",
    "any and all": "return any(v > n for v in q), all(v > n for v in q), any([n > 1, n > 2]), all(q)",
    "what any doesn't look at": "return any(v + laplace(0, 1) > n for v in q), laplace(0, 1)",
    "what all doesn't look at": "return all(v + laplace(0, 1) < n for v in q), laplace(0, 1)",
    "ranges": "return sum(i * i for i in range(n)), sum(range(n)), n in range(1, 3), 1 if range(n) else 2",
    "iterators": "return max(reversed(q), default=0), list(zip(q, r)), list(enumerate(q, n))",
    "the first": "return next((i for i, v in enumerate(q) if v > n), -1), next((v for v in r), n)",
    "what next doesn't look at": "return next((v for v in q if v + laplace(0, 1) > n), 7), laplace(0, 1)",
    "the first of a helper's": "s = [0]\nx = next((v for v in q if pushed(s, v) > n), 0)\nreturn x, s",
    "the first of pairs": "return next((v * w for v in q for w in r if v < w), n)",
    "the first, or none": "x = next((v for v in q if v > n), None)\nreturn 0 if x is None else x",
    "the default comes first": "n = 2\nreturn next((v for v in q if v > n), n + 1)",
    "any of a helper's": "s = [0]\nx = any(pushed(s, v) > n for v in q)\nreturn x, s",
    "count": "return q.count(n), [v * 2 for v in q].count(4), q.count(True)",
    "index": "return q.index(n), [n, 2, 2].index(2)",
    "index of the largest": "return q.index(max(q)), r.index(min(r))",
    "index of another's largest": "return q.index(max(r))",
    "index of the largest, which has a name": "m = max(q)\nk = q.index(m)\nreturn m, k",
    "index of the smallest of a list": "x = [v * v for v in q]\nm = min(x)\nreturn x.index(m), m",
    "index of a largest that is changed": "m = max(q)\nm = q[-1]\nreturn q.index(m)",
    "index of the largest in another list": "x = [v for v in q]\nm = max(x)\nreturn r.index(m)",
    "index of a largest before an entry": "x = [v for v in q]\nm = max(x)\nx.append(m)\nreturn x.index(m)",
    "largest by index": (
        "return max(range(len(q)), key=lambda i: q[i]), min(range(len(r)), key=lambda k: r[k])"
    ),
    "largest of pairs by a key": (
        "x = [(v, v * n) for v in q]\nreturn max(x, key=lambda p: p[1])[0], min(x, key=lambda p: -p[1])"
    ),
    "largest of labels by a key": "return max(['a', 'bc'], key=lambda w: n if w == 'a' else 2), n",
    "sorted": "return sorted(q), sorted(q, reverse=True), sorted(v * v for v in r), sorted([n, 2, 1])",
    "median": "return sorted(q)[len(q) // 2]",
    "in": "return n in q, n not in [v + 1 for v in r], n in (1, 2), n in [], 2 < n in (3, 4)",
    "slices": "return q[1:], q[:2], q[1:3], q[:], q[::-1], q[:-1], q[-2:], q[-3:-1], q[5:], q[3:1]",
    "slices by variables": "return q[n:], q[:n], q[n - 2 : n], [v for v in q][n - 3 :]",
    "slices of lists": "x = [v + n for v in q]\ny = x[:]\ny.append(1)\nx = x[1:]\nreturn x, y, [n, 2, 3][1:]",
    "slices of tuples": "t = (n, 2, 3)\na, b = t[1:]\nreturn a, b, t[:1], t[::2], t[-1:]",
    "loops over slices": "s = 0\nfor v in q[1:]:\n    s = s * 2 + v\nreturn s, sum(r[:2]), max(q[:3])",
    "a copy that is changed in the loop": "x = [n, 1]\nfor v in x[:]:\n    x.append(v)\nreturn x",
    "copy": "x = [n]\ny = x.copy()\ny.append(2)\nreturn x, y, q.copy()",
    "a sum takes a sum in": "return sum(q) + laplace(0, 1), laplace(sum(q), 1) - max(r)",
}

HELPERS = """
def pushed(xs, v):
    xs.append(v)
    return v

"""


def text_of(body: str) -> str:
    return HEADER + HELPERS + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    assert_as_python(text_of(BODIES[name]))


def test_noise_around_a_sum_is_in_the_sum() -> None:
    """The law is that of the whole centre, as it is when the program is run."""
    text = text_of("return sum(v / 2 for v in q) + laplace(0, 1)")
    (mechanism,) = read_source(text, "p.py")
    assert {sort.value for name, sort in mechanism.variables.items() if "draw" in name} == {"real"}


REFUSED = {
    "a key that is no function": ("return max(q, key=n)", "'key' is a number, not a function"),
    "a key that changes the list": (
        "x = [n]\ndef key(v):\n    x.append(3)\n    return v\nreturn max(x, key=key)",
        "the list is changed while a loop runs over it",
    ),
    "max of a number": ("return max(n)", "max takes at least 2 arguments, not 1"),
    "index from a place": ("return q.index(1, 2)", "'index' takes 1 argument, not 2"),
    "in a number": ("return 1 in n", "'in' of a number is not supported"),
    "the first of a list": ("return next([n], 0)", "'next' needs a generator expression and a default"),
    "the first without a default": ("return next(v for v in q)", "'next' needs a generator expression"),
    "a default that is drawn": ("return next((v for v in q), laplace(0, 1))", "'next' needs a generator"),
    "a default that changes a list": (
        "s = [0]\nreturn next((v for v in s), pushed(s, 3))",
        "'next' needs a generator expression and a default",
    ),
    "what next finds twice": ("g = (v for v in q)\nreturn next(g, 0)", "a generator in a variable"),
    "a step": ("return q[::2]", "a step of a slice is only supported in xs[::-1]"),
    "private ends": ("return q[q[0] :]", "private data in an end of a slice"),
    "a variable end of a tuple": ("return (1, 2)[n:]", "an end of a slice of what is written out must be"),
    "a slice that is assigned": ("x = [1]\nx[:] = q\nreturn x", "an assignment to a slice is not supported"),
    "a model's own name": ("return _count(q, 1)", "unknown function '_count'"),
    "max that is another function": ("return q.index(max(q))", "'max' is a number, not a function"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_modelled_is_refused(name: str) -> None:
    body, message = REFUSED[name]
    if name.startswith("max that"):
        body = f"max = n\n{body}"
    with pytest.raises(ProgramError) as caught:
        read_source(text_of(body), "p.py")
    assert message in str(caught.value)


def test_a_list_of_pairs_and_then_of_numbers_is_refused() -> None:
    body = "zs = [(v, 1) for v in xs]\n    m = max(zs)\n    zs = [1, 2]\n    return zs.index(m)"
    head = "@mechanism(adjacent={'xs': change_one_distance(1)})\ndef f(xs: list[float]):\n"
    with pytest.raises(ProgramError, match="variable 'm' is both"):
        read_source(f"{HEADER}{head}    {body}\n", "p.py")
