"""Samplers of numpy, random, secrets and scipy are read as the draws that they are models of."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from synth.prover.normal_form.recording import rewriting
from synth.trusted.core.interpreter import outcome
from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.numbering import renumber

HEAD = """\
import math
import random
import secrets
import numpy as np
import scipy.stats
from numpy.random import Generator
from scipy import stats
from scipy.stats import norm
import synth.lang as lang
from synth.lang import mechanism, absolute_distance, linf_distance

rng = np.random.default_rng()
own = random.Random()


"""
DECORATOR = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")\n'


def text(body: str, before: str = "", parameters: str = "x: int, xs: list[int], eps: float") -> str:
    return f"{HEAD}{before}{DECORATOR}def f({parameters}):\n    {body}\n"


def reading(body: str, before: str = "") -> ir.Mechanism:
    (found,) = read_source(text(body, before), "p.py")
    return found


def judged(body: str) -> ir.Mechanism:
    """The program that a proof is about."""
    found = reading(body)
    return rewriting(replace(found, body=renumber(found.body))).program


def refusal(
    body: str, before: str = "", parameters: str = "x: int, xs: list[int], eps: float"
) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        read_source(text(body, before, parameters), "p.py")
    return caught.value


SAME = [
    ("x + np.random.laplace(0, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("rng.laplace(x, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("np.random.default_rng().laplace(x, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("np.random.RandomState(None).laplace(x, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("Generator(np.random.PCG64()).laplace(x, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("np.random.normal(x, eps)", "lang.gaussian(x + 0.0, eps)"),
    ("x + rng.standard_normal()", "lang.gaussian(x + 0.0, 1.0)"),
    ("x + np.random.randn()", "lang.gaussian(x + 0.0, 1.0)"),
    ("x + rng.exponential(1 / eps)", "lang.exponential(x + 0.0, 1 / eps)"),
    ("x + rng.exponential(scale=1 / eps)", "lang.exponential(x + 0.0, 1 / eps)"),
    ("x + random.expovariate(eps)", "lang.exponential(x + 0.0, 1 / eps)"),
    ("random.gauss(x, eps)", "lang.gaussian(x + 0.0, eps)"),
    ("own.normalvariate(x, eps)", "lang.gaussian(x + 0.0, eps)"),
    ("random.SystemRandom().gauss(x, eps)", "lang.gaussian(x + 0.0, eps)"),
    ("scipy.stats.laplace.rvs(x, 1 / eps)", "lang.laplace(x + 0.0, 1 / eps)"),
    ("x + norm.rvs(scale=eps, random_state=rng)", "lang.gaussian(x + 0.0, eps)"),
    ("x + stats.expon.rvs(0, eps)", "lang.exponential(x + 0.0, eps)"),
    ("x + stats.dlaplace.rvs(eps)", "lang.laplace(x, 1 / eps)"),
    ("np.random.randint(6)", "lang.uniform_int(0, 5)"),
    ("np.random.randint(1, 6)", "lang.uniform_int(1, 5)"),
    ("rng.integers(1, 6, endpoint=True)", "lang.uniform_int(1, 6)"),
    ("rng.integers(6, endpoint=True)", "lang.uniform_int(0, 6)"),
    ("random.randint(1, 6)", "lang.uniform_int(1, 6)"),
    ("random.randrange(6)", "lang.uniform_int(0, 5)"),
    ("random.randrange(1, 6)", "lang.uniform_int(1, 5)"),
    ("secrets.randbelow(6)", "lang.uniform_int(0, 5)"),
    ("np.random.choice(6)", "lang.uniform_int(0, 5)"),
]


def draws(mechanism: ir.Mechanism) -> list[tuple[str, object, ir.Sort]]:
    """The laws of the draws, in order; terms that are zero left out of their centres."""
    found: list[tuple[str, object, ir.Sort]] = []
    for item in ir.statements(mechanism.body):
        match item:
            case ir.Draw(distribution=law, arguments=arguments, sort=sort):
                found.append((law, arguments, sort))
            case ir.Choose(distribution=law, index=index, sort=sort):
                found.append((law, repr(item.law).replace(index, "index"), sort))
    return found


@pytest.mark.parametrize(("call", "plain"), SAME, ids=[call for call, _ in SAME])
def test_a_sampler_is_the_plain_draw(call: str, plain: str) -> None:
    assert draws(reading(f"return {call}")) == draws(reading(f"return {plain}"))


FROZEN = {
    "at once": ("return x + stats.laplace(0, 1 / eps).rvs()", "laplace(x + 0.0, 1 / eps)"),
    "around": ("return stats.laplace(x, scale=1 / eps).rvs(random_state=None)", "laplace(x + 0.0, 1 / eps)"),
    "a name": ("law = norm(scale=eps)\n    return x + law.rvs(random_state=rng)", "gaussian(x + 0.0, eps)"),
    "no arguments": ("law = stats.expon()\n    return x + law.rvs()", "exponential(x + 0.0, 1.0)"),
    "of integers": ("law = stats.dlaplace(eps)\n    return x + law.rvs()", "laplace(x, 1 / eps)"),
    "its arguments then": (
        "b = 1 / eps\n    law = norm(0, b)\n    b = 7\n    return x + law.rvs() + 0 * b",
        "gaussian(x + 0.0, 1 / eps)",
    ),
}


def laws(body: str) -> list[Any]:
    """The laws of the draws of a run."""
    found: list[Any] = []

    def drawn(_: Any, law: Any) -> int:
        found.append(law)
        return 9

    outcome(reading(body), {"x": 3, "xs": (), "eps": Fraction(1, 2)}, drawn)
    return found


@pytest.mark.parametrize(("body", "plain"), FROZEN.values(), ids=FROZEN)
def test_a_law_that_is_called_keeps_its_arguments(body: str, plain: str) -> None:
    assert laws(body) == laws(f"return lang.{plain}") != []


def test_a_geometric_law_may_be_called() -> None:
    found = draws(reading("law = stats.geom(1 - math.exp(-eps), loc=-1)\n    return law.rvs()"))
    assert [(law, sort) for law, _, sort in found] == [("exponential", ir.Sort.INT)]


def test_an_object_may_hold_a_law() -> None:
    holder = (
        "class Noise:\n    def __init__(self, b):\n        self.law = stats.laplace(0, b)\n"
        "    def add(self, v):\n        return v + self.law.rvs()\n\n\n"
    )
    (found,) = draws(reading("return Noise(1 / eps).add(x)", holder))
    assert found[0] == "laplace" and found[2] is ir.Sort.REAL


def test_a_law_draws_a_list() -> None:
    found = reading("law = stats.laplace(0, 1 / eps)\n    return law.rvs(3)")
    assert any(isinstance(item, ir.Loop) for item in ir.statements(found.body))
    assert [law for law, *_ in draws(found)] == ["laplace"]


@pytest.mark.parametrize(
    "body",
    [
        "law = norm(0, 1)\n    law.random_state = 1\n    return x + law.rvs()",
        "law = norm(0, 1)\n    law.dist.random_state = 1\n    return x + law.rvs()",
        "law = norm(x, 1)\n    print(law)\n    return 0",
        "law = norm(x, 1)\n    return law",
        "law = norm(x, 1)\n    return law == norm(0, 1)",
        "return norm(x, 1)._loc",
        "return norm(0, x).std()",
        "return norm(0, 1, 2).rvs()",
        "return norm(0, 1)(x)",
        "return stats.laplace._Frozen(0, 1).rvs()",
    ],
)
def test_nothing_else_is_asked_of_a_law(body: str) -> None:
    refusal(body)


def test_two_geometric_draws_are_discrete_laplace_noise() -> None:
    drawn = "rng.geometric(1 - math.exp(-eps))"
    (found,) = draws(judged(f"return x + {drawn} - {drawn}"))
    assert found[0] == "laplace" and found[2] is ir.Sort.INT
    other = "rng.geometric(1 - math.exp(-2 * eps))"
    assert [law for law, *_ in draws(judged(f"return x + {drawn} - {other}"))] == ["exponential"] * 2


def test_one_geometric_draw_that_is_used_twice_is_no_laplace_noise() -> None:
    body = "g = rng.geometric(1 - math.exp(-eps))\n    return x + g - g"
    assert [law for law, *_ in draws(reading(body))] == ["exponential"]


@pytest.mark.parametrize("call", ["rng.laplace(xs, 1 / eps)", "rng.laplace(xs, 1 / eps, size=len(xs))"])
def test_there_is_a_draw_for_each_entry(call: str) -> None:
    found = reading(f"return {call}")
    loops = [item for item in ir.statements(found.body) if isinstance(item, ir.Loop)]
    assert len(loops) == 1
    assert [(law, sort) for law, _, sort in draws(found)] == [("laplace", ir.Sort.REAL)]


@pytest.mark.parametrize("size", ["size=3", "size=(3,)", "0.0, 1.0, 3"])
def test_size_draws_a_list(size: str) -> None:
    plain = reading(
        "out = []\n    for i in range(3):\n        out.append(lang.laplace(0.0, 1.0))\n    return out"
    )
    found = reading(f"return rng.laplace({size})")
    left_out = (ir.Assign, ir.Obligation)
    kinds = [
        [type(item) for item in ir.statements(program.body) if not isinstance(item, left_out)]
        for program in (found, plain)
    ]
    assert kinds[0] == kinds[1]


def test_a_private_size_is_a_private_bound() -> None:
    assert refusal("return rng.laplace(0, 1 / eps, size=x)").code is Refusal.PRIVATE_LOOP_BOUND


SEEDED = {
    "a source": ("r = np.random.default_rng(0)\n    return r.laplace(x, 1 / eps)", ""),
    "a source of the module": ("return r.laplace(x, 1 / eps)", "r = np.random.default_rng(42)\n\n\n"),
    "by keyword": ("r = np.random.default_rng(seed=eps)\n    return r.laplace(x, 1 / eps)", ""),
    "of bits": ("r = Generator(np.random.PCG64(1))\n    return r.laplace(x, 1 / eps)", ""),
    "scipy": ("return norm.rvs(x, eps, random_state=1)", ""),
    "frozen": ("return norm(x, eps).rvs(1, 7)", ""),
    "a seed of the module": ("np.random.seed(7)\n    return np.random.laplace(x, 1 / eps)", ""),
    "by another function": (
        "return np.random.laplace(x, 1 / eps)",
        "def start():\n    np.random.seed(7)\n    return 1\n\n\n",
    ),
    "of a source by another function": (
        "return rng.laplace(x, 1 / eps)",
        "def start(r):\n    r.seed(7)\n    return 1\n\n\n",
    ),
}


@pytest.mark.parametrize(("body", "before"), SEEDED.values(), ids=SEEDED.keys())
def test_a_seed_is_refused(body: str, before: str) -> None:
    assert refusal(body, before).code is Refusal.KNOWN_SEED


@pytest.mark.parametrize(
    "elsewhere",
    [
        "from numpy.random import seed as begin\nbegin(7)",
        "start = np.random.seed\nstart(7)",
        "for f in (np.random.seed,):\n    f(7)",
        "getattr(np.random, 'seed')(7)",
        "def start(r, s):\n    r.bit_generator.state = s",
    ],
)
def test_a_seed_in_lines_that_are_not_read_is_refused(elsewhere: str, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    mechanism = f"{DECORATOR}def f(x: float, eps: float):\n    return np.random.laplace(x, 1 / eps)\n"
    path.write_text(f"from synth.lang import *\nimport numpy as np\n{elsewhere}\n\n\n{mechanism}")
    file = read_program(path)
    assert not file.mechanisms
    assert Refusal.KNOWN_SEED in [error.code for error in file.refused]


def test_a_source_is_passed_and_made_where_there_is_none() -> None:
    helper = (
        "def noisy(v, b, r=None):\n    if r is None:\n        r = np.random.default_rng()\n"
        "    return r.laplace(v, b)\n\n\n"
    )
    given = reading("return noisy(x, 1 / eps, rng)", helper)
    assert len(draws(given)) == 1
    made = reading("return noisy(x, 1 / eps)", helper)
    (demand,) = [
        item
        for item in ir.statements(made.body)
        if isinstance(item, ir.Obligation) and "None has no method" in item.reason
    ]
    assert demand.kind == "domain"


@pytest.mark.parametrize(
    "parameters",
    ["x: int, eps: float, gen: np.random.Generator = None", "x: int, eps: float, *, gen: Generator = None"],
)
def test_a_source_that_may_be_none_is_left_out(parameters: str) -> None:
    body = "return x if gen is None else gen.laplace(x, 1 / eps)"
    (found,) = read_source(text(body, "", parameters), "p.py")
    assert found.left_out == ("gen",) and not any(isinstance(item, ir.Draw) for item in found.body)


NOISY = """
class Noisy:
    def __init__(self, scale, prng=np.random):
        self.scale = scale
        self.prng = prng

    def add(self, value):
        return value + self.prng.laplace(0, self.scale)


"""


LABELS = (
    "NAMES = ('a', 'b', 'c')\n\n\ndef drawn():\n    c = rng.choice(list(NAMES), 2)\n    return c + c\n\n\n"
)


def test_of_labels_that_are_drawn_an_entry_is_used() -> None:
    one, same = (
        reading(f"return {text}", LABELS)
        for text in ("rng.choice(list(NAMES), 1)[0]", "rng.choice(list(NAMES))")
    )
    assert [item.law for item in ir.statements(one.body) if isinstance(item, ir.Choose)]
    assert one.output == same.output
    for body in (
        "return rng.choice(list(NAMES), 1)",
        "return rng.choice(list(NAMES), 2) + rng.choice(list(NAMES), 2)",
        "return drawn()[0]",
    ):
        with pytest.raises(ProgramError, match="entries are no numbers"):
            reading(body, LABELS)


def test_a_library_may_be_the_default_of_a_parameter() -> None:
    bodies = [reading(body, NOISY).body for body in ("return Noisy(1 / eps).add(x)", "return x")]
    assert [any(isinstance(item, ir.Draw) for item in ir.statements(body)) for body in bodies] == [
        True,
        False,
    ]
    with pytest.raises(ProgramError, match="may be changed"):
        reading("return Noisy(1 / eps).add(x)", f"{NOISY}def other(m):\n    m(Noisy(1).prng)\n\n\n")


def test_a_source_may_be_a_parameter() -> None:
    parameters = "x: int, gen: np.random.Generator, eps: float"
    (found,) = read_source(text("return gen.laplace(x, 1 / eps)", "", parameters), "p.py")
    assert [item.name for item in found.parameters] == ["x", "eps"]


@pytest.mark.parametrize(
    "body",
    [
        "r = rng\n    if x > 0:\n        r = 3\n    return r",
        "return rng",
        "out = [rng]\n    return out",
        "return rng + 1",
        "return rng.weird(x)",
        "rng.shuffle(xs)\n    return x",
        "return random.randint(1.5, 3)",
        "return rng.integers(eps)",
        "return rng.laplace(xs, xs)",
        "return rng.laplace(size=(2, 3, 4))",
    ],
)
def test_other_uses_of_a_source_are_refused(body: str) -> None:
    refusal(body)


def test_chances_that_may_not_add_up_are_shown() -> None:
    found = reading("return np.random.choice(2, p=[0.25, 0.5])")
    assert any(
        "abs(total - 1) <= 1e-08" in item.reason for item in found.body if isinstance(item, ir.Obligation)
    )
