"""A fair coin and one-sided noise become two-sided noise only where the coin is its sign; that keeps the law.

Laws are compared on cells: noise falls on the middles, by chance, of equally likely intervals, of which the
two-sided law has as many on each side as the one-sided law.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.prover.prove import Proved, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.core.expressions import Number, Value, start
from synth.trusted.core.interpreter import Drawing, Outcome, OutOfFuel, to_next_draw
from synth.trusted.core.laws import Law, Listed, Noise
from synth.trusted.kernel.check import VALID, check
from synth.trusted.logic.rejection import Rejected
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber
from synth.trusted.steps.rewriting import Sign, rewritten, taken
from tests.support.refuting import mechanism

CELLS = 4
"""Of one-sided noise."""

IMPORTS = """
import math
import random
import numpy as np
"""
HEAD = """
@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def f(x: float, eps: float):
"""


def read(body: str, above: str = "") -> ir.Mechanism:
    rows = "\n".join(f"    {row}" for row in body.strip("\n").split("\n"))
    of = mechanism(f"{IMPORTS}{above}{HEAD}{rows}\n")
    return replace(of, body=renumber(of.body))


def law(of: ir.Mechanism) -> Counter[Outcome | OutOfFuel]:
    """How many of the equally likely ways lead to an outcome, weighed so that all sum up to one number."""
    found: Counter[Outcome | OutOfFuel] = Counter()
    waiting = [(start(of, {"x": Fraction(1, 3), "eps": Fraction(2)}), Fraction(1))]
    while waiting:
        state, share = waiting.pop()
        reached, _ = to_next_draw(state, 1000)
        if isinstance(reached, Drawing):
            values = list(_values(reached.law))
            waiting += [(reached.drawn(value), share / len(values)) for value in values]
        else:
            found[reached] += share  # type: ignore[assignment]
    return found


def _values(of: Law) -> Iterator[Value]:
    match of:
        case Listed():
            outcomes = (False, True) if of.choice.sort is ir.Sort.BOOL else range(-2, 3)
            for value in outcomes:
                yield from [value] * int(of.chance(value) * 10)
        case Noise(distribution="exponential"):
            yield from (of.center + of.scale * size for size in _sizes())
        case Noise(distribution="laplace"):
            yield from (of.center + sign * of.scale * size for size in _sizes() for sign in (1, -1))
        case _:
            raise AssertionError(of)


@cache
def _sizes() -> tuple[Number, ...]:
    """The quantiles of the exponential law in the middles of equally likely parts."""
    return tuple(Fraction(-math.log(1 - (2 * cell + 1) / (2 * CELLS))) for cell in range(CELLS))


COIN, NOISE = "c = bernoulli(0.5)\n", "e = exponential(0.0, 1 / eps)\n"

SIGNED = {
    "a factor": COIN + NOISE + "return x + e * (1 if c else -1)",
    "the coin behind": NOISE + COIN + "return x + e * (1 if c else -1)",
    "a side": COIN + NOISE + "return x + (e if c else -e)",
    "the other side": COIN + NOISE + "return x + (-e if c else e)",
    "an integer": "c = uniform_int(0, 1)\n" + NOISE + "return x + e * (2 * c - 1)",
    "a name for the sign": "c = uniform_int(0, 1)\ns = -1 if c == 0 else 1\n" + NOISE + "return x + s * e",
    "a change of the noise": NOISE + "c = uniform_int(0, 1)\nif c == 0:\n    e = -e\nreturn x + e",
    "a return on each side": COIN + f"if c:\n    {NOISE}    return x - e\n{NOISE}return x + e",
    "a branch": COIN + f"if c:\n    {NOISE}    n = e\nelse:\n    {NOISE}    n = -e\nreturn x + n",
    "a scale that comes behind": COIN + "e = exponential(0.0, 1.0)\ny = e / eps\nreturn x + (y if c else -y)",
    "numpy": """
n = np.random.exponential(1 / eps)
coin = random.randint(0, 1)
return x + n * (1 if coin else -1)
""",
    "choice of a sign": "return x + random.choice([-1, 1]) * random.expovariate(eps)",
    "uniform draws": "return x + noisy(1, eps)",
}
NOISY = """
def noisy(sensitivity, eps):
    beta = sensitivity / eps
    u1 = np.random.random()
    u2 = np.random.random()
    if u1 <= 0.5:
        n_value = -beta * np.log(1. - u2)
    else:
        n_value = beta * np.log(u2)
    return n_value
"""


@pytest.mark.parametrize("name", SIGNED)
def test_the_law_stays_the_same(name: str) -> None:
    of = read(SIGNED[name], NOISY)
    found = rewriting(of)
    assert any(step.rule == "Sign" for step in found.steps)
    form = of
    for step in found.steps:
        before, (form, _) = law(form), taken(form, step)
        if step.rule == "Sign":
            assert law(form) == before
    assert not any(getattr(item, "distribution", "") == "exponential" for item in ir.statements(form.body))


@pytest.mark.parametrize("name", SIGNED)
def test_it_is_proved(name: str) -> None:
    found = prove(read(SIGNED[name], NOISY), load_templates())
    assert isinstance(found, Proved)
    assert check(found.certificate).verdict == VALID


def test_in_a_loop_each_entry_has_its_own() -> None:
    of = mechanism("""
@mechanism(adjacent={"x": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def f(x: list[float], eps: float) -> list[float]:
    out = []
    for v in x:
        n = exponential(0.0, 1 / eps)
        if bernoulli(0.5):
            n = -n
        out.append(v + n)
    return out
""")
    assert isinstance(prove(of, load_templates()), Proved)


REFUSED = {
    "a biased coin": "c = bernoulli(0.4)\n" + NOISE,
    "three sides": "c = uniform_int(0, 2)\n" + NOISE,
    "other sides": "c = uniform_int(1, 2)\n" + NOISE,
    "two-sided noise": COIN + "e = laplace(0.0, 1 / eps)\n",
    "noise on integers": COIN + "e = exponential(0, 1 / eps)\n",
    "noise around something": COIN + "e = exponential(x, 1 / eps)\n",
    "noise of which the coin is the centre": COIN + "e = exponential(1.0 if c else 0.0, 1 / eps)\n",
    "two coins": COIN + "e = bernoulli(0.5)\n",
    "two noises": "c = exponential(0.0, 1.0)\n" + NOISE,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_sign(name: str) -> None:
    of = _without_obligations(read(REFUSED[name] + "return c, e"))
    with pytest.raises(Rejected) as error:
        taken(of, Sign((0,)))
    assert error.value.why.code.id == "not-signed"


def test_the_coin_is_not_the_scale() -> None:
    of = _without_obligations(read(COIN + "e = exponential(0.0, 2.0 if c else 1.0)\nreturn c, e"))
    with pytest.raises(Rejected):
        taken(of, Sign((0,)))


def test_a_name_is_taken_once() -> None:
    of = _without_obligations(read(COIN + NOISE + "return c, e"))
    after, _ = taken(of, Sign((0,)))
    assert "e.signed" in after.variables
    with pytest.raises(Rejected):
        taken(replace(of, variables={**of.variables, "e.signed": ir.Sort.REAL}), Sign((0,)))


def _without_obligations(of: ir.Mechanism) -> ir.Mechanism:
    kept = tuple(item for item in of.body if not isinstance(item, ir.Obligation))
    return replace(of, body=renumber(kept))


@pytest.mark.parametrize("place", [(), (9,), (1,), (0, 0)])
def test_a_place_without_a_sign(place: tuple[int, ...]) -> None:
    of = _without_obligations(read(COIN + NOISE + "return c, e"))
    with pytest.raises(Rejected):
        taken(of, Sign(place))


NO_SIGN = {
    "the coin is biased": "c = bernoulli(0.6)\n" + NOISE + "return x + (e if c else -e)",
    "the coin is returned": COIN + NOISE + "return x + (e if c else -e), c",
    "the noise is returned": COIN + NOISE + "return x + (e if c else -e), e",
    "the coin alone is read": COIN + NOISE + "return x + e, c",
    "a coin of two noises": COIN + NOISE + "d = exponential(0.0, 1 / eps)\n"
    "return x + (e if c else -e), x + (d if c else -d)",
    "another scale on each side": COIN + "if c:\n    n = exponential(0.0, 1 / eps)\nelse:\n"
    "    n = -exponential(0.0, 2 / eps)\nreturn x + n",
    "the sign of something else": COIN + NOISE + "return (x if c else -x) + e",
    "a sign and more": COIN + NOISE + "return x + (e if c else -2 * e)",
    "a size that may be negative": COIN + NOISE + "return x + (eps - 1) * e * (1 if c else -1)",
}


@pytest.mark.parametrize("name", NO_SIGN)
def test_the_law_of_what_is_no_laplace_noise_stays_the_same(name: str) -> None:
    of = read(NO_SIGN[name])
    form, _ = rewritten(of, rewriting(of).steps)
    assert law(form) == law(of)


def test_a_biased_coin_is_not_proved() -> None:
    assert not isinstance(prove(read(NO_SIGN["the coin is biased"]), load_templates()), Proved)
