"""Dicts over keys that are written out, and tallies: they mean what CPython makes of them, or are refused."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.table_runs import assert_as_python

HEADER = """
from collections import Counter, defaultdict
from enum import Enum
from synth.lang import *

BRANCHES = ("north", "south", "east")
SIZES = (1, 2, 4)
PLACES = {"x", "a", "y"}
LIMITS = {"low": 1, "high": 3}
BOUNDS = {"low": [1, 2], "high": [3]}
ROWS = ([1], [2, 3])

class Colour(Enum):
    RED = 1
    BLUE = 4

class Store:
    def __init__(self, n):
        self.counts = {"a": n, "b": 0}
    def add(self, key, by):
        self.counts[key] += by

class Log:
    def __init__(self):
        self.entries = []
    def noted(self, x):
        self.entries.append({"what": "noted", "x": x})
        return len(self.entries)

def bumped(d, by):
    d["a"] += by
    d["z"] = by
    return d["a"]

def moved(x, by=3):
    return x * 10 + by

def twice(d):
    return moved(**d)

def table(n):
    t = {"x": n}
    t["y"] = n + 1
    return t

"""
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"

BODIES = {
    "appended": "x = []\nx.append({'a': n, 1: None})\nx.append({'b': 'word'})\nreturn x, len(x)",
    "appended in a loop": "x = []\nfor v in q:\n    x.append({'v': v + laplace(0, 1), 'n': n})\nreturn x",
    "appended in a helper": "s = Log()\nreturn s.noted(n), s.noted(2), s.entries",
    "display": "return {'a': n, 'b': len(q), 1: None, (1, 'x'): n * 2, Colour.RED: 'word'}",
    "nothing": "d = {}\nif n:\n    return d, n\nreturn dict(), 0",
    "entries": (
        "d = {'a': n, 'b': 2}\nd['a'] = d['b'] + n\nd['c'] = d['a'] * 2\nd['b'] += 5\nreturn d, d['a']"
    ),
    "equal keys": "d = {1: n}\nd[True] = d[1.0] + 1\nd[2] = 3\nreturn d, len(d), 1.0 in d",
    "a key of another type": "d = {1: n}\nd['1'] = 2\nreturn d, 'x' in d, '1' in d, (1,) in d, None in d",
    "an integer becomes a real": "d = {'a': 0}\nif n > 1:\n    d['a'] = 0.5\nd['a'] += n\nreturn d",
    "comprehension": "return {b: i * n for i, b in enumerate(BRANCHES)}, {k: k * n for k in SIZES if k > 1}",
    "comprehension of a dict": (
        "d = {'a': n, 'b': 2}\nreturn {k: v + 1 for k, v in d.items()}, {v: n for v in ('x', 'y')}"
    ),
    "comprehension of an Enum": "return {c: c.value + n for c in Colour}, {c.name: n for c in Colour}",
    "comprehension of a range": "d = {i: i * n for i in range(3)}\nreturn d, d[2]",
    "comprehension of pairs": "return {k: v + n for k, v in zip(BRANCHES, SIZES)}",
    "doubled keys": "return {k: n + i for i, k in enumerate(('a', 'b', 'a'))}",
    "loops": (
        "d = {'a': n, 'b': 2, 'c': len(q)}\ns = 0\nfor k in d:\n    s = s * 3 + d[k]\n"
        "for k, v in d.items():\n    if k != 'b':\n        s += v\n"
        "for v in d.values():\n    s *= v\nreturn s, d"
    ),
    "a loop that changes entries": (
        "d = {'a': n, 'b': 2}\nfor k, v in d.items():\n    d['b'] += v + 1\nreturn d"
    ),
    "a loop that leaves": (
        "d = {'a': n, 'b': 2, 'c': 3}\ns = 0\n"
        "for k, v in d.items():\n    if v == 2:\n        break\n    s += v\n"
        "else:\n    s = -1\nreturn s, d"
    ),
    "new keys in a loop that is written out": (
        "d = {}\nfor i, b in enumerate(BRANCHES):\n    d[b] = i * n\nreturn d, len(d)"
    ),
    "what looks through": (
        "d = {'a': n, 'b': 2}\nreturn sum(d.values()), max(d.values()), list(d), list(d.items()), len(d)"
    ),
    "keys that run": "d = {-1: 'x', 0: 'y', 2: 'z'}\nreturn d[n], d.get(n), len(q)",
    "running keys, assigned": "d = {-1: 0, 2: 7}\nif n in d:\n    d[n] = 9\n    d[n] += len(q)\nreturn d",
    "get": "d = {'a': n, 2: 7}\nreturn d.get('a', 1), d.get('b', 1), d.get('b'), d.get(n, -1), d",
    "in": "d = {'a': n, 2: 7, 4: 1}\nreturn n in d, 'a' in d, 'b' not in d, d",
    "a histogram": (
        "d = {0: 0, 1: 0, 2: 0}\nfor v in q:\n    if v in d:\n        d[v] += 1\n"
        "for v in r:\n    d[v % 3] = d[v % 3] + 10\nreturn d"
    ),
    "a histogram that may fail": "d = {1: 0, 2: 0, 3: 0, 4: 0}\nfor v in q:\n    d[v] += 1\nreturn d, n",
    "fromkeys": "d = dict.fromkeys(BRANCHES, n)\nd['north'] += 1\nreturn d, dict.fromkeys((1, 2))",
    "entries of the module that are lists": (
        "s = n\nfor v in BOUNDS['low']:\n    s += v\nreturn s, len(BOUNDS), BOUNDS['high'][0]"
    ),
    "one list for all keys": (
        "d = dict.fromkeys(('a', 'b'), [])\nd['a'].append(n)\nd['b'].append(2)\nreturn len(d['b']), d['a'][0]"
    ),
    "a list of the program for all keys": (
        "ys = [n]\nd = dict.fromkeys(('a', 'b'), ys)\nys.append(4)\nd['a'].append(5)\nreturn len(d['b']), ys"
    ),
    "dict": "d = dict(a=n, b=2)\ne = dict(d, c=1)\ne['a'] = 0\ng = d.copy()\ng['b'] = 4\nreturn d, e, g",
    "two names": "d = {'a': n}\ne = d\ne['a'] += 1\ne['b'] = 2\nreturn d, e, d['a']",
    "functions": "d = {'a': n}\nx = bumped(d, 2)\nt = table(n)\nt['x'] += d['z']\nreturn x, d, t",
    "attributes": (
        "s = Store(n)\ns.add('a', 2)\ns.counts['b'] = 7\ns.add('b', len(q))\nc = s.counts\n"
        "c['a'] += 1\nreturn s.counts, c"
    ),
    "order of evaluation": "d = {'a': n}\nreturn d['a'] + bumped(d, 3) + d['a'], d",
    "one for each iteration": (
        "out = []\nfor v in q:\n    d = {'a': v}\n    d['b'] = d['a'] + n\n"
        "    if v > 2:\n        d['a'] = 0\n"
        "    out.append(d['a'] * d['b'])\nreturn out"
    ),
    "truth": "d = {'a': n}\nreturn 1 if d else 2, not {}, bool(d) and n",
    "several outputs": (
        "if n > 2:\n    return {'a': n}\nif n > 1:\n    return {'b': n}\nif n:\n    return (n,)\n"
        "return {'a': 0}"
    ),
    "tuples as entries": "d = {'a': (n, 2), 'b': (0, 'x')}\nu, v = d['a']\nreturn u + v, d",
    "a tally": "c = Counter(q)\nreturn c[2], c[4], c.get(3, 0), {k: c[k] + n for k in (0, 1)}",
    "a tally of labels": (
        "c = Counter('old' if v > n else 'young' for v in q)\nreturn c['old'], c['young'], c['none']"
    ),
    "a tally of a list": "c = Counter([v + n for v in q])\nreturn [c[k] for k in (1, 2, 3)]",
    "a tally with running keys": "c = Counter(q)\nreturn [c[v + n] for v in r], c[n], c[2], c['x']",
    "a tally that goes on": (
        "c = Counter()\nfor v in q:\n    c[v] += 1\n    c[v + n] += 2\nc[4] += 1\nreturn c[4], c[2], c[0]"
    ),
    "a defaultdict": (
        "d = defaultdict(int)\ne = defaultdict(float)\nfor v in q:\n    d[v % 2] += v\n    e['all'] += v\n"
        "    if v > n:\n        d['big'] = v\nreturn d[0], d[1], d['big'], d['other'], e['all']"
    ),
    "assigned keys of a tally": (
        "d = defaultdict(int)\nfor i, v in enumerate(q):\n    d[v] = i\nreturn d[1], d[4], d[0], n"
    ),
    "a tally in a loop": (
        "out = []\nfor v in q:\n    c = Counter((v, n, 2))\n    out.append(c[2])\nreturn out"
    ),
    "draws": (
        "d = {'a': n + laplace(0, 1), 'b': laplace(n, 1)}\nd['a'] = d['a'] + laplace(0, 1)\n"
        "return d, laplace(0, 1)"
    ),
    "draws in a comprehension": "return {b: laplace(n, 1) for b in BRANCHES}, laplace(0, 1)",
}


def text_of(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    assert_as_python(text_of(BODIES[name]), outputs=2)


OTHER_KEYS = {
    "another key": "if n:\n    return {'a': 1}\nreturn {'b': 1}",
    "a number and a string": "if n:\n    return {1: 1}\nreturn {'1': 1}",
    "a member and a string": "if n:\n    return {Colour.RED: 1}\nreturn {'Colour.RED': 1}",
    "a tuple": "if n:\n    return {'a': 1}\nreturn (1,)",
    "a number": "if n:\n    return {'a': 1}\nreturn 1",
    "nothing": "if n:\n    return {}\nreturn ()",
    "keys in a tuple": "if n:\n    return ({'a': 1}, 2)\nreturn ({'b': 1}, 2)",
    "keys with lists": "if n:\n    return {'a': [1]}\nreturn {'b': [1]}",
    "a list": "if n:\n    return {'a': [1]}\nreturn [1]",
    "one more": "if n:\n    return {'a': None}\nreturn {'a': None, 'b': None}",
}


@pytest.mark.parametrize("name", OTHER_KEYS)
def test_dicts_with_other_keys_are_other_outputs(name: str) -> None:
    assert_as_python(text_of(OTHER_KEYS[name]), outputs=2)


REFUSED = {
    "new keys that data decide": "d = {}\nfor v in q:\n    d[v] = 1\nreturn d",
    "new keys that data count": "d = {}\nfor v in q:\n    d[v] = d.get(v, 0) + 1\nreturn d",
    "a new key in a branch": "d = {'a': 1}\nif q[0] > 2:\n    d['b'] = 2\nreturn d",
    "a new key in a loop": "d = {'a': 1}\nfor v in q:\n    d['b'] = v\nreturn d",
    "a new key behind a loop's end": (
        "d = {}\nfor b in BRANCHES:\n    if q[0] > 2:\n        break\n    d[b] = 1\nreturn d"
    ),
    "a new key behind the next iteration": (
        "d = {}\nfor b in BRANCHES:\n    if q[0] > 2:\n        continue\n    d[b] = 1\nreturn d"
    ),
    "a key that is only there for some": "return {v: 1 for v in q}",
    "a test that data decide": "return {b: 1 for b in BRANCHES if q[0] > 2}",
    "made in a loop, used behind it": (
        "while True:\n    d = {'a': n}\n    if n > 2:\n        break\n    d['b'] = 2\n    n += 5\nreturn d"
    ),
    "made in a branch": "if n:\n    d = {'a': 1}\nelse:\n    d = {'b': 1}\nreturn d",
    "chosen": "d = {'a': 1} if n else {'b': 1}\nreturn d",
    "another dict under a name": "d = {'a': n}\nd = {'b': n}\nreturn d",
    "a missing key": "d = {'a': n}\nreturn d['b']",
    "a missing key of a number": "d = {'1': n}\nreturn d[1]",
    "a changed size in a loop": "d = {'a': n}\nfor k in d:\n    d['b'] = 1\nreturn d",
    "deleted": "d = {'a': n}\ndel d['a']\nreturn d",
    "pop": "d = {'a': n}\nx = d.pop('a')\nreturn d",
    "clear": "d = {'a': n}\nd.clear()\nreturn d",
    "update": "d = {'a': n}\nd.update({'b': 1})\nreturn d",
    "setdefault": "d = {'a': n}\nd.setdefault('b', 1)\nreturn d",
    "stars in a display": "d = {'a': n}\nreturn {**d}",
    "stars twice": "d = {'x': n}\nreturn moved(1, **d)",
    "stars of a tally": "d = Counter(q)\nreturn moved(**d)",
    "compared": "return {'a': n} == {'a': 1}",
    "a list of dicts": "return [{'a': n}]",
    "an appended dict that has a name": "d = {'a': n}\nx = []\nx.append(d)\nd['a'] = 1\nreturn x",
    "an appended dict of the module": "x = []\nx.append(LIMITS)\nreturn x",
    **{
        f"an appended dict that is asked for: {use}": f"x = []\nx.append({{'a': n, 'b': 1}})\nreturn {use}"
        for use in (
            "x[0]",
            "x[0]['a']",
            "len(x[-1])",
            "[len(d) for d in x]",
            "[k for k, _ in x]",
            "x.pop()",
            "x.copy()",
            "x[:]",
            "max(x)",
            "{'a': n} in x",
            "x == []",
            "dict(x)",
            "x + x",
        )
    },
    "an appended dict that is changed": "x = []\nx.append({'a': 1})\nx[0]['a'] = n\nreturn x",
    "a dict as a key": "return {('a', {}): 1}",
    "a list as a key": "x = [1]\nreturn {x: 1}",
    "a list in the place of a number": "d = {'a': n}\nd['a'] = [1]\nreturn d",
    "another list under a key": "d = {'a': [n]}\nd['a'] = [1]\nreturn d",
    "a number in the place of a list": "d = {'a': [n]}\nd['a'] = 2\nreturn d",
    "a list made anew": "x = [n]\nd = {'a': x}\nif n:\n    x = [1]\nreturn d",
    "a running key of lists": "d = {1: [n], 2: []}\nd[n].append(3)\nreturn d",
    **{
        f"a changed entry of the module: {change}": f"{change}\nreturn len(BOUNDS['low']), len(ROWS[0])"
        for change in (
            "BOUNDS['low'].append(n)",
            "BOUNDS.get('low').append(n)",
            "x = BOUNDS['low']\nx.append(n)",
            "BOUNDS.copy()['low'].append(n)",
            "d = dict(BOUNDS)\nd['low'].append(n)",
            "for v in BOUNDS.values():\n    v.append(n)",
            "BOUNDS['low'][0] = n",
            "ROWS[0].append(n)",
            "for v in ROWS:\n    v.append(n)",
            "x, y = ROWS\nx.append(n)",
        )
    },
    "a changed dict of the module": "LIMITS['low'] = n\nreturn LIMITS['low']",
    "a dict of the module with a name": "x = LIMITS\nx['low'] = 2\nreturn LIMITS['low']",
    "a dict of the module that is given": "return bumped(LIMITS, n)",
    "a returned dict of the module": "return LIMITS",
    "the keys of a tally": "return [k for k in Counter(q)]",
    "the items of a tally": "return {k: v for k, v in Counter(q).items()}",
    "the values of a tally": "return sum(Counter(q).values())",
    "the length of a tally": "return len(Counter(q))",
    "what a tally has": "return 3 in Counter(q)",
    "the truth of a tally": "return 1 if Counter(q) else 2",
    "a tally": "return Counter(q)",
    "a tally of the keys of a defaultdict": (
        "d = defaultdict(int)\nfor v in q:\n    d[v] += 1\nreturn dict(d)"
    ),
    "most common": "return Counter(q).most_common(1)",
    "a set of data": "return len(set(q))",
    "a set that runs": "return n in {n, 2}",
    "a loop over a set": "return [k for k in {'a', 'b'}]",
    "a changed set": "s = {1, 2}\ns.add(n)\nreturn n in s",
    "a returned set": "return {1, 2}",
    "compared sets": "return {1, 2} == {2, 1}",
    "sets are operands": "return n in ({1, 2} | {3})",
    "another default": "c = Counter(q)\nreturn c.get(3, 7)",
    "a default that is None": "c = defaultdict(int)\nreturn c.get(3)",
    "a defaultdict of lists": "d = defaultdict(list)\nreturn d['a']",
    "a tally as a dict": "c = Counter(q)\nc[3] = 7\nreturn {k: c[k] for k in c}",
    "keys kept for later": "d = {'a': n}\nk = d.keys()\nd['b'] = 2\nreturn [x for x in k]",
    "values kept for later": "d = {'a': n}\nv = d.values()\nd['a'] = 7\nreturn sum(v)",
    "noise in place": "d = {'a': n}\nd['a'] += laplace(0, 1)\nreturn d",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_keys_data_may_decide_and_other_names_are_refused(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text_of(REFUSED[name]), "p.py")


SHADOWED = {
    "dict": "def dict(a):\n    return a\n\n",
    "Counter": "class Counter:\n    pass\n\n",
}


@pytest.mark.parametrize("name", SHADOWED)
def test_a_name_that_the_file_binds_is_the_files(name: str) -> None:
    text = (
        "from synth.lang import *\n"
        + SHADOWED[name]
        + SIGNATURE
        + f"    x = {name}(a=1)\n    return x['a']\n"
    )
    with pytest.raises(ProgramError):
        read_source(text, "p.py")


@pytest.mark.parametrize("kind", ["dict", "dict[str, float]", "Mapping[str, int]"])
def test_parameters_that_are_dicts_come_with_what_to_do_instead(kind: str) -> None:
    text = f"from synth.lang import *\n@mechanism()\ndef f(counts: {kind}):\n    return 1\n"
    with pytest.raises(ProgramError, match="pass its values as a list"):
        read_source(text, "p.py")
