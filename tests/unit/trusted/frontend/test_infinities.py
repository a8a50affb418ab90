"""Infinity where a maximum starts, truth values with ``&|^``, and functions of the standard library."""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.table_runs import assert_as_python

HEADER = (
    "import math\nimport operator\nimport statistics\nfrom functools import partial\n"
    "from math import inf\nfrom synth.lang import *\n\n\n"
    "def larger(a, b):\n    return a if a > b else b\n\n\n"
)
SIGNATURE = "@mechanism(adjacent={'q': linf_distance(1)})\ndef f(q: list[int], r: list[int], n: int):\n"


def text_of(body: str) -> str:
    return HEADER + SIGNATURE + "".join(f"    {line}\n" for line in body.splitlines())


LOOP = "best = {}\nplace = -1\nfor i in range(len(q)):\n    {}\n"
BODIES = {
    "a maximum": LOOP.format("-math.inf", "if q[i] > best:\n        best, place = q[i], i") + "return place",
    "a minimum": LOOP.format("inf", "if q[i] <= best:\n        best, place = q[i], i") + "return place",
    "from the other side": LOOP.format("float('-inf')", "if best < q[i]:\n        best = q[i]")
    + "return best == -inf, best != inf, best > n, n >= best, best <= n",
    "max of two": LOOP.format("float('-inf')", "best = max(best, q[i])") + "return best > n, -best < n",
    "min of two": LOOP.format("math.inf", "best = min(q[i], best, n)") + "return best < inf, best == n",
    "max that may be infinite": LOOP.format("inf", "best = max(n, best)") + "return best > n, n",
    "constants": "return n < inf, -inf < n, inf > -inf, -inf == inf, min(n, inf), max(-inf, n, 2)",
    "truth": "best = inf\nfor v in q:\n    best = v\nreturn 1 if best else 2, n",
    "an argument": "best = -inf\nfor v in q:\n    best = larger(best, v)\nreturn best == -inf, n",
    "either": "a = inf if n > 1 else n\nreturn a > 5, a == n, n",
    "truth values": "a = n > 0\nb = len(q) > 1\na ^= b\nreturn a, a & b, a | b, a ^ (n > 1)",
    "powers": "return math.pow(n, 2), math.fabs(n), math.trunc(n / 2), math.copysign(n, n - 1)",
    "sums": "return math.fsum(q), math.prod(q), math.prod([n, 2], start=3)",
    "means": "return statistics.mean(q), statistics.median(r), statistics.median_low(q), n",
    "operators": "return n, max(q, key=operator.neg), sum(map(partial(operator.mul, n), r))",
}


@pytest.mark.parametrize("name", BODIES)
def test_it_is_what_python_computes(name: str) -> None:
    body = BODIES[name]
    if name == "means":
        body = "if not q or not r:\n    return 0\n" + body
    if name == "operators":
        body = "if not q:\n    return 0\n" + body
    assert_as_python(text_of(body))


REFUSED = {
    "a sum": ("return n + inf", "infinity is only supported in"),
    "an output": ("return inf", "infinity is only supported in"),
    "an entry": ("x = [inf]\nreturn len(x)", "infinity is only supported in"),
    "both signs": ("a = inf\nif n > 1:\n    a = -inf\nreturn a > 0", "is both"),
    "both signs in one": ("return max(-inf, inf) > n", "of infinities of both signs"),
    "none and infinity": ("a = None\nif n > 1:\n    a = inf\nreturn a is None", "is both"),
    "nan": ("return float('nan')", "numbers are finite"),
    "operators of integers": ("return n ^ 2", "the operator '.' is not supported"),
    "operators of a truth value and a number": ("return (n > 1) & 2", "the operator '.' is not supported"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body, message = REFUSED[name]
    with pytest.raises(ProgramError, match=message):
        read_source(text_of(body), "p.py")


def test_that_what_is_given_out_is_finite_is_to_be_shown() -> None:
    body = "best = -inf\nfor v in q:\n    best = max(best, v)\nreturn best"
    (mechanism,) = read_source(text_of(body), "p.py")
    assert any(
        "infinity" in item.reason for item in ir.statements(mechanism.body) if isinstance(item, ir.Obligation)
    )
