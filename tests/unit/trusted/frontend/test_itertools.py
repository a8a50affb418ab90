"""Iterators of itertools: loops over them mean what CPython makes of them."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = (
    "import itertools\nfrom itertools import chain, product\n"
    "from itertools import accumulate as running\nfrom synth.lang import *\n\n"
)
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "chain": "return [v + n for v in chain(q, r)]",
    "chain of three": "s = 0\nfor v in itertools.chain(q, (1, n), r):\n    s = s * 3 + v\nreturn s",
    "chain that is left": (
        "s = 0\nfor v in chain(q, range(n), r):\n    if v > 3:\n        break\n"
        "    if v < 0:\n        continue\n    s += v\nelse:\n    s = -s - 1\nreturn s"
    ),
    "chain that a return leaves": (
        "for v in chain(q, r):\n    if v + laplace(0, 1) > n:\n        return v\nreturn None"
    ),
    "chain in functions": "return sum(chain(q, r)), len(list(chain(r, q))), any(v > n for v in chain(q, r))",
    "chain numbered": "return [(i, v) for i, v in enumerate(chain(q, r), n)]",
    "chain of one": "return list(chain(q))",
    "chain of chains": "return list(chain(chain(q, r), chain(r)))",
    "chain of what is computed": "x = [v for v in q]\nreturn list(chain([v + 1 for v in x], [n], x))",
    "chain, and what its body does": (
        "s = 0\nx = []\nfor v in chain(q, range(len(r))):\n    s += v\n    x.append(s)\nreturn s, x"
    ),
    "product": "return [(a, b) for a, b in product(q, r)]",
    "product of ranges": "return [a * 10 + b for a, b in itertools.product(range(n), range(len(q)))]",
    "product of three": "return [a + b * n + c for a, b, c in product(q, (1, 2), r)]",
    "product as one": "return [c[0] - c[1] for c in product(q, r)]",
    "product that is left": (
        "s = 0\nfor a, b in product(q, r):\n    if a == b:\n        break\n    if a > b:\n        continue\n"
        "    s += a\nelse:\n    s = -1\nreturn s"
    ),
    "product of one": "return [a for (a,) in product(q)]",
    "product numbered": "return [(i, a, b) for i, (a, b) in enumerate(product(q, r))]",
    "keys": (
        "d = {c: 0 for c in product((0, 1), ('x', 'y'))}\nfor v in q:\n"
        "    d[(v % 2, 'x' if v > n else 'y')] += 1\nreturn d"
    ),
    "keys in a loop": (
        "d = {}\nfor a, b in product(range(2), range(3)):\n"
        "    d[(a, b)] = sum(1 for v in q if v % 2 == a) + b * n\n"
        "return d"
    ),
    "accumulate": "return list(running(q)), [v + n for v in itertools.accumulate(r)]",
    "combinations": "return [abs(a - b) for a, b in itertools.combinations(q, 2)], len(r)",
    "pairwise": "return [b - a for a, b in itertools.pairwise(q)]",
    "repeat": "return [a + b for a, b in zip(q, list(itertools.repeat(n, len(q))))]",
    "repeat a number that changes": (
        "s = n\nfor v in itertools.repeat(s, len(q)):\n    s = s * 2 + v\nreturn s"
    ),
    "a filling that changes": (
        "s = n\nfor a, b in itertools.zip_longest(q, r, fillvalue=s):\n    s = s * 2 + a - b\nreturn s"
    ),
    "zip_longest": "return [a + 2 * b for a, b in itertools.zip_longest(q, r, fillvalue=n)]",
}

_CHANGED, _LOOP = Refusal.LIST_CHANGED_IN_LOOP, Refusal.UNSUPPORTED_LOOP

REFUSED = {
    "changed before it is come to": (
        "x = [1]\nfor v in chain(q, x):\n    x.append(v)\nreturn x",
        _CHANGED,
    ),
    "changed in a product": (
        "x = [1, n]\nfor a, b in product(q, x):\n    x[0] = a\nreturn x",
        _CHANGED,
    ),
    "a product of what a dict has now": (
        "d = {'a': 1, 'b': n}\ns = 0\nfor a, v in product((1, 2), d.values()):\n"
        "    d['b'] += 1\n    s += v\nreturn s",
        _LOOP,
    ),
    "a generator behind it": ("return list(chain(q, (v for v in r)))", _LOOP),
    "a generator in a product": (
        "return [a for a, b in product(q, (v for v in r))]",
        _LOOP,
    ),
    "an iterator is no list": ("return chain(q, r)", None),
    "an iterator has no length": ("return len(product(q, r))", None),
    "what is listed": ("return list(chain(*q))", None),
    "repeated": ("return [a for a, b in product(q, repeat=2)]", _LOOP),
    "sums of a list that changes on the way": (
        "x = [1, n, 2]\ns = 0\nfor v in running(x):\n    x[1] = 9\n    s += v\nreturn s",
        _CHANGED,
    ),
    "pairs of a list that grows on the way": (
        "x = [1, n, 2]\nfor a, b in itertools.pairwise(x):\n    x.append(b)\nreturn x",
        _CHANGED,
    ),
    "two lists of which one changes on the way": (
        "x = [1, n]\ns = 0\nfor a, b in itertools.zip_longest(q, x, fillvalue=0):\n    x[1] = 7\n"
        "    s += b\nreturn s",
        _CHANGED,
    ),
    "sums of what is evaluated on the way": (
        "s = 0\nfor v in running(w + s for w in q):\n    s += v\nreturn s",
        _LOOP,
    ),
}


def program(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_means_what_python_makes_of_it(body: str) -> None:
    assert_as_python(program(body))


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(body: str, code: Refusal | None) -> None:
    with pytest.raises(ProgramError) as caught:
        read_source(program(body), "p.py")
    assert code is None or caught.value.code is code
