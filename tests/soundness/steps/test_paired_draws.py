"""Two one-sided draws become one only where nothing but their difference is read; that keeps the law."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from synth.prover.normal_form.late_draws import without_copies
from synth.prover.normal_form.recording import rewriting
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.rewriting import Defer, Pair, rewritten, taken
from tests.soundness.hunts.defined_laws import compare, law
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and k > 0")
def f(x: int, c: bool, k: int, eps: float):
"""


def read(text: str) -> ir.Mechanism:
    body = "\n".join(f"    {row}" for row in text.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def together(of: ir.Mechanism) -> tuple[ir.Mechanism, tuple[int, ...]]:
    """The program without copies and with its first two draws in a row, and their place.  Raises Rejected."""
    of = replace(of, body=renumber(without_copies(of).body))
    first, second, *_ = (number for number, item in enumerate(of.body) if isinstance(item, ir.Draw))
    if second > first + 1:
        of, _ = taken(of, Defer((first,), second - first - 1))
    return of, (second - 1,)


TWO = "a = exponential(0, k)\nb = exponential(0, k)\n"

REFUSED = {
    "the sum": TWO + "return x + a + b",
    "one of them is returned, too": TWO + "return x + a - b, a",
    "one of them only": TWO + "return x + a",
    "twice the same": TWO + "return x + a - a",
    "the difference twice": TWO + "return x + (a - b), k * (a - b)",
    "a multiple of one": TWO + "return x + 2 * a - b",
    "the larger one": TWO + "return max(a, b)",
    "which is larger, and by how much": TWO + "return a - b if a > b else 0",
    "another scale": "a = exponential(0, k)\nb = exponential(0, k + 1)\nreturn x + a - b",
    "another law": "a = exponential(0, k)\nb = laplace(0, k)\nreturn x + a - b",
    "two-sided noise": "a = laplace(0, k)\nb = laplace(0, k)\nreturn x + a - b",
    "one around the other": "a = exponential(0, k)\nb = exponential(a, k)\nreturn x + a - b",
    "one is set again": "a = exponential(0, k)\nb = exponential(0, k)\nif c:\n    a = x\nreturn x + a - b",
    "a branch decides by one": TWO + "y = 0\nif a > 2:\n    y = x\nreturn y + a - b",
    "something is asked of one": TWO + "assert a > 1\nreturn x + a - b",
    "one is kept in a list": TWO + "xs = []\nxs.append(a)\nreturn x + a - b, xs",
    "the absolute value of one": TWO + "return x + abs(a - 3) - b",
    "one is the index": "xs = [1, 2, 3]\n" + TWO + "return xs[a % 3] - b",
    "one law is of the other": TWO + "y = laplace(a, 1)\nreturn y + a - b",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_pair(name: str) -> None:
    of = read(REFUSED[name])
    near, place = together(of)
    with pytest.raises(Rejected) as error:
        taken(near, Pair(place))
    assert error.value.why.code.id == "no-pair"
    assert all(step.rule != "Pair" for step in rewriting(of).steps)


@pytest.mark.parametrize("place", [(9,), (), (0, 0), (1,)])
def test_a_place_without_a_pair(place: tuple[int, ...]) -> None:
    of, right = together(read(TWO + "return x + a - b"))
    assert taken(of, Pair(right))
    with pytest.raises(Rejected):
        taken(of, Pair(place))


PAIRS = {
    "a sum": TWO + "return x + a - b",
    "a difference": TWO + "return x - (a - b)",
    "the other order": TWO + "return b - a + x, x > 2",
    "around something": "a = exponential(3, k)\nb = exponential(x, k)\nreturn (a - b) * 2",
    "a test of it": TWO + "return x + a - b > 2",
    "statements between them": """
a = exponential(0, k)
y = x
if c:
    y = y + 1
b = exponential(0, k)
return y - b + a
""",
    "in a loop": """
t = 0
for i in range(2):
    a = exponential(0, k)
    b = exponential(1, k)
    t += a - b
return t
""",
    "in variables": "a = exponential(0, k)\nv = a\nb = exponential(0, k)\nw = b\nreturn x + v - w",
    "the noise of an average": TWO + "y = x * 2\nreturn y + (a - b) // 2",
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(PAIRS[name])
    found = rewriting(of)
    assert any(step.rule == "Pair" for step in found.steps)
    form, _ = rewritten(of, found.steps)
    assert not any(getattr(item, "distribution", "") == "exponential" for item in ir.statements(form.body))
    rng = random.Random(name)
    for _ in range(3):
        inputs = {
            "x": rng.randint(-2, 2),
            "c": rng.random() < 0.5,
            "k": rng.randint(1, 2),
            "eps": Fraction(1),
        }
        assert str(compare(law(of, inputs), law(form, inputs))).startswith("the same")
