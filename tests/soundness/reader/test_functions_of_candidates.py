"""The function that weighs candidates: it may compute with loops, and change nothing that is not its own.

Python calls it once for each candidate.  What it changes elsewhere was once left out, so a program that
publishes it was proved.
"""

from __future__ import annotations

import pytest

from synth.trusted.core.interpreter import Distribution, distribution
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

CLASSES = """
class Log:
    def __init__(self, q):
        self.q = q
        self.last = 0
        self.seen = []
    def score(self, r):
        self.last = self.last + self.q[r]
        return self.q[r]
    def add(self, r):
        self.seen.append(self.q[r])
        return self.q[r]
def largest(xs, r):
    best = xs[0]
    for x in xs:
        best = max(best, x)
    return best - xs[r]
def pick(n, score):
    return choice(n, score)
"""

CHANGES = {
    "an attribute": "log = Log(q)\ni = choice(len(q), lambda r: log.score(r))\nreturn i, log.last",
    "an attribute, in a sum": (
        "log = Log(q)\ni = choice(len(q), lambda r: sum(log.score(r) for _ in range(2)))\nreturn i, log.last"
    ),
    "the count": "log = Log(q)\nlog.last = 2\nreturn choice(log.last, lambda r: log.score(r))",
    "a list": "log = Log(q)\ni = choice(len(q), lambda r: log.add(r))\nreturn i, len(log.seen)",
    "an attribute, of a score": (
        "log = Log(q)\ni = exponential_mechanism(len(q), lambda r: log.score(r), 1, 1)\nreturn log.last"
    ),
    "a list, by a function with a name": (
        "seen = []\ndef score(r):\n    seen.append(q[r])\n    return 0\n"
        "i = choice(len(q), score)\nreturn i, len(seen)"
    ),
    "an attribute, by a method": "log = Log(q)\ni = choice(len(q), log.score)\nreturn i, log.last",
    "a draw": "return choice(len(q), lambda r: laplace(q[r], 1))",
    "a draw in a loop": "return choice(len(q), lambda r: sum(laplace(v, 1) for v in q))",
}

ALIKE = {
    "a count": (
        "return choice(3, lambda r: sum(1 for v in q if v == r))",
        "cs = []\nfor r in range(3):\n    c = 0\n    for v in q:\n        if v == r:\n            c += 1\n"
        "    cs.append(c)\nreturn choice(3, lambda r: cs[r])",
    ),
    "two counts, beside the index": (
        "return choice(3, lambda r: r * sum(1 for v in q if v > r) - abs(sum(v for v in q if v < r)))",
        "a = []\nb = []\nfor r in range(3):\n    c = 0\n    d = 0\n    for v in q:\n"
        "        c += 1 if v > r else 0\n        d += v if v < r else 0\n    a.append(c)\n    b.append(d)\n"
        "return choice(3, lambda r: r * a[r] - abs(b[r]))",
    ),
    "an entry of a list that is made for it": (
        "return exponential_mechanism(len(q), lambda r: sorted(q)[r], 1, 2)",
        "s = sorted(q)\nreturn exponential_mechanism(len(q), lambda r: s[r], 1, 2)",
    ),
    "a function with a loop": (
        "return choice(len(q), lambda r: largest(q, r))",
        "m = max(q)\nreturn choice(len(q), lambda r: m - q[r])",
    ),
    "a function within": (
        "def score(r):\n    below = 0\n    for v in q:\n        below += v < r\n    return below\n"
        "return choice(3, score)",
        "return choice(3, lambda r: sum(1 for v in q if v < r))",
    ),
    "a function of a variable": (
        "score = lambda r, w=2: w * q[r]\nreturn exponential_mechanism(len(q), score, 1, 1)",
        "return exponential_mechanism(len(q), lambda r: 2 * q[r], 1, 1)",
    ),
    "what is around a function, as it is when it is called": (
        "w = 1\ndef score(r):\n    return w * q[r]\nw = 2\nreturn choice(len(q), score)",
        "return choice(len(q), lambda r: 2 * q[r])",
    ),
    "a function with an argument that is given": (
        "return choice(len(q), partial(largest, q))",
        "m = max(q)\nreturn choice(len(q), lambda r: m - q[r])",
    ),
    "a function that a function is given": (
        "return pick(len(q), lambda r: 2 * q[r])",
        "return choice(len(q), lambda r: 2 * q[r])",
    ),
    "an object of its own": (
        "return choice(len(q), lambda r: Log(q).score(r))",
        "return choice(len(q), lambda r: q[r])",
    ),
}


def read(body: str) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    head = f"from functools import partial\nfrom synth.lang import *\n{CLASSES}"
    text = f"{head}\n@mechanism()\ndef f(q: list[int]):\n{lines}"
    (found,) = read_source(text, "f.py")
    return found


def outputs(body: str, q: tuple[int, ...]) -> Distribution:
    return distribution(read(body), {"q": q}, 3)


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_not_its_own_stays(name: str) -> None:
    with pytest.raises(ProgramError, match=r"must (not change|only compute)"):
        read(CHANGES[name])


@pytest.mark.parametrize("name", ALIKE)
def test_loops_are_run_for_each_candidate(name: str) -> None:
    one, other = ALIKE[name]
    for q in ((0, 1, 1), (2, 0, 3, 1)):
        assert outputs(one, q) == outputs(other, q)
