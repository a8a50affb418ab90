"""What numpy makes of Python's values: types of entries, arrays without dimensions, dicts, comparisons."""

from __future__ import annotations

import random

import pytest

from synth.trusted.frontend.reader import read_what_can_be
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """import itertools
import math
import random
import statistics
from collections import Counter
import numpy as np
import numpy.typing as npt
from synth.lang import *
@mechanism()
def f(x: int, y: float, b: bool, xs: list[int], ys: list[float], a: npt.NDArray[np.int64]):
"""

MIXED = "z = 3 if x > 0 else 3.5"
EITHER = "u = [1]\nif x > 0:\n    u.append(0.5)"

REFUSED = {
    "a product with one entry": "return np.dot(np.array([1, 2]), np.array([x]))",
    "an array of an integer or a real": f"{MIXED}\nc = np.array([z])\nc[0] = 0.7\nreturn c",
    "an entry of numbers that are written out": "c = np.full(2, [3, 3.5][int(x > 0)])\nc[0] = 0.7\nreturn c",
    "an array full of one": f"{MIXED}\nc = np.full(2, z)\nc[0] = 0.7\nreturn c",
    "an integer that is annotated as a real": "z: float = 3\nc = np.full(2, z)\nc[0] = 0.7\nreturn c",
    "the larger of an integer and a real": "c = np.array([max(x, 0.5)])\nc[0] = 0.7\nreturn c",
    "what is made of a variable itself": f"{MIXED}\nz = z * 1\nc = np.array([z])\nc[0] = 0.7\nreturn c",
    "an array with the name of its list": f"{MIXED}\nc = [z]\nc = np.array(c)\nc[0] = 0.7\nreturn c",
    "a list that got a real, under its name": f"{EITHER}\nu = np.array(u)\nu[0] = 0.7\nreturn u",
    "a number that becomes an array": f"{MIXED}\nc = 3\nc += np.array([z])\nc[0] = 0.7\nreturn c",
    "the same, in several blocks": (
        f"{MIXED}\nc = 3\nc += np.array([z])\nfor i in range(1):\n    c[i] = 0.7\nreturn c[0]"
    ),
    "by another variable": f"{MIXED}\nw = z\nz = w + 1\nw = z\nc = np.array([w])\nc[0] = 0.7\nreturn c",
    "an array like one of an integer or a real": f"{MIXED}\nreturn np.full_like(np.array([z]), 0.7)",
    "an array like one with another entry": f"{MIXED}\nreturn np.full_like(np.append(np.array([z]), 1), 0.7)",
    "the type of such an array": f"{MIXED}\nc = np.array([z])\nreturn np.array([0.7], dtype=c.dtype)",
    "the same, as an argument": f"{MIXED}\nc = np.array([z])\nreturn np.array([0.7]).astype(c.dtype)",
    "the type of truth values of a list": "return np.array([0.7], dtype=np.array([v > 0 for v in xs]).dtype)",
    "a truth value of numpy that is rounded to digits": "return np.round((a > 0)[0], 1) if len(a) > 0 else 0",
    "truth values that are rounded to digits": "return np.round(a > 0, 1)",
    "a power": "c = np.full(2, 2 ** abs(x))\nc[0] = 0.7\nreturn c",
    "a sum of nothing": "c = np.full(2, sum(ys))\nc.fill(0.7)\nreturn c",
    "a list to which a real may be appended": f"{EITHER}\nc = np.array(u)\nc[0] = 0.7\nreturn c",
    "an array of no integers": "c = np.append(np.array(xs), 1)\nc[len(c) - 1] = 0.7\nreturn c",
    "a list of an array": "c = np.append(np.array(a.tolist()), 1)\nc[len(c) - 1] = 0.7\nreturn c",
    "a matrix": f"{MIXED}\nc = np.full((2, 2), z)\nc[0, 0] = 0.7\nreturn c[0, 0]",
    "a mask": f"{MIXED}\nc = np.full(2, z)\nc[c > 0] = 0.7\nreturn c",
    "in place": f"{MIXED}\nc = np.full(2, z)\nc += 0.5\nreturn c",
    "floor of integers": "c = np.floor(a)\nreturn c",
    "ceil of an integer": "c = np.full(2, np.ceil(x))\nreturn c",
    "a number that np.where chooses": "z = np.where(x > 0, 1.0, 0.0)\nu = z\nz += y\nreturn u",
    "a sum of a dict": "return np.sum({1: y})",
    "a mean of a dict": "return np.mean({1: y})",
    "a function of a tuple": "return np.logical_not((x, 2))",
    "how many entries tuples have": "return np.size([(x, 1), (2, 0)])",
    "a sum of a generator": "return np.sum(v for v in xs)",
    "counts that are given": 'return Counter({"a": x})["a"]',
    "a list and an array": "c = [y, 1.0]\nc += np.ones(2)\nreturn c",
    "a slice of a dict": "d = {1: x}\nreturn d[:1]",
    "the type of a number of numpy": "return 0 if isinstance(np.int64(x), int) else x",
    "whether a number of numpy is a tuple": "return np.int64(x) == (1,)",
    "a mean that is rounded": "return statistics.mean(a)",
    "how often reals occur": "return np.bincount(ys, minlength=3)",
    "a sign of a truth value": "return np.sign(b)",
    "a truth value as a length": "return np.zeros(b)",
    "a list so many times as a truth value": "return [x, 2] * (np.array([x]) > 0)[0]",
    "a cut integer": "return math.trunc(np.array([x, 2])[0])",
    "a matrix of a truth value": "return np.ones((b, 2)).sum()",
    "an entry of nothing": "return random.choice([])",
    "how many entries arrays have": "return np.size([np.ones(2), np.ones(2)])",
    "how many entries tuples of arrays have": "return np.size((np.ones(2), np.ones(2)))",
    "a power of an array": "return math.pow(2, a)",
    "None among arrays": "return None in (a, 1)",
    "tuples with matrices": "return (np.ones((2, 2)), 1) == (1, np.ones((2, 2)))",
    "a method as a function": "return np.tolist(a)",
    "a truth value as an index": "return [1, 2][np.sum(a) > 0]",
    "a truth value as an end": "return xs[:np.sum(a) > 0]",
    "a truth value as a bound of a range": "return len(range(np.sum(a) > 0))",
    "a truth value as an index to remove": "c = [1, 2]\nc.pop(np.sum(a) > 0)\nreturn c",
    "a truth value that turns an order": "return sorted(xs, reverse=np.sum(a) > 0)",
    "a sum of a list as an index": "return [1, 2, 3][np.sum(xs) % 3]",
    "a sum of an array as an index": "c = np.array([v for v in xs if v > 0])\nreturn [1, 2, 3][c.sum() % 3]",
    "how many of a list": "return [1, 2, 3][np.array([v > 0 for v in xs]).sum() % 3]",
    "a product of a list as a length": "return np.zeros(abs(np.prod(xs)))",
    "a scalar product as an end": "return ys[:np.dot(xs, xs)]",
    "a sum of a list as the end of a draw": "return random.randint(0, abs(np.sum(xs)))",
    "an entry behind a list, as an index": "return [1, 2, 3][np.append(xs, 1)[0] % 3]",
    "truth values behind those of a list": "return ~np.append([v > 0 for v in xs], True)",
    "counts of entries behind a list": "return np.bincount(np.concatenate([np.array(xs), a]), minlength=4)",
    "sums of truth values": "return list(itertools.accumulate(a > 0))",
    "a power of a sum of a list": "return np.sum(xs) ** -1",
    "a power to a sum of a list": "z = np.sum(xs)\nreturn 2 ** z",
    "a power in place of what may be integers": "c = np.array([3 if x > 0 else 0.5])\nc **= -1\nreturn c",
    "the type of entries that is compared": "return a.dtype == np.int64",
    "the type of what may be integers": "return np.array([3 if x > 0 else 0.5]).dtype == int",
    "functions that are compared": "return x if math.exp != math.exp else 0",
    "ranges that are compared": "return range(x) == range(x)",
    "types that are compared": "return float == float",
    "an array of truth values and a list": "return (a > 0) & [v > 0 for v in xs]",
    "the same in place": "c = a > 0\nc |= [v > 0 for v in xs]\nreturn c",
    "a truth value with a sign": "return +(np.array([x]) > 0)[0]",
    "a truth value of numpy that is known, as an index": "return [1, 2][np.isfinite(y)]",
    "the same, as an end": "return xs[np.isnan(y):]",
    "a truth value of numpy as a number of digits": "return round(y, (a > 0)[0]) if len(a) > 0 else 0",
    "a truth value of numpy as a number of times": "return list(itertools.repeat(1, np.any(a > 0)))",
}

UNKNOWN = {
    "the sign of a zero": "return math.copysign(1.0, y * 0.0)",
    "what no truth values are": "return (~np.array([v > 0 for v in xs])).sum()",
    "a selection by no truth values": "c = np.array(xs)\nreturn c[np.array([v > 0 for v in xs])].sum()",
    "how often no integers occur": "return np.bincount(np.clip(xs, 0, 2), minlength=3)",
    "how often they occur, by another name": "h = np.bincount\nreturn h(np.clip(xs, 0, 2), minlength=3)",
    "a selection by no integers": "return np.ones(3)[np.clip(xs, 0, 2)].sum()",
    "a change where no truth values hold": "c = a.copy()\nc[np.array([v > 0 for v in xs])] = 0\nreturn c",
    "an infinity that is put into integers": "g = np.array([x, 2])\ng = g + 1\ng[-1] /= g[0]\nreturn 0",
    "an empty list that is added to integers": "a = a.copy()\na += xs\nreturn 0",
    "an empty list that is added to some of them": "c = a.copy()\nc[1:] -= xs\nreturn 0",
}
"""What must be shown, and can't be of all inputs."""

READ = {
    "zeros": "c = np.zeros(2)\nc[0] = 0.7 * y\nc += 0.5\nreturn c",
    "zeros that are integers": "c = np.zeros(2, dtype=int)\nc[0] = y\nreturn c",
    "an array like another one": "c = np.zeros_like(a)\nc[0:1] = y\nreturn c",
    "a copy": "c = a.copy()\nc[0:1] = y\nreturn c",
    "an array of a parameter": "c = np.array([y, 1])\nc[0] = 0.7\nreturn c",
    "an array with a type": f"{MIXED}\nc = np.full(2, z).astype(float)\nc[0] = 0.7\nreturn c",
    "a function of a range": "return np.where(range(3), 1, 0).sum(), np.sum(range(x)), np.array(range(x))",
    "an array with a dtype": f"{MIXED}\nc = np.full(2, z, dtype=float)\nc[0] = 0.7\nreturn c",
    "an array that is not None": "return 0 if a is None else len(a)",
    "several arrays": "return np.concatenate([np.ones(2), np.ones(1)]).sum() + np.hstack((a, a)).sum()",
    "a list of reals": "c = np.array(ys)\nc[c > 0] = 0.7\nreturn c",
    "an integer in any array": f"{MIXED}\nc = np.full(2, 3)\nc[0] += x\nreturn c",
    "a list that is extended": "c = [y, 1.0]\nc.extend(np.ones(2))\nreturn c",
    "counts of values": 'return Counter({"a": x}.values())[1]',
    "an array or a tuple": (
        "d = {1: 1, 2: 0}\nfor k in d:\n    d[k] += 1\n    u = np.array([0.5]) if k == 1 else (0.5,)\n"
        "    if x > 0 or k == 2:\n        return u"
    ),
    "truth values that are written": "return [1, 2][True], sorted(xs, reverse=True)",
    "a truth value as an integer": "return [1, 2][int(np.sum(a) > 0)]",
    "a sum as a number": "return np.sum(xs) / 2, np.sum(xs) // 2, int(np.sum(xs)) % 2, np.sum(xs) == 0",
    "a sum as an index": "return [1, 2, 3][int(np.sum(xs)) % 3], [1, 2, 3][np.sum(a) % 3]",
    "how often integers occur": "return np.bincount([v for v in xs if 0 <= v < 3], minlength=3)",
    "a comparison's inverse": "c = np.array(xs)\nreturn (~(c > 0)).sum(), c[c > 0].sum()",
}


def _text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    found, refused = read_what_can_be(_text(REFUSED[name]), "p.py")
    assert not found and refused


@pytest.mark.parametrize("name", UNKNOWN)
def test_it_must_be_shown(name: str) -> None:
    assert compare(_text(UNKNOWN[name]), random.Random(name)) in ("undefined", "same")
    (found,), _ = read_what_can_be(_text(UNKNOWN[name]), "p.py")
    assert any(isinstance(part, ir.Obligation) for part in ir.statements(found.body))


@pytest.mark.parametrize("name", READ)
def test_it_is_read_as_it_runs(name: str) -> None:
    assert compare(_text(READ[name]), random.Random(name)) == "same"
