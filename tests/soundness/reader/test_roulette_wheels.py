"""A uniform draw is read as a place among weights only if it is one, and nothing else is asked of it."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.real_runs import compare

HEAD = """\
import bisect
import itertools
import math
import random
import numpy as np
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: int, n: int):
    w = [2.0 - abs(k - 1) + 0 * x for k in range(3)]
    v = [1.0 + 0 * k for k in range(4)]
"""

TOTAL = "total = sum(w)\n"
DRAW = "u = random.random() * total\n"
ROUND = "    acc += a\n    if u <= acc:\n        return i\nreturn 7"
LOOP = "for i, a in enumerate(w):\n"
WALK = "acc = 0.0\n" + LOOP + ROUND
INDICES = "acc = 0.0\nfor i in range(3):\n    acc += w[i]\n    if u <= acc:\n        return i\nreturn 7"

SUMS = TOTAL + DRAW + "cum = []\nacc = 0.0\nfor a in w:\n    acc += a\n    cum.append(acc)\n"
WALK_OVER_SUMS = "for i, c in enumerate(cum):\n    if u <= c:\n        return i\nreturn 7"

REFUSED = {
    # The number is used otherwise, too.
    "it is returned": TOTAL + DRAW + WALK.replace("return i", "return u"),
    "what is left of it is returned": TOTAL
    + DRAW
    + LOOP
    + "    u -= a\n    if u <= 0:\n        return u\nreturn 7",
    "it is shown": TOTAL + DRAW + "print(u)\n" + WALK,
    "what is made of it is shown": TOTAL + DRAW + "z = 2 * u\nprint(z)\n" + WALK,
    "it is kept in a list": TOTAL + DRAW + "seen = []\nseen.append(u)\n" + WALK,
    "it is an index": TOTAL + DRAW + "j = int(u)\n" + WALK.replace("return i", "return i + j"),
    "it is noise, too": TOTAL + DRAW + WALK.replace("return i", "return i - math.log(u / total)"),
    "it is compared with a number": TOTAL + DRAW + "if u > 1:\n    return 9\n" + WALK,
    "it is compared with private data": TOTAL + DRAW + "if u > x:\n    return 9\n" + WALK,
    "it is compared with sums of others": (
        TOTAL + DRAW + "b = 0.0\nk = 0\nfor c in v:\n    b += c\n    if u > b:\n        k += 1\n" + WALK
    ),
    "it is a divisor": TOTAL + DRAW + "z = 1 / u\n" + WALK,
    "equality": TOTAL + DRAW + WALK.replace("u <= acc", "u == acc"),
    "it decides what is raised": TOTAL + DRAW + "if u > 1:\n    raise ValueError(1)\n" + WALK,
    "two draws": TOTAL + "u = (random.random() + random.random()) * total\n" + WALK,
    "a square": TOTAL + "u = random.random()\nu = u * u * total\n" + WALK,
    # The total is not that of the weights.
    "too large": TOTAL + "total = total + 1\n" + DRAW + WALK,
    "too large by private data": "total = sum(w) + abs(x)\n" + DRAW + WALK,
    "too small": "total = sum(w) - 0.5\n" + DRAW + WALK,
    "half of it": TOTAL + "u = random.random() * total / 2\n" + WALK,
    "twice as much": TOTAL + DRAW + "u = 2 * u\n" + WALK,
    "moved": TOTAL + "u = random.random() * total + 0.5\n" + WALK,
    "the other way": TOTAL + "u = total - random.random() * total * 2\n" + WALK,
    "the total of others": "total = sum(v)\n" + DRAW + WALK,
    "the total of the first": "total = w[0] + w[1]\n" + DRAW + WALK,
    "the total of all but the first": "total = sum(w[1:])\n" + DRAW + WALK,
    "the total of some": "total = sum(c for c in w if c > 1)\n" + DRAW + WALK,
    "the total before one is added": TOTAL + "w.append(3.0)\n" + DRAW + WALK,
    "the total of a loop that is left": (
        "total = 0.0\nfor c in w:\n    if c > 1:\n        break\n    total += c\n" + DRAW + WALK
    ),
    "chances that are none": "u = random.random()\n" + WALK,
    "chances by another sum": "t = sum(v)\nw = [c / t for c in w]\nu = random.random()\n" + WALK,
    "chances by a sum that changes": (
        "t = sum(w)\nt = t + 1\nw = [c / t for c in w]\nu = random.random()\n" + WALK
    ),
    # The walk goes over other sums.
    "a start that is not 0": TOTAL + DRAW + WALK.replace("acc = 0.0", "acc = 0.25"),
    "a private start": TOTAL + DRAW + WALK.replace("acc = 0.0", "acc = 0.25 * x"),
    "from the second on": TOTAL + DRAW + INDICES.replace("range(3)", "range(1, 3)"),
    "every other": TOTAL + DRAW + INDICES.replace("range(3)", "range(0, 3, 2)"),
    "backwards without the last": TOTAL + DRAW + INDICES.replace("range(3)", "range(1, -1, -1)"),
    "backwards by two": TOTAL + DRAW + INDICES.replace("range(3)", "range(2, -1, -2)"),
    "forwards and backwards": (
        TOTAL
        + DRAW
        + INDICES.replace("range(3)", "range(2, -1, -1)")
        .replace("return i", "k = i")
        .replace("\nreturn 7", "\n")
        + INDICES
    ),
    "what is left of 1, twice": TOTAL + "u = (1 - 2 * random.random()) * total\n" + WALK,
    "what is left of 2": TOTAL + "u = (2 - random.random()) * total\n" + WALK,
    "what is left of half of it": TOTAL + "u = total / 2 - random.random() * total\n" + WALK,
    "what is left of 1, moved": TOTAL + "u = (1 - random.random()) * total + 0.5\n" + WALK,
    "what is left of the total of others": TOTAL + "u = sum(v) - random.random() * total\n" + WALK,
    "the draw and what is left of 1": (
        TOTAL + DRAW + WALK.replace("return i", "k = i").replace("\nreturn 7", "\nu = total - u\n") + WALK
    ),
    "the draw, and what is left of 1 in the same round": (
        TOTAL + DRAW + WALK.replace("u <= acc", "u <= acc or total - u <= acc")
    ),
    "what is left of 1 and chances that are none": "u = 1 - random.random()\n" + WALK,
    "another first sum": SUMS.replace("append(acc)", "append(acc if cum else 2 * a)") + WALK_OVER_SUMS,
    "a first sum of another": SUMS.replace("append(acc)", "append(acc if v else a)") + WALK_OVER_SUMS,
    "other sums behind the first": (
        SUMS.replace("append(acc)", "append(2 * acc if cum else a)") + WALK_OVER_SUMS
    ),
    "a first sum again and again": SUMS.replace("append(acc)", "append(a if cum else acc)") + WALK_OVER_SUMS,
    "sums in a list that has one": SUMS.replace("cum = []", "cum = [0.5]") + WALK_OVER_SUMS,
    "a first sum that a branch changes": (
        "y = w[0]\n" + SUMS.replace("    cum.", "    if x > 0:\n        y = 7.0\n    cum.") + WALK_OVER_SUMS
    ).replace("append(acc)", "append(acc if cum else y)"),
    "a first sum that changes in each round": (
        "y = w[0]\n" + SUMS.replace("    cum.", "    y = y + 1\n    cum.") + WALK_OVER_SUMS
    ).replace("append(acc)", "append(acc if cum else y)"),
    "a first sum that is a number": (
        SUMS.replace("append(acc)", "append(acc if cum else 0.5)") + WALK_OVER_SUMS
    ),
    "sums of others, accumulated": (TOTAL + DRAW + "cum = list(itertools.accumulate(v))\n" + WALK_OVER_SUMS),
    "another entry": TOTAL + DRAW + INDICES.replace("range(3)", "range(2)").replace("w[i]", "w[i + 1]"),
    "one entry again and again": TOTAL + DRAW + INDICES.replace("w[i]", "w[1]"),
    "entries of others": TOTAL + DRAW + WALK.replace("enumerate(w)", "enumerate(v)"),
    "more than an entry": TOTAL + DRAW + WALK.replace("acc += a", "acc += a + 0.25"),
    "less than an entry": TOTAL + DRAW + WALK.replace("acc += a", "acc += a - 0.25"),
    "entries that are doubled": TOTAL + DRAW + WALK.replace("acc += a", "acc += 2 * a"),
    "an entry that is taken off": TOTAL + DRAW + WALK.replace("acc += a", "acc -= a"),
    "twice in a round": TOTAL + DRAW + "acc = 0.0\n" + LOOP + "    acc += a\n" + ROUND,
    "in a branch": TOTAL + DRAW + WALK.replace("acc += a", "acc += a if x > 0 else 0.0"),
    "in a block": TOTAL + DRAW + "acc = 0.0\n" + LOOP + "    if a > 1:\n        continue\n" + ROUND,
    "behind a break": (
        TOTAL + DRAW + "acc = 0.0\nfor r in range(2):\n    for i, a in enumerate(w):\n        acc += a\n"
        "        if u <= acc:\n            return i\nreturn 7"
    ),
    "a start that a loop made": (
        TOTAL + DRAW + "acc = 0.0\nfor a in w:\n    acc += a\n    if acc > 1:\n        break\n" + LOOP + ROUND
    ),
    "a counter that starts again": (
        TOTAL
        + DRAW
        + "acc = 0.0\ni = 0\nfor r in range(4):\n    acc += w[i]\n    if u <= acc:\n        return r\n"
        "    i += 1\n    if i > 1:\n        i = 0\nreturn 7"
    ),
    "a counter that takes two steps": (
        TOTAL + DRAW + "acc = 0.0\ni = 0\nwhile i < 3:\n    acc += w[i]\n    if u <= acc:\n        return i\n"
        "    i += 2\nreturn 7"
    ),
    "the place is compared with another sum": TOTAL + DRAW + WALK.replace("u <= acc", "u <= acc * 2"),
    "a sum and something": TOTAL + DRAW + WALK.replace("u <= acc", "u <= acc + 0.25"),
    "numbers that are taken off twice": (
        TOTAL + DRAW + LOOP + "    u -= a\n    if u - a <= 0:\n        return i\nreturn 7"
    ),
    # The weights change.
    "an entry that changes": TOTAL + DRAW + "w[1] = 5.0\n" + WALK,
    "an entry that changes in the walk": TOTAL + DRAW + INDICES.replace("    if", "    w[2] = 0.5\n    if"),
    "a list that is made anew": TOTAL + DRAW + "w = [c + 1 for c in w]\n" + WALK,
    "a number that they are made of": (
        "s = 1.0\nt = sum(c * s for c in w)\nu = random.random() * t\ns = 2.0\nacc = 0.0\n"
        "for i, a in enumerate(w):\n    acc += a * s\n    if u <= acc:\n        return i\nreturn 7"
    ),
    "weights that know the draw": (
        "u = random.random()\nw.append(u)\ntotal = sum(w)\nu = u * total\n" + WALK
    ),
    "weights that are divided by the draw": (
        TOTAL
        + "u = random.random()\nt = u * (total / u)\nacc = 0.0\n"
        + LOOP
        + "    acc += a / u\n    if t <= acc:\n        return i\nreturn 7"
    ),
    "weights that are other draws": "w = [random.random() for k in range(3)]\n" + TOTAL + DRAW + WALK,
    "a draw of the round before": (
        TOTAL + "u = 0.5\nk = 7\nfor r in range(2):\n    acc = 0.0\n    for i, a in enumerate(w):\n"
        "        acc += a\n"
        "        if u <= acc:\n            k = i\n            break\n"
        "    u = random.random() * total\nreturn k"
    ),
    "a draw on one side": (TOTAL + "u = 0.5\nif x > 0:\n    u = random.random() * total\n" + WALK),
}

SAME = {
    "backwards beyond the first": TOTAL + DRAW + INDICES.replace("range(3)", "range(2, -2, -1)"),
    "a total that comes later": "u = random.random()\n" + TOTAL + "u = u * total\n" + WALK,
    "one draw for two answers": (
        TOTAL
        + DRAW
        + "out = []\nfor r in range(2):\n    k = 7\n    acc = 0.0\n    for i, a in enumerate(w):\n"
        "        acc += a\n        if u <= acc:\n            k = i\n            break\n"
        "    out.append(k)\nreturn out"
    ),
    "a walk that ends early": TOTAL + DRAW + INDICES.replace("range(3)", "range(2)"),
    "a walk that tells the sum": TOTAL + DRAW + WALK.replace("return i", "return acc"),
    "a name that is used again": TOTAL + DRAW + WALK.replace("return 7", "u = 7\nreturn 7"),
}

NOT_ASCENDING = {
    "backwards": "cum[::-1]",
    "reversed": "list(reversed(cum))",
    "from the last on": "[cum[2 - i] for i in range(3)]",
    "from the second on, and the first": "[cum[(i + 1) % 3] for i in range(3)]",
}

NO_SIDES = ("'foo'", "'Right'", "None", "1", "'foo' if x > 0 else 'left'")


def text(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_it_is_refused(body: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(body), "p.py")


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_it_is_read_as_it_runs(body: str) -> None:
    read_source(text(body), "p.py")
    assert compare(text(body), random.Random(1), 3) == "same"


NEEDED = {
    "a square": "one uniform draw in each comparison",
    "it is compared with sums of others": "with each weight once",
    "the total of the first": "the sum of all weights times the uniform draw",
    "chances that are none": "weights divided by their sum",
    "from the second on": "sums from the first weight, or the last one, on",
    "backwards without the last": "sums from the first weight, or the last one, on",
    "the draw and what is left of 1": "the same weights, in one order",
    "it is returned": r"no other use of the uniform draw .* \(line 19\)",
}


@pytest.mark.parametrize("name", NEEDED)
def test_it_is_told_what_a_draw_by_weights_needs(name: str) -> None:
    with pytest.raises(ProgramError, match=f"; a draw by weights needs .*{NEEDED[name]}") as error:
        read_source(text(REFUSED[name]), "p.py")
    assert error.value.line is not None and error.value.column is not None


@pytest.mark.parametrize("body", ["u = random.random()\nreturn x + u * u", "u = random.random()\nreturn u"])
def test_nothing_is_told_of_weights_where_there_are_none(body: str) -> None:
    with pytest.raises(ProgramError) as error:
        read_source(text(body), "p.py")
    assert "weights" not in error.value.message


@pytest.mark.parametrize("search", ["bisect.bisect_left", "bisect.bisect", "np.searchsorted"])
@pytest.mark.parametrize("sums", NOT_ASCENDING.values(), ids=NOT_ASCENDING)
def test_where_sums_do_not_ascend_nothing_is_said_of_a_search(search: str, sums: str) -> None:
    found = text(SUMS + f"return int({search}({sums}, u))")
    assert compare(found, random.Random(1), 3) == "undefined"


@pytest.mark.parametrize("side", NO_SIDES)
def test_a_side_that_numpy_does_not_know_is_no_side(side: str) -> None:
    found = text(SUMS + f"return int(np.searchsorted(cum, u, side={side}))")
    compare(found, random.Random(1), 8)


@pytest.mark.parametrize(
    "given", ["(c for c in cum)", "map(float, cum)", "reversed(cum)", "set(cum)", "{}", "cum[1]"]
)
def test_only_lists_are_searched(given: str) -> None:
    with pytest.raises(ProgramError):
        read_source(text(SUMS + f"return bisect.bisect({given}, u)"), "p.py")
