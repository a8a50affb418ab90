"""OpenDP's ``>>`` and star arguments: each is what the stub says, and other uses are refused."""

from __future__ import annotations

import random

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from tests.support.real_runs import compare

HEAD = """\
import opendp.prelude as dp
from synth.lang import mechanism, discrete_distance

INTEGERS = "unused"


@mechanism(adjacent={"x": discrete_distance()}, requires="s > 0")
def f(x: int, s: float, ys: list[int]):
"""
PLAIN = """\
import numpy as np
from synth.lang import mechanism, discrete_distance


def sum3(a, b, c=0):
    return a + 10 * b + 100 * c


@mechanism(adjacent={"x": discrete_distance()})
def f(x: int, b: bool):
"""
ATOM = "space = dp.atom_domain(T=int), dp.absolute_distance(T=int)\n"
ROWS = "space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)\n"
SPACE = "space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()\n"


def text(head: str, body: str) -> str:
    return head + "".join(f"    {line}\n" for line in body.splitlines())


def laws(body: str) -> list[tuple[str, ir.Sort]]:
    (found,) = read_source(text(HEAD, body), "p.py")
    return [(item.distribution, item.sort) for item in ir.statements(found.body) if isinstance(item, ir.Draw)]


CUT = f"{SPACE}cut = space >> dp.t.then_clamp((0, 5))\n"
READ = [
    (
        f"{ATOM}return dp.m.make_laplace(*space, scale=s)(x)",
        "laplace",
    ),
    (
        f"{ATOM}return (space >> dp.m.then_gaussian(s))(x)",
        "gaussian",
    ),
    (f"{ROWS}return (space >> dp.m.then_laplace(scale=s))(ys)", "laplace"),
    (
        f"{CUT}return (cut >> dp.t.then_sum() >> dp.m.then_laplace(s))(ys)",
        "laplace",
    ),
    (
        f"{SPACE}count = dp.t.make_count(*space)\nnoisy = count >> dp.m.then_laplace(s)\nreturn noisy(ys)",
        "laplace",
    ),
]


@pytest.mark.parametrize(("body", "law"), READ)
def test_a_chain_draws_around_integers(body: str, law: str) -> None:
    assert laws(body) == [(law, ir.Sort.INT)]


MIXED = "[v if v > 0 else 0.5 for v in ys]"
REALS = "space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()\n"


def test_integers_that_are_given_for_reals_are_reals() -> None:
    body = f"{REALS}return (space >> dp.t.then_clamp((0, 5)) >> dp.t.then_sum() >> dp.m.then_laplace(s))(ys)"
    assert laws(body) == [("laplace", ir.Sort.REAL)]


REFUSED = [
    (f"{ATOM}z = 1 if x > 0 else 1.5\nreturn dp.m.make_laplace(*space, scale=s)(z)", Refusal.WRONG_TYPE),
    (f"{ATOM}z = x > 0\nreturn dp.m.make_laplace(*space, scale=s)(z)", Refusal.WRONG_TYPE),
    (f"{ROWS}return (space >> dp.m.then_laplace(s))({MIXED})", Refusal.WRONG_TYPE),
    (f"{SPACE}return (space >> dp.t.then_count() >> dp.m.then_laplace(s))({MIXED})", Refusal.WRONG_TYPE),
    (f"{CUT}return (cut >> dp.t.then_sum() >> dp.m.then_laplace(s))({MIXED})", Refusal.WRONG_TYPE),
    (f"{REALS}return (space >> dp.t.then_count())([v > 0 for v in ys])", Refusal.WRONG_TYPE),
    ("return x >> s", Refusal.UNSUPPORTED_CONSTRUCT),
    ("x >>= 1\nreturn x", Refusal.UNSUPPORTED_CONSTRUCT),
    (f"{SPACE}return space >> dp.m.make_laplace(*space, scale=s)", Refusal.UNSUPPORTED_CONSTRUCT),
    ("return dp.m.make_laplace(*ys, scale=s)", Refusal.UNSUPPORTED_CONSTRUCT),
    ("return max(*(x, 1))", Refusal.UNSUPPORTED_CONSTRUCT),
]


@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_other_uses_are_refused(body: str, code: Refusal) -> None:
    with pytest.raises(ProgramError) as caught:
        laws(body)
    assert caught.value.code is code


def test_numbers_that_may_be_of_numpy_are_refused() -> None:
    body = f"{ATOM}z = x if x > 0 else np.sum([x, 1])\nreturn dp.m.make_laplace(*space, scale=s)(z)"
    with pytest.raises(ProgramError, match="numbers of numpy raise here"):
        read_source(f"import numpy as np\n{text(HEAD, body)}", "p.py")


CLAMPED = (
    f"{REALS}cut = dp.t.make_clamp(*space, bounds=BOUNDS)\n"
    "return (cut >> dp.t.then_sum() >> dp.m.then_laplace(s))(ys)"
)


@pytest.mark.parametrize("bounds", ["(0, 5)", "(-2.5, 5.0)"])
def test_written_bounds_are_no_numbers_of_numpy(bounds: str) -> None:
    body = CLAMPED.replace("BOUNDS", bounds)
    assert read_source(f"import numpy as np\n{text(HEAD, body)}", "p.py")


@pytest.mark.parametrize(
    ("before", "bounds"),
    [
        ("", "(0.0, np.sqrt(4.0))"),
        ("b = np.sqrt(4.0) if x > 0 else 2.0\n", "(0.0, b)"),
        ("", "(0.0, 2.0 if x > 0 else np.sqrt(4.0))"),
        ("b = 2.0\nif x > 0:\n    b = np.sqrt(4.0)\n", "(0.0, b)"),
    ],
)
def test_bounds_that_may_be_of_numpy_are_refused(before: str, bounds: str) -> None:
    with pytest.raises(ProgramError, match="numbers of numpy raise here"):
        read_source(f"import numpy as np\n{text(HEAD, before + CLAMPED.replace('BOUNDS', bounds))}", "p.py")


SAME = [
    "t = (x, 2)\nreturn sum3(*t)",
    "t = (x, 2)\nreturn sum3(7, *t)",
    "t = (x,)\nu = (1, 2)\nreturn sum3(*t, *u)",
    "t = (x, 2)\nreturn sum3(*t, c=5)",
    "t = ()\nreturn sum3(x, *t, 3)",
    "t = (x, 5)\nreturn max(*t)",
    "a = np.zeros(2)\nreturn np.ones(*a.shape) + x",
]


@pytest.mark.parametrize("body", SAME)
def test_star_arguments_are_the_items_of_a_tuple(body: str) -> None:
    assert compare(text(PLAIN, body), random.Random(1), 4) == "same"
