"""One round of a loop that draws anew until it is left: which loops have one, and what it says of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.trusted.core.interpreter import distribution
from synth.trusted.frontend.reader import read_source
from synth.trusted.normal_form.retries import NoRound, one_round
from synth.trusted.program import syntax as ir

HEAD = 'from synth.lang import *\n\n@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'


def _read(body: str) -> ir.Mechanism:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    (found,) = read_source(f"{HEAD}def f(x: int, eps: float):\n{lines}", "f.py")
    return found


SAME_LAW = {
    "while True": ("while True:\n    k = uniform_int(0, 7)\n    if k + x < 6:\n        return k"),
    "break, and more behind": (
        "while True:\n"
        "    k = uniform_int(0, 7)\n"
        "    if k < 6 + x:\n"
        "        break\n"
        "if bernoulli(1 / 2):\n"
        "    k = k + x\n"
        "return k"
    ),
    "drawn before": "k = uniform_int(0, 7)\nwhile k > 5 - x:\n    k = uniform_int(0, 7)\nreturn k",
    "a flag": (
        "done = False\nk = 0\nwhile not done:\n    k = uniform_int(0, 3)\n    done = k != x\nreturn k"
    ),
    "several ends": (
        "while True:\n"
        "    k = uniform_int(0, 3)\n"
        "    if k == x:\n"
        "        return k\n"
        "    if bernoulli(1 / 3):\n"
        "        return -1"
    ),
    "not reached": ("if x > 0:\n    return 9\nwhile True:\n    if bernoulli(1 / 2):\n        return 1"),
    "computed before": (
        "total = 0\n"
        "for i in range(3):\n"
        "    total = total + x\n"
        "while True:\n"
        "    k = uniform_int(0, 3)\n"
        "    if k <= total:\n"
        "        return k"
    ),
    "a loop in each round": (
        "while True:\n"
        "    k = 0\n"
        "    for i in range(3):\n"
        "        if bernoulli(1 / 4):\n"
        "            k += 1\n"
        "    if k > x:\n"
        "        break\n"
        "for i in range(k):\n"
        "    k += i\n"
        "return k"
    ),
    "a list of each round": (
        "while True:\n"
        "    xs = []\n"
        "    xs.append(uniform_int(0, 3))\n"
        "    xs.append(uniform_int(0, 3))\n"
        "    if xs[0] + x < xs[1]:\n"
        "        return xs[1]"
    ),
}


@pytest.mark.parametrize("name", SAME_LAW)
@pytest.mark.parametrize("x", [0, 1])
def test_the_law_is_that_of_the_last_round(name: str, x: int) -> None:
    mechanism = _read(SAME_LAW[name])
    inputs = {"x": x, "eps": Fraction(1)}
    whole = distribution(mechanism, inputs, 8, 9000)
    of_round = distribution(one_round(mechanism), inputs, 8)
    assert of_round.beyond == of_round.unfinished == 0
    last = {output.values[1:]: chance for output, chance in of_round.outputs.items() if output.values[0]}
    again = sum((chance for output, chance in of_round.outputs.items() if not output.values[0]), Fraction(0))
    assert again < 1
    for values, chance in last.items():
        found = sum((item for output, item in whole.outputs.items() if output.values == values), Fraction(0))
        assert found <= chance / (1 - again) <= found + whole.unfinished
    assert whole.unfinished < Fraction(1, 1000)


REFUSED = {
    "no loop draws": ("return laplace(x, 1)", "no loop draws anew"),
    "a number of rounds": (
        "for i in range(9):\n    y = laplace(x, 1)\n    if y > 3:\n        return y\nreturn 0",
        "depends on those before",
    ),
    "rounds are counted": (
        "n = 0\nwhile True:\n    n = n + 1\n    y = laplace(x, 1)\n    if y > 3:\n        return n",
        "depends on those before",
    ),
    "the largest so far": (
        "best = 0\nwhile True:\n    y = laplace(x, 1)\n    if y > best:\n        best = y\n"
        "    if bernoulli(1 / 2):\n        return best",
        "depends on those before",
    ),
    "assigned in some rounds only": (
        "y = 0\nwhile True:\n    z = laplace(x, 1)\n    if z > 0:\n        y = z\n"
        "    if bernoulli(1 / 2):\n        return y",
        "depends on those before",
    ),
    "a list of all rounds": (
        "out = []\nwhile True:\n    y = laplace(x, 1)\n    out.append(y)\n    if y > 3:\n        return out",
        "depends on those before",
    ),
    "a threshold drawn before": (
        "t = laplace(0, 1)\nwhile True:\n    y = laplace(x, 1)\n    if y > t:\n        return y",
        "drawn before the loop",
    ),
    "another law before": (
        "y = laplace(x, 2)\nwhile y < 0:\n    y = laplace(x, 1)\nreturn y",
        "drawn before the loop",
    ),
    "a loop inside": (
        "while True:\n    y = 0\n    while y < 3:\n        y += laplace(x, 1)\n"
        "    if y > 3:\n        return y",
        "may not end",
    ),
    "a loop inside that steps back": (
        "while True:\n    y = laplace(x, 1)\n    i = 0\n    while i < 3:\n        if y > i:\n"
        "            i = i - 1\n        i = i + 1\n    if y > 3:\n        return y",
        "may not end",
    ),
    "a loop inside whose end moves": (
        "while True:\n    y = laplace(x, 1)\n    i, n = 0, 3\n    while i < n:\n        n = n + 1\n"
        "        i = i + 1\n    if y > 3:\n        return y",
        "may not end",
    ),
    "a loop inside that counts at times": (
        "while True:\n    y = laplace(x, 1)\n    i = 0\n    while i < 3:\n        if y > 0:\n"
        "            i = i + 1\n    if y > 3:\n        return y",
        "may not end",
    ),
    "a loop behind": (
        "while True:\n    y = laplace(x, 1)\n    if y > 3:\n        break\n"
        "while y > 4:\n    y -= 1\nreturn y",
        "may not end",
    ),
    "an assert inside": (
        "while True:\n    y = laplace(x, 1)\n    assert y > 3\n    if y > 5:\n        return y",
        "may not end",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_no_round_says_all(name: str) -> None:
    body, reason = REFUSED[name]
    with pytest.raises(NoRound, match=reason):
        one_round(_read(body))
