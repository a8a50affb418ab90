"""Which loops and assertions are shown to let both runs end alike, and which are not."""

from __future__ import annotations

from textwrap import indent

import pytest

from synth.prover.obligations.termination import Ending, termination
from tests.support.proving import from_text

SIGNATURE = "x: int, v: float, q: list[int], n: int, m: int, p: float, eps: float"
HEAD = (
    '@mechanism(adjacent={"x": absolute_distance(1), "v": absolute_distance(1), "q": linf_distance(1)},\n'
    '           requires="eps > 0 and 0 <= p and p < 1 and m > 0")\n'
)


def ending(body: str, before: str = "") -> Ending:
    text = f"{before}\n{HEAD}def f({SIGNATURE}):\n{indent(body.strip(), '    ')}\n"
    return termination(from_text(text)).ending


ALWAYS = {
    "no loop": "return laplace(x, 1)",
    "for": "for y in q:\n    n += laplace(y, 1)\nreturn n",
    "up": "i = 0\nwhile i < n:\n    i += 1\nreturn i",
    "down": "while n > 0:\n    n -= 2\nreturn n",
    "by a public step": "i = 0\nwhile i <= n:\n    i += m\nreturn i",
    "unequal": "i = 0\nwhile i != len(q):\n    i += 1\nreturn i",
    "private": "while x > 0:\n    x -= 1\nreturn 0",
    "reals by a constant": "while v > 0:\n    v -= 0.1\nreturn 0",
    "doubling": "k = 1\nwhile k < n:\n    k = 2 * k\nreturn k",
    "halving": "while n > 1:\n    n = n // 2\nreturn n",
    "noise decides how": "while n > 0:\n    n -= 1 if laplace(x, 1) > 0 else 2\nreturn n",
    "a flag": "i, done = 0, False\nwhile i < n and not done:\n    if laplace(x, 1) > 0:\n"
    "        done = True\n    else:\n        i += 1\nreturn i",
    "the flag is the comparison": "i, more = 0, n > 0\nwhile more:\n    i += 1\n    more = i < n\nreturn i",
    "a draw in the condition": "i = 0\nwhile i < n and laplace(x, 1) > 0:\n    i += 1\nreturn i",
    "left in the middle": "i = 0\nwhile True:\n    i += 1\n    if i > n:\n        break\nreturn i",
    "continue": "i = 0\nwhile i < n:\n    i += 1\n    if i > 3:\n        continue\n    m += 1\nreturn i",
    "nested": "i = 0\nwhile i < n:\n    j = 0\n    while j < i:\n        j += 1\n    i += 1\nreturn i",
    "the length of a list": "out = []\nwhile len(out) < n:\n    out.append(laplace(x, 1))\nreturn out",
    "never repeated": "while x > 0:\n    return 1\nreturn 0",
}

ALMOST_ALWAYS = {
    "rejection": "y = -1\nwhile y < n:\n    y = laplace(0, 1)\nreturn y",
    "rejection above": "y = 1.0\nwhile y >= 0:\n    y = gaussian(0.0, 1)\nreturn y",
    "around private data": "while laplace(x, 1) < 0:\n    n += 1\nreturn n",
    "one-sided, upwards": "while exponential(x, 1) < n:\n    m += 1\nreturn m",
    "the draw on the right": "while n > laplace(0, 1):\n    m += 1\nreturn m",
    "coin": "while bernoulli(p):\n    n += 1\nreturn n",
    "coin, the other side": "while not bernoulli(1 - p):\n    n += 1\nreturn n",
    "two ways out": "while laplace(0, 1) < 0 and m > 0:\n    n += 1\nreturn n",
    "after a loop": "while True:\n    for y in q:\n        n += y\n    if bernoulli(0.5):\n        return 0",
}

ALIKE = {
    "for ever": "while True:\n    pass",
    "a public guard": "while n > 0:\n    pass\nreturn laplace(x, 1)",
    "public reals": "while p > 0:\n    p = p / 2\nreturn 0",
    "a public assertion": "m = n + 1\nassert m > 0\nreturn laplace(x, 1)",
    "a precondition": "k = 0\nfor y in q:\n    assert n > 0\nreturn laplace(x, 1)",
    "noise is drawn in it": "out = []\nwhile n > 0:\n    out.append(laplace(x, 1))\nreturn out",
    "a return afterwards": "while n > 0:\n    pass\nif laplace(x, 1) > 0:\n    return 1\nreturn 0",
    "a break elsewhere": "for y in q:\n    if laplace(y, 1) > 0:\n        break\n"
    "while n > 0:\n    pass\nreturn 0",
    "the length of private data": "while len(q) > 3:\n    pass\nreturn 0",
}

OPEN = {
    "private": "while x > 0:\n    pass\nreturn 0",
    "noise": "y = laplace(x, 1)\nwhile y < 1:\n    pass\nreturn 0",
    "an assertion on noise": "y = laplace(x, 1)\nassert y > 0\nreturn 0",
    "falls on one side only": "y = laplace(x, 1)\nwhile y > 0:\n    y -= bernoulli(p)\nreturn 0",
    "both sides move": "y = laplace(x, 1)\nwhile y < n:\n    y += 1\n    n += 1\nreturn 0",
    "smaller and smaller steps": "y = laplace(v, 1)\nwhile y > 0:\n    y = y / 2\nreturn 0",
    "no lower limit": "y = laplace(x, 1)\nwhile y < 10:\n    y -= 1\nreturn 0",
    "a walk": "y = 0\nwhile y <= 0:\n    y += laplace(0, 1)\nreturn 0",
    "a walk with two variables": "y, c = -1, 0\nwhile y < 0:\n    y = laplace(c, 1)\n    c -= 1\nreturn 0",
    "the threshold runs away": "while laplace(0, 1) < n:\n    n += laplace(5, 1)\nreturn 0",
    "the scale shrinks": "k = 1\nwhile laplace(0, m / k) < 3:\n    k += bernoulli(0.5)\nreturn 0",
    "one-sided, downwards": "while exponential(x, 1) > n:\n    pass\nreturn 0",
    "a coin that may never fall": "y = laplace(x, 1)\nwhile y > 0 and bernoulli(1 - p):\n    pass\nreturn 0",
    "drawn on one side only": "y = laplace(x, 1)\nwhile y < 0:\n    if n > 0:\n"
    "        y = laplace(0, 1)\nreturn y",
    "the draw is skipped": "y = laplace(x, 1)\nwhile y < 0:\n    if n > 0:\n        continue\n"
    "    y = laplace(0, 1)\nreturn y",
    "the draw is overwritten": "y = laplace(x, 1)\nwhile y < 0:\n    y = laplace(0, 1)\n    y = -1\nreturn y",
    "the test is skipped": "y = laplace(x, 1)\nwhile True:\n    z = laplace(0, 1)\n    if y > 0 and z > 0:\n"
    "        return 1",
    "a return before": "if laplace(x, 1) > 0:\n    return 1\nwhile n > 0:\n    pass\nreturn 0",
    "a private return before": "if x > 0:\n    return 1\nwhile n > 0:\n    pass\nreturn 0",
    "a return in it": "while n > 0:\n    if x > 0:\n        return 1\nreturn 0",
    "under a private branch": "if x > 0:\n    while n > 0:\n        pass\nreturn 0",
    "an assertion under a private branch": "if x > 0:\n    assert n > 0\nreturn 0",
    "what was done before a break": "for y in q:\n    if y > 0:\n        break\n    n += 1\n"
    "while n > 0:\n    pass\nreturn 0",
    "how often a loop ran": "k = 0\nwhile bernoulli(0.5):\n    k += 1\nwhile k > 0:\n    pass\nreturn 0",
    "what a list has": "h = [x]\nwhile h[0] > 0:\n    pass\nreturn 0",
    "how long a list is": "h = []\nif x > 0:\n    h.append(1)\nwhile len(h) > 0:\n    pass\nreturn 0",
    "by way of a variable": "y = 0\nif x > 0:\n    y = 1\nwhile y > 0:\n    pass\nreturn 0",
    "left by noise": "while n > 0:\n    y = laplace(x, 1)\n    if y > 0 and x > 0:\n        break\nreturn 0",
}


@pytest.mark.parametrize("case", ALWAYS)
def test_every_run_ends(case: str) -> None:
    assert ending(ALWAYS[case]) is Ending.ALWAYS


@pytest.mark.parametrize("case", ALMOST_ALWAYS)
def test_runs_end_with_probability_1(case: str) -> None:
    assert ending(ALMOST_ALWAYS[case]) is Ending.ALMOST_ALWAYS


@pytest.mark.parametrize("case", ALIKE)
def test_public_data_alone_decide(case: str) -> None:
    assert ending(ALIKE[case]) is Ending.ALIKE


@pytest.mark.parametrize("case", OPEN)
def test_what_is_not_shown(case: str) -> None:
    assert ending(OPEN[case]) is Ending.OPEN


def test_a_return_of_a_helper() -> None:
    helper = (
        "def waits(y, n):\n    if y > 0:\n        return 1\n    while n > 0:\n        pass\n    return 0\n"
    )
    assert ending("return waits(laplace(x, 1), n)", helper) is Ending.OPEN
    assert ending("return waits(n, n)", helper) is Ending.ALIKE


def test_the_weakest_is_reported_with_its_place() -> None:
    body = "    while n > 0:\n        n -= 1\n    assert m > 0\n    return laplace(x, 1)\n"
    text = f"{HEAD}def f({SIGNATURE}):\n{body}"
    found = termination(from_text(text))
    assert found.observable and found.ending is Ending.ALIKE
    assert found.span is not None and (found.span.line, found.what) == (8, "assertion")


def test_mechanisms_in_one_process_share_no_names() -> None:
    """A variable, parameter or function of one may have another sort in the next."""
    body = "while y > 0:\n    y -= 1\nreturn 0"
    for kind in ("int", "float", "bool", "int"):
        text = f"@mechanism()\ndef f(x: {kind}):\n    y = x + 0\n{indent(body, '    ')}\n"
        assert termination(from_text(text)).ending is Ending.ALWAYS
