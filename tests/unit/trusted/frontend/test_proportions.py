"""Entries that are divided by their sum add up to 1: by the sum of just these, as they are at that time."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.frontend.reader import read_source

HEAD = """\
import math
import random
import numpy as np
from scipy.special import logsumexp, softmax
from synth.lang import choice, linf_distance, mechanism


@mechanism(adjacent={"s": linf_distance(1)}, requires="eps > 0 and len(s) >= 1 and 0 < k and k <= len(s)")
def f(s: list[float], t: list[float], k: int, eps: float):
"""


def core(body: str) -> str:
    """The core program of a function with this body."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    (found,) = read_source(HEAD + lines, "p.py")
    return write_core(found)


def asks(body: str) -> bool:
    """Whether it is asked that a sum is 1."""
    found = core(body)
    return " == 1.0" in found or " - 1.0) <= 1e-08" in found


SHARES = {
    "of a list that an inner loop makes": """
w = []
for i in range(len(s)):
    below = 0
    for x in t:
        if x < i:
            below += 1
    w.append(math.exp(eps * below))
v = [math.exp(x / 2) for x in w]
total = sum(v)
p = [x / total for x in v]
return np.random.choice(len(w), p=p)
""",
    "lists": """
w = [math.exp(eps * x / 2) for x in s]
total = sum(w)
p = [x / total for x in w]
return np.random.choice(len(s), p=p)
""",
    "loops": """
w = []
for x in s:
    w.append(math.exp(eps * x / 2))
total = 0.0
i = 0
while i < len(w):
    total += w[i]
    i += 1
p = []
for j in range(len(w)):
    p.append(w[j] / total)
return np.random.choice(len(s), p=p)
""",
    "arrays": """
w = np.exp(eps * np.array(s) / 2)
total = np.sum(w)
p = w / total
return np.random.choice(len(s), p=p)
""",
    "exponentials of differences from the logarithm of their sum": """
scores = eps * np.array(s) / 2
p = np.exp(scores - np.log(np.sum(np.exp(scores))))
return np.random.choice(len(s), p=p)
""",
    "scipy's logarithm of it": """
scores = eps * np.array(s) / 2
return np.random.choice(len(s), p=np.exp(scores - logsumexp(scores)))
""",
    "scipy's shares": """
return np.random.choice(len(s), p=softmax(eps * np.array(s) / 2))
""",
    "scipy's shares of a list": """
return np.random.choice(len(s), p=softmax([eps * v / 2 for v in s]))
""",
    "made anew in each round": """
out = []
for _ in range(k):
    w = np.exp(eps * np.array(s) / 2)
    total = np.sum(w)
    p = w / total
    out.append(np.random.choice(len(s), p=p))
return out
""",
}


@pytest.mark.parametrize("body", SHARES.values(), ids=SHARES)
def test_shares_of_a_sum(body: str) -> None:
    assert not asks(body)


OTHERS = {
    "another list": """
w = [math.exp(x) for x in s]
v = [math.exp(x / 2) for x in s]
total = sum(v)
p = [x / total for x in w]
""",
    "one more afterwards": """
w = [math.exp(x) for x in s]
total = sum(w)
w.append(1.0)
p = [x / total for x in w]
""",
    "shares that are changed": """
w = [math.exp(x) for x in s]
total = sum(w)
p = [x / total for x in w]
p.append(1.0)
""",
    "a sum that is changed": """
w = [math.exp(x) for x in s]
total = sum(w)
total = total + 1
p = [x / total for x in w]
""",
    "a sum that may be changed": """
w = [math.exp(x) for x in s]
total = sum(w)
if k > 1:
    total = 1.0
p = [x / total for x in w]
""",
    "a sum that begins with 1": """
w = [math.exp(x) for x in s]
total = sum(w, 1)
p = [x / total for x in w]
""",
    "a sum that leaves out the first": """
w = [math.exp(x) for x in s]
total = 0.0
i = 1
while i < len(w):
    total += w[i]
    i += 1
p = [x / total for x in w]
""",
    "a sum of every other one": """
w = [math.exp(x) for x in s]
total = 0.0
i = 0
while i < len(w):
    total += w[i]
    i += 2
p = [x / total for x in w]
""",
    "a sum that takes two steps in one": """
w = [math.exp(x) for x in s]
total = 0.0
i = 0
while i < len(w):
    total += w[i]
    i += 1
    i += 1
p = [x / total for x in w]
""",
    "a list that is sometimes longer": """
w = []
for x in s:
    w.append(math.exp(x))
    if x > 1:
        w.append(1.0)
p = [x / len(w) for x in w]
""",
    "a list that is sometimes shorter": """
w = [math.exp(x) for x in s]
total = sum(w)
p = []
for x in w:
    if x > 1:
        continue
    p.append(x / total)
""",
    "a list that is not finished": """
w = [math.exp(x) for x in s]
total = sum(w)
p = []
for x in w:
    if x > 1:
        break
    p.append(x / total)
""",
    "a sum of some": """
w = [math.exp(x) for x in s]
total = sum(x for x in w if x > 1)
p = [x / total for x in w]
""",
    "a sum of the first ones": """
w = [math.exp(x) for x in s]
total = 0.0
for i in range(k):
    total += w[i]
p = [x / total for x in w]
""",
    "a sum of running sums": """
w = [math.exp(x) for x in s]
total = 0.0
for x in w:
    total += total + x
p = [x / total for x in w]
""",
    "the sum of a round before": """
total = 1.0
p = [1.0]
for i in range(k):
    w = [math.exp(x * i) for x in s]
    p = [x / total for x in w]
    total = sum(w)
""",
    "a factor that was changed": """
a = 1.0
w = [math.exp(a * x) for x in s]
a = 2.0
v = [math.exp(a * x) for x in s]
total = sum(w)
p = [x / total for x in v]
""",
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_what_is_no_share(body: str) -> None:
    assert asks(body + "return np.random.choice(len(s), p=p)")


def score(body: str) -> str:
    """By which logarithms of weights a choice is made."""
    (line,) = (line for line in core(body).split("\n") if "weights(" in line)
    return line.split(": ")[1].rsplit(", 1.0", 1)[0]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return choice(k, lambda r: s[r] - t[0])", "s[r]"),
        ("m = max(s)\nreturn choice(k, lambda r: eps * (s[r] - m) / 2)", "eps * s[r] / 2.0"),
        ("return choice(k, lambda r: t[0] - s[r])", "-s[r]"),
        ("return choice(k, lambda r: s[r] - t[r])", "s[r] - t[r]"),
        ("return choice(k, lambda r: (s[r] - t[0]) / t[r])", "(s[r] - t[0]) / t[r]"),
        ("return choice(k, lambda r: s[r] * (t[r] - 1))", "s[r] * (t[r] - 1.0)"),
        ("return choice(k, lambda r: math.exp(s[r] - t[0]))", "exp(s[r] - t[0])"),
    ],
)
def test_terms_that_are_the_same_for_all(body: str, expected: str) -> None:
    found = score(body)
    for name in ("outcome‿1", "outcome‿2", "outcome‿3", "outcome‿4", "outcome‿5"):
        found = found.replace(name, "r")
    assert found == expected


def test_a_weight_that_is_not_known_to_be_positive_keeps_its_logarithm() -> None:
    body = "w = [x / t[0] for x in s]\nreturn random.choices(list(range(len(s))), weights=w)[0]"
    assert "log(" in score(body)


def test_a_divisor_of_its_own_for_each_index_stays() -> None:
    body = """
w = [math.exp(x) for x in s]
p = []
for i in range(len(s)):
    p.append(w[i] / math.exp(t[0] * i))
return random.choices(list(range(len(s))), weights=p)[0]
"""
    assert score(body).startswith("log(p[")


GIVEN = """\
import numpy as np
from synth.lang import absolute_distance, discrete_distance, mechanism


@mechanism(adjacent={"x": discrete_distance()}, requires="0 < eps and 0 <= x < k and k >= 2 and len(p) == k")
def f(x: int, k: int, p: list[float], q: list[float], eps: float):
"""


def of_given(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    (found,) = read_source(GIVEN + lines, "p.py")
    return write_core(found)


@pytest.mark.parametrize(
    "test",
    ["abs(sum(p) - 1) < 1e-9", "abs(1.0 - np.sum(p)) <= 1e-8", "sum(p) == 1", "sum(p) == 1 and eps < 2"],
)
def test_what_is_asserted_of_a_sum_is_known(test: str) -> None:
    assert '<= 1e-08, "domain"' not in of_given(f"assert {test}\nreturn int(np.random.choice(k, p=p))")


@pytest.mark.parametrize(
    "body",
    [
        "assert abs(sum(p) - 1) < 1e-3\nreturn int(np.random.choice(k, p=p))",
        "assert abs(sum(q) - 1) < 1e-9\nreturn int(np.random.choice(k, p=p))",
        "assert abs(sum(p) - 2) < 1e-9\nreturn int(np.random.choice(k, p=p))",
        "assert abs(2 * sum(p) - 1) < 1e-9\nreturn int(np.random.choice(k, p=p))",
        "assert abs(sum(p[1:]) - 1) < 1e-9\nreturn int(np.random.choice(k, p=p))",
        "assert abs(sum(p) - 1) < 1e-9 or eps > 1\nreturn int(np.random.choice(k, p=p))",
        "if eps > 1:\n    assert abs(sum(p) - 1) < 1e-9\nreturn int(np.random.choice(k, p=p))",
        "assert abs(sum(p) - 1) < 1e-9\np = [v + eps for v in p]\nreturn int(np.random.choice(k, p=p))",
        "p = np.array(p)\nassert abs(p.sum() - 1) < 1e-9\np[0] = eps\nreturn int(np.random.choice(k, p=p))",
    ],
)
def test_nothing_is_known_of_another_sum(body: str) -> None:
    assert " - 1.0) <= 1e-08" in of_given(body)


@pytest.mark.parametrize("made", ["np.full(k, b, dtype=float)", "[b] * k"])
def test_a_sum_that_private_data_do_not_change_is_asserted(made: str) -> None:
    found = of_given(f"a, b = p[0], p[1]\nw = {made}\nw[x] = a\nassert abs(sum(w) - 1) < 0.25\nreturn 0")
    (line,) = (line for line in found.split("\n") if "0.25" in line)
    assert line.strip().startswith("assert") and "x" not in line.replace("exp", "")


def test_shares_add_up_to_one_if_there_are_any() -> None:
    made = "w = [math.exp(v) for v in s]\ntotal = sum(w)\np = [v / total for v in w]"
    found = core(f"{made}\nassert sum(p) == 1\nreturn 0")
    assert "assert 0 < len(" in found


@pytest.mark.parametrize(
    "body",
    [
        "w = [eps] * k\nw[x] = 1.0 * x\nassert abs(sum(w) - 1) < 1e-9\nreturn 0",
        "w = [1.0 * x, eps]\nassert abs(sum(w) - 1) < 1e-9\nreturn 0",
    ],
)
def test_a_sum_of_private_numbers_is_private(body: str) -> None:
    assert "assert abs" not in of_given(body)
