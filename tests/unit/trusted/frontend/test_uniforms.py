"""A uniform draw is a coin where it is compared, and noise in two formulas; elsewhere it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from synth.prover.normal_form.one_sided_noise import scaled
from synth.trusted.core.interpreter import distribution
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

HEAD = """\
import math
import random
import numpy as np
import synth.lang as lang
from synth.lang import mechanism, absolute_distance

rng = np.random.default_rng()


"""
DECORATOR = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")\n'


def text(body: str, before: str = "") -> str:
    return f"{HEAD}{before}{DECORATOR}def f(x: int, eps: float):\n    {body}\n"


def reading(body: str, before: str = "") -> ir.Mechanism:
    (found,) = read_source(text(body, before), "p.py")
    return found


def refusal(body: str, before: str = "") -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        read_source(text(body, before), "p.py")
    return caught.value


def draws(mechanism: ir.Mechanism) -> Iterator[tuple[str, object]]:
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Draw(distribution=law, arguments=arguments):
                yield law, arguments
            case ir.Choose(distribution=law, index=index, law=chances):
                yield law, repr(chances).replace(index, "index")


COINS = [
    ("random.random() < 0.25", "lang.bernoulli(0.25)"),
    ("random.random() <= 0.25", "lang.bernoulli(0.25)"),
    ("0.25 > np.random.rand()", "lang.bernoulli(0.25)"),
    ("rng.random() < math.exp(-eps)", "lang.bernoulli(math.exp(-eps))"),
    ("rng.uniform() < 0.25", "lang.bernoulli(0.25)"),
    ("random.uniform(0, 4) < 1", "lang.bernoulli(0.25)"),
    ("random.uniform(-1, 1) < -0.5", "lang.bernoulli(0.25)"),
    ("1 - random.random() > 0.75", "lang.bernoulli(0.25)"),
]


FLOORS = [
    ("int(random.random() * 6)", "lang.uniform_int(0, 5)"),
    ("math.floor(6 * rng.random())", "lang.uniform_int(0, 5)"),
    ("math.floor(random.uniform(-2, 3))", "lang.uniform_int(-2, 2)"),
    ("int(1 + rng.uniform(0, 4))", "lang.uniform_int(1, 4)"),
    ("int(np.floor(np.random.rand() * 4))", "lang.uniform_int(0, 3)"),
    ("int(random.random() * len([x, x, x]))", "lang.uniform_int(0, 2)"),
]


@pytest.mark.parametrize(("test", "choice"), FLOORS, ids=[test for test, _ in FLOORS])
def test_a_draw_without_its_fraction_is_an_integer(test: str, choice: str) -> None:
    assert list(draws(reading(f"return {test}"))) == list(draws(reading(f"return {choice}")))


def test_a_draw_that_is_cut_must_not_be_below_0() -> None:
    body = reading("return int(random.uniform(-2, 3))").body
    asked = [item.condition for item in ir.statements(body) if isinstance(item, ir.Obligation)]
    assert builders.FALSE in asked


@pytest.mark.parametrize(("test", "coin"), COINS, ids=[test for test, _ in COINS])
def test_a_comparison_is_a_coin(test: str, coin: str) -> None:
    assert list(draws(reading(f"return {test}"))) == list(draws(reading(f"return {coin}")))


def laws(body: str) -> dict[int, Fraction]:
    """The chance of each integer that a program of finitely many draws returns."""
    found = distribution(reading(body), {"x": 0, "eps": Fraction(1)}, most=1)
    result: dict[int, Fraction] = {}
    for output, chance in found.outputs.items():
        (value,) = output.values
        result[int(value)] = result.get(int(value), Fraction(0)) + Fraction(chance)
    assert sum(result.values()) == 1
    return result


THRESHOLDS = {
    "elif": """u = rng.random()
    if u < 0.25:
        return 0
    elif u < 0.5:
        return 1
    return 2""",
    "two ifs": """u = rng.random()
    if u < 0.25:
        return 0
    if u < 0.5:
        return 1
    return 2""",
    "an expression": "u = rng.random()\n    return 0 if u < 0.25 else 1 if u < 0.5 else 2",
    "one side or the other": """u = rng.random()
    if rng.random() < 0.5:
        return 0 if u < 0.25 else 1
    else:
        return 1 if u < 0.5 else 2""",
    "sides inside of sides": """u = rng.random()
    v = rng.random()
    if v < 0.25:
        n = 0 if u < 0.5 else 1
    elif v < 0.5:
        if u < 0.5:
            n = 1
        else:
            n = 2 if u < 0.75 else 0
    else:
        n = 0 if u >= 0.25 else 2
    return n""",
    "one side of an expression": """u = rng.random()
    return (0 if u < 0.25 else 1) if rng.random() < 0.5 else 2""",
    "both sides of an expression": """u = rng.random()
    b = rng.random() < 0.5
    return (0 if u < 0.25 else 1) if b else (1 if u < 0.75 else 2)""",
    "from above": "u = rng.random()\n    return 2 if u >= 0.5 else 0 if u < 0.25 else 1",
    "with and": "u = rng.random()\n    return 1 if u >= 0.25 and u < 0.5 else 0",
    "a chain": "u = rng.random()\n    return 1 if 0.25 < u < 0.5 else 0",
    "a threshold that changes": """p = 0.25
    u = rng.random()
    if u < p:
        return 0
    p = 0.5
    if u < p:
        return 1
    return 2""",
    "ends that change": """a = 0.0
    u = rng.uniform(a, 1.0)
    a = 5.0
    return 1 if u < 0.25 else 0""",
}
CHANCES = {
    "one side or the other": [0.125, 0.625, 0.25],
    "sides inside of sides": [0.5625, 0.25, 0.1875],
    "one side of an expression": [0.125, 0.375, 0.5],
    "both sides of an expression": [0.125, 0.75, 0.125],
    "with and": [0.75, 0.25],
    "a chain": [0.75, 0.25],
    "ends that change": [0.75, 0.25],
}


@pytest.mark.parametrize(("name", "body"), THRESHOLDS.items(), ids=THRESHOLDS.keys())
def test_several_thresholds_are_of_one_draw(name: str, body: str) -> None:
    expected = CHANCES.get(name, [0.25, 0.25, 0.5])
    assert sorted(laws(body).items()) == list(enumerate(map(Fraction, expected)))


LAPLACE = [
    "x - (1 / eps) * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))",
    "x + -(1 / eps) * math.copysign(1, u) * math.log(1 - 2 * abs(u))",
    "x + math.log(1 - 2 * abs(u)) * math.copysign(1, u) * (1 / eps)",
    "x - (1 / eps) * np.sign(u) * np.log(1 - 2 * np.abs(u))",
]


@pytest.mark.parametrize("formula", LAPLACE)
@pytest.mark.parametrize("draw", ["random.random() - 0.5", "rng.uniform(-0.5, 0.5)", "0.5 - random.random()"])
def test_laplace_noise_by_its_inverse_distribution_function(formula: str, draw: str) -> None:
    found = reading(f"u = {draw}\n    return {formula}")
    assert list(draws(found)) == list(draws(reading("return lang.laplace(x + 0.0, 1 / eps)")))


@pytest.mark.parametrize(
    "noise", ["-(1 / eps) * math.log(random.random())", "-math.log(1 - random.random()) * (1 / eps)"]
)
def test_exponential_noise_by_its_inverse_distribution_function(noise: str) -> None:
    """The scale comes behind the draw, since a factor may be the sign of noise with two sides."""
    found = reading(f"return x + {noise}")
    assert list(draws(found)) == list(draws(reading("return lang.exponential(0.0, 1.0)")))
    assert list(draws(scaled(found))) == list(draws(reading("return lang.exponential(0.0, 1 / eps)")))


def test_a_factor_of_standard_noise_is_its_scale() -> None:
    found = reading("return x + 3 * rng.standard_normal()")
    assert list(draws(found)) == list(draws(reading("return lang.gaussian(x + 0.0, 3.0)")))
    assert any(
        item.kind == "scale"
        for item in reading("return x * 1.5 + eps * rng.standard_normal()").body
        if isinstance(item, ir.Obligation)
    )


ONCE_IN_EACH_BLOCK = [
    "if x > 0:\n        u = random.random()\n        y = u < 0.25\n    else:\n        u = random.random()\n"
    "        y = u < 0.5\n    return y",
]


@pytest.mark.parametrize("body", ONCE_IN_EACH_BLOCK)
def test_each_block_has_a_draw_of_its_own(body: str) -> None:
    assert [law for law, _ in draws(reading(body))] == ["bernoulli"] * 2


CHANGED = [
    "u = random.random()\n    if x > 0:\n        u -= 0.5\n    return u < 0.5",
    "u = random.random()\n    for i in range(x):\n        u -= 0.5\n    return u < 0.5",
    "u = random.random()\n    while eps > 2 and x > 0:\n        u -= 0.5\n        x -= 1\n    return u < 0.5",
    "u = random.random()\n    if x > 0:\n        u = u / 2\n    return u < 0.5",
    "u = random.random()\n    if x > 0:\n        u = random.random()\n        u -= 0.5\n    return u < 0.5",
]


@pytest.mark.parametrize("body", CHANGED)
def test_a_draw_that_only_some_runs_change_is_refused(body: str) -> None:
    """Whether it was changed is not seen from the text: as the last one it would tell nothing of x."""
    assert "is a uniform draw that is assigned in several blocks" in refusal(body).message


REFUSED = {
    "returned": "return random.random()",
    "a number": "return x + random.random()",
    "rounded": "return round(random.random() * 6)",
    "cut where it may be below 0": "return int(random.random() * 2.5)",
    "of parts that are no integers": "return math.floor(random.random() * 2 + 0.5)",
    "cut twice": "u = random.random()\n    return int(2 * u) + int(3 * u)",
    "of a private size": "return int(random.random() * (x + 2))",
    "another logarithm": "return math.log(0.5 - random.random())",
    "a wrong factor": "u = random.random() - 0.5\n    return math.copysign(1.0, u) * math.log(1 - abs(u))",
    "another middle": "u = random.random() - 0.4\n"
    "    return math.copysign(1.0, u) * math.log(1 - 2 * abs(u))",
    "of two draws": "u = random.random() - 0.5\n    v = random.random() - 0.5\n"
    "    return math.copysign(1.0, u) * math.log(1 - 2 * abs(v))",
    "twice": "u = random.random()\n    a = u < 0.5\n    b = u < 0.25\n    return a and b",
    "a test and noise": "u = random.random()\n    if u < 0.5:\n        return 0.0\n    return math.log(u)",
    "noise twice": "u = random.random()\n    return math.log(u) + math.log(1 - u)",
    "in another loop": "u = random.random()\n    n = 0\n    for i in range(3):\n        if u < 0.5:\n"
    "            n += 1\n    return n",
    "kept for another round": "n = 0\n    for i in range(3):\n        u = random.random()\n"
    "    if u < 0.5:\n        n += 1\n    return n",
    "truth": "return 1 if random.random() else 0",
    "in a list": "out = [random.random()]\n    return out",
    "a name for two": "u = random.random()\n    if u < 0.5:\n        u = random.random()\n    return u < 0.5",
    "behind a branch that may be passed by": "u = random.random()\n    if eps > 1:\n        if u < 0.5:\n"
    "            return 0\n    if u < 0.75:\n        return 1\n    return 2",
    "behind a function that looks at it": "u = random.random()\n    n = low(u)\n"
    "    return n if u < 0.75 else 5",
    "behind another coin": "u = random.random()\n    keep = u < 0.25\n    if lang.bernoulli(0.5):\n"
    "        return 1 if u < 0.5 else 0\n    return 2",
    "behind one side": "u = random.random()\n    n = 0\n    if x > 0:\n        n = 1 if u < 0.5 else 0\n"
    "    else:\n        n = 2\n    if u < 0.25:\n        n = 3\n    return n",
    "behind the other side": "u = random.random()\n    n = 0\n    if x > 0:\n        n = 2\n    else:\n"
    "        n = 1 if u < 0.5 else 0\n    if u < 0.25:\n        n = 3\n    return n",
    "behind sides that look at it": "u = random.random()\n    if x > 0:\n        n = 1 if u < 0.5 else 0\n"
    "    else:\n        n = 1 if u < 0.25 else 0\n    return n if u < 0.75 else 5",
    "on a side, behind the condition": "u = random.random()\n    a = u < 0.5\n    if x > 0:\n"
    "        return 1\n    else:\n        return 2 if u < 0.25 else 0",
    "behind a function that has looked at it on one side": "u = random.random()\n    n = half(u)\n"
    "    return n if u < 0.75 else 5",
    "behind both": "u = random.random()\n    n = 0\n    if u < 0.5:\n        n = 1\n    if u < 0.25:\n"
    "        n = 2\n    return n",
}


LOW = (
    "def low(u):\n    if u < 0.5:\n        return 0\n    return 1\n\n\n"
    "def half(u):\n    if random.random() < 0.5:\n        return 1 if u < 0.5 else 2\n    else:\n"
    "        return 3\n\n\n"
)


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_other_uses_are_refused(body: str) -> None:
    refusal(body, LOW)


def test_a_function_may_look_at_a_draw() -> None:
    assert [law for law, _ in draws(reading("return low(random.random())", LOW))] == ["bernoulli"]


def test_the_message_says_what_to_do() -> None:
    error = refusal(REFUSED["a wrong factor"])
    assert error.code is Refusal.UNIFORM_IN_FORMULA
    assert "no model of this formula" in error.message


def test_each_round_of_a_loop_has_a_draw_of_its_own() -> None:
    loop = "for i in range(2):\n        u = rng.random()\n        if u < 0.5:\n            n += 1"
    body = f"n = 0\n    {loop}\n    return n"
    assert laws(body) == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}


ARRAYS = [
    ("return np.random.random(2) < 0.25", "lang.bernoulli(0.25)"),
    ("return 0.25 > rng.random(size=2)", "lang.bernoulli(0.25)"),
    ("u = np.random.rand(2)\n    return u < np.full(2, 0.25)", "lang.bernoulli(0.25)"),
    ("u = np.random.random_sample(2)\n    return np.where(u <= 0.25, x, 0)", "lang.bernoulli(0.25)"),
]


@pytest.mark.parametrize(("body", "coin"), ARRAYS)
def test_an_array_of_draws_that_is_compared_is_a_loop_of_coins(body: str, coin: str) -> None:
    (drawn,) = draws(reading(body))
    (expected,) = draws(reading(f"return {coin}"))
    assert drawn[0] == expected[0]


@pytest.mark.parametrize(
    "body",
    [
        "u = np.random.random(2)\n    return (u < 0.25) & (u < 0.5)",
        "return np.random.random(2)",
        "return np.random.random(2) + x < 0.25",
        "return 2 * np.random.random(2) - 1 < 0.25",
        "u = np.random.random(2)\n    return u[0] < 0.25",
        "u = np.random.random(2)\n    return np.sort(u)",
    ],
)
def test_other_uses_of_arrays_of_draws_are_refused(body: str) -> None:
    assert refusal(body).code in (Refusal.UNIFORM_IN_FORMULA, Refusal.UNSUPPORTED_ARRAY)
