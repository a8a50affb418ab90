"""Exact distributions of core programs: sums that are known in closed form, and sums over all runs."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import pytest

from synth.trusted.core.exponential_numbers import divide, exponential
from synth.trusted.core.expressions import Inexact
from synth.trusted.core.interpreter import Ended, Output, Undefined, Violated, distribution, outcome
from synth.trusted.frontend.reader import read_source

HALF = Fraction(1, 2)


def mechanism(body, parameters=""):
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    (found,) = read_source(
        f"from synth.lang import *\n\n\n@mechanism()\ndef m({parameters}):\n{lines}\n", "m.py"
    )
    return found


def chances(body, most=0, fuel=100_000, **inputs):
    """By the first value that is returned; the rest by name."""
    types = {bool: "bool", int: "int", Fraction: "float", tuple: "list[int]"}
    parameters = ", ".join(f"{name}: {types[type(value)]}" for name, value in inputs.items())
    found = distribution(mechanism(body, parameters), inputs, most, fuel)
    assert sum(found.outcomes.values()) + found.beyond + found.unfinished == 1
    named = {
        key.values[0] if isinstance(key, Output) and key.values else type(key): chance
        for key, chance in found.outcomes.items()
    }
    assert len(named) == len(found.outcomes)
    return named, found.beyond, found.unfinished


Q = exponential(-HALF)


def test_laplace_noise_on_integers():
    found, beyond, _ = chances("return laplace(x, 2)", most=2, x=5)
    one = divide(1 - Q, 1 + Q)
    assert found == {5 + k: one * exponential(-abs(k) * HALF) for k in range(-2, 3)}
    assert beyond == divide(2 * exponential(-3 * HALF), 1 + Q), "the two tails"


def test_exponential_noise_on_integers():
    found, beyond, _ = chances("return exponential(x, 2)", most=2, x=5)
    assert found == {5 + k: (1 - Q) * exponential(-k * HALF) for k in range(3)}
    assert beyond == exponential(-3 * HALF), "the tail"


@pytest.mark.parametrize("draw", ["gaussian(x, 2)", "laplace(x, log(2))", "laplace(x + 0.5, 1)"])
def test_laws_that_are_no_such_numbers(draw):
    with pytest.raises(Inexact):
        chances(f"return {draw}", x=5)


@pytest.mark.parametrize(
    ("draw", "law"),
    [
        ("bernoulli(0.25)", {True: Fraction(1, 4), False: Fraction(3, 4)}),
        ("bernoulli(1)", {True: 1}),
        ("bernoulli(exp(-x))", {True: exponential(-2), False: 1 - exponential(-2)}),
        (
            "randomized_response(x > 1, x)",
            {True: divide(exponential(2), 1 + exponential(2)), False: divide(1, 1 + exponential(2))},
        ),
        ("uniform_int(x, x + 2)", dict.fromkeys((2, 3, 4), Fraction(1, 3))),
        ("uniform_int(-x, -x)", {-2: 1}),
        ("choice(3, log_weight=lambda r: log(r + 1))", {0: Fraction(1, 6), 1: Fraction(1, 3), 2: HALF}),
        ("choice(2, log_weight=lambda r: log(3) if r > 0 else 0)", {0: Fraction(1, 4), 1: Fraction(3, 4)}),
        (
            "exponential_mechanism(2, lambda r: r, x, 1)",
            {0: divide(1, 1 + exponential(1)), 1: divide(exponential(1), 1 + exponential(1))},
        ),
    ],
)
def test_draws_of_finitely_many_values(draw, law):
    found, beyond, unfinished = chances(f"return {draw}", x=2)
    assert (found, beyond, unfinished) == (law, 0, 0)


def test_draws_add_and_multiply():
    found, _, _ = chances("return int(bernoulli(0.5)) + int(bernoulli(0.25)) + x", x=1)
    assert found == {1: Fraction(3, 8), 2: HALF, 3: Fraction(1, 8)}


def test_ways_that_meet_count_together():
    """Of 2**60 runs."""
    body = "i = 0\nn = 0\nwhile i < 60:\n    i += 1\n    if bernoulli(0.5):\n        n = 1 - n\nreturn n"
    assert chances(body)[0] == {0: HALF, 1: HALF}


def test_errors_and_ends_have_their_chances():
    body = "k = uniform_int(0, 4)\nif k == 0:\n    return 1 // k\nassert x == 1\nreturn k"
    for x, rest in ((1, dict.fromkeys(range(1, 5), Fraction(1, 5))), (2, {Ended: Fraction(4, 5)})):
        assert chances(body, x=x)[0] == {Violated: Fraction(1, 5), **rest}


def test_a_draw_without_a_law_is_an_error():
    """Where the obligations are taken away that the reader puts before it."""
    of = mechanism("return int(bernoulli(x))", "x: float")
    bare = type(of)(
        **{**vars(of), "body": tuple(item for item in of.body if "Obligation" not in str(type(item)))}
    )
    for x in (Fraction(2), Fraction(-1)):
        (found,) = distribution(bare, {"x": x}, 0).outcomes
        assert isinstance(found, Undefined) and found.kind == "scale"
        (found,) = distribution(of, {"x": x}, 0).outcomes
        assert isinstance(found, Violated) and found.kind == "scale"


def test_what_never_ends_is_unfinished():
    assert chances("while not bernoulli(0.5):\n    pass\nreturn 1", fuel=30)[2] > 0
    assert chances("while bernoulli(0.5):\n    while True:\n        pass\nreturn 1", fuel=500)[0] == {1: HALF}


def alone(of, inputs, offsets):
    """The outcome of the run with these draws, and the product of the chances that its laws give them."""
    chance, rest = Fraction(1), iter(offsets)

    def noise(site, law):
        nonlocal chance
        value = law.center + next(rest)
        chance = chance * law.chance(value)
        return max(value, law.center) if law.distribution == "exponential" else value

    return outcome(of, inputs, noise), chance


def test_all_runs_by_themselves_add_up_to_it():
    body = """
t = laplace(0, 2)
ys = []
for x in q:
    if laplace(x, 1) > t:
        ys.append(x)
return exponential(len(ys), 1), ys"""
    of, inputs = mechanism(body, "q: list[int]"), {"q": (0, 1)}
    found = defaultdict(Fraction)
    for offsets in itertools.product(range(-1, 2), repeat=4):
        result, chance = alone(of, inputs, offsets)
        if chance != 0:
            found[result] += chance
    assert found == distribution(of, inputs, 1).outputs
