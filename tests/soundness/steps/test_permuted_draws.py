"""A uniform draw loses what is added to it only where that is modulo its size, once; that keeps the law."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.prover.normal_form.uniform_draws import uniform_draws
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps import permutation
from synth.trusted.steps.rewriting import Permute, rewritten, taken
from tests.soundness.hunts.defined_laws import Differ, compare, law
from tests.support.refuting import mechanism

HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="n > 0 and k > 0")
def f(x: int, c: bool, n: int, k: int):
"""


def read(text: str) -> ir.Mechanism:
    body = "\n".join(f"    {row}" for row in text.strip("\n").split("\n"))
    of = mechanism(f"{HEAD}{body}\n")
    return replace(of, body=renumber(of.body))


def first_draw(of: ir.Mechanism) -> tuple[int, ...]:
    found = [*uniform_draws(of)] or [(0,)]
    return found[0]


KEY = "y = uniform_int(0, n - 1)\n"

REFUSED = {
    "another size": KEY + "return (x + y) % (n + 1)",
    "one value too few": "y = uniform_int(1, n)\nreturn (x + y) % (n - 1) if n > 1 else 0",
    "one value too many": "y = uniform_int(0, n)\nreturn (x + y) % n",
    "another number": KEY + "return (x + y) % k",
    "the key is returned, too": KEY + "return (x + y) % n, y",
    "a branch decides by the key": KEY + "z = 0\nif y > 0:\n    z = x\nreturn (z + y) % n",
    "something is asked of the key": KEY + "assert y > 0\nreturn (x + y) % n",
    "something must hold of the key": KEY + "z = 1 // (y - n)\nreturn (x + y) % n",
    "read twice": KEY + "return (x + y) % n, (2 * x + y) % n",
    "the same twice": KEY + "return ((x + y) % n) * ((x + y) % n)",
    "twice the key": KEY + "return (x + 2 * y) % n",
    "the square of the key": KEY + "return (x + y * y) % n",
    "the key taken from itself": KEY + "return (x + y - y) % n",
    "the key beside it": KEY + "return (x + y) % n + y",
    "the key is the modulus": "y = uniform_int(1, n)\nreturn x % y",
    "a part of it": KEY + "return (x + y // 2) % n",
    "not all of it": KEY + "return (x + min(y, 2)) % n",
    "the sum alone": KEY + "return x + y",
    "one key for two rounds": KEY + "s = 0\nfor i in range(2):\n    s = 2 * s + (i * x + y) % n\nreturn s",
    "the size changes": "m = n\ny = uniform_int(0, m - 1)\nm = k\nreturn (x + y) % m",
    "the size changes in a branch": "m = n\ny = uniform_int(0, m - 1)\nif c:\n    m = k\nreturn (x + y) % m",
    "the size changes in a loop": (
        "m = n\ny = uniform_int(0, m - 1)\nfor i in range(2):\n    m = m + 1\nreturn (x + y) % m"
    ),
    "set again": KEY + "if c:\n    y = x\nreturn (x + y) % n",
    "the next key is of this one": (
        "y = 0\nfor i in range(2):\n    y = uniform_int(y, y + n - 1)\nreturn (x + y) % n"
    ),
    "no uniform draw": "y = 1 if bernoulli(1/4) else 0\nreturn (x + y) % 2",
    "noise": "y = laplace(0, k)\nreturn (x + y) % n",
    "an exponent": "y = uniform_int(0, 1)\nreturn bernoulli(1/4 if (x + y) % 2 == 0 else 3/4)",
    "an old key": (
        "t = 0\ny = 0\nfor i in range(2):\n    t = t + (x + y) % n\n    y = uniform_int(0, n - 1)\nreturn t"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_permutation(name: str) -> None:
    of = read(REFUSED[name])
    with pytest.raises(Rejected) as error:
        taken(of, Permute(first_draw(of)))
    assert error.value.why.code.id == "not-permuted"
    assert all(step.rule != "Permute" for step in rewriting(of).steps)


@pytest.mark.parametrize("place", [(9,), (), (0, 0), (2,), (-2,)])
def test_a_place_without_a_draw(place: tuple[int, ...]) -> None:
    of = read(KEY + "z = x\nreturn (z + y) % n")
    assert taken(of, Permute(first_draw(of)))
    with pytest.raises(Rejected):
        taken(of, Permute(place))


PERMUTED = {
    "a sum": KEY + "return (x + y) % n",
    "a difference": KEY + "return (3 * x - y) % n",
    "from 1 on": "y = uniform_int(1, n)\nreturn (y - x) % n",
    "of another parameter": "y = uniform_int(k, k + n - 1)\nreturn (x + y) % n",
    "a number": "y = uniform_int(0, 2)\nreturn (x + y) % 3 > 1",
    "in variables": KEY + "z = x + y\nw = z + 1\nreturn w % n",
    "shares": KEY + "z = uniform_int(0, n - 1)\nreturn z, (x - y - z) % n",
    "in a branch": KEY + "if c:\n    return (x + y) % n\nreturn 0",
    "drawn in a branch": "z = 0\nif c:\n    y = uniform_int(0, n - 1)\n    z = (y + x) % n\nreturn z",
    "in a loop": """
s = 0
for i in range(2):
    y = uniform_int(0, n - 1)
    s = (s + x + y) % n
return s
""",
    "left early": """
s = 0
for i in range(2):
    y = uniform_int(0, n - 1)
    if bernoulli(1/2):
        break
    s = 2 * s + (x + y) % n
return s
""",
    "kept in a list": KEY + "xs = []\nxs.append((x + y) % n)\nreturn xs",
}


def same_law(of: ir.Mechanism, form: ir.Mechanism, name: str) -> bool:
    rng = random.Random(name)
    inputs = [
        {"x": rng.randint(-2, 2), "c": rng.random() < 0.5, "n": rng.randint(1, 3), "k": rng.randint(1, 2)}
        for _ in range(3)
    ]
    laws = [(law(of, item), law(form, item)) for item in inputs]
    return all(str(compare(one, other)).startswith("the same") for one, other in laws)


@pytest.mark.parametrize("name", PERMUTED)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(PERMUTED[name])
    found = rewriting(of)
    assert any(step.rule == "Permute" for step in found.steps)
    form, _ = rewritten(of, found.steps)
    assert same_law(of, form, name)


@pytest.mark.parametrize(
    ("condition", "name"),
    [("_is_read_once", "the key is returned, too"), ("assigned", "the size changes in a branch")],
)
def test_a_condition_that_is_left_out(monkeypatch: pytest.MonkeyPatch, condition: str, name: str) -> None:
    """Without it a step is taken that changes the law."""
    of = read(REFUSED[name])
    always = {"_is_read_once": lambda *_: True, "assigned": lambda _: set()}
    monkeypatch.setattr(permutation, condition, always[condition])
    form, _ = taken(of, Permute(first_draw(of)))
    values = {"x": 1, "c": True, "n": 3, "k": 2}
    with pytest.raises(Differ):
        compare(law(of, values), law(form, values))
