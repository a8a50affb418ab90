"""OpenDP raises, or draws otherwise, where data decide on a domain, a metric, bounds or an option.

For each of these opendp 0.16 has another output for some x, while nothing else that is read depends on x.
"""

from __future__ import annotations

import random

import pytest

from synth.trusted.frontend.reader import read_what_can_be
from synth.trusted.program import syntax as ir
from tests.support.real_runs import UNDEFINED, Outcomes, core_inputs, law_of

HEAD = """import opendp.prelude as dp
from synth.lang import *

@mechanism(adjacent={"x": discrete_distance()}, requires="s > 0")
def f(x: int, s: float, ys: list[int]):
"""
ATOM = "dp.atom_domain(T=int), dp.absolute_distance(T=int)"
LIST = "dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()"
COUNTED = ">> dp.t.then_count() >> dp.m.then_laplace(s))(ys)"

BODIES = {
    "bounds of a type that data decide": f"""
        z = 1 if x > 0 else 1.5
        space = {LIST}
        return (space >> dp.t.then_clamp((0, z)) {COUNTED}""",
    "such bounds of a transformation": f"""
        z = 1 if x > 0 else 1.5
        return (dp.t.make_clamp({LIST}, (0, z)) {COUNTED}""",
    "a grid": """
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        return dp.m.make_laplace(*space, s, x)(0)""",
    "a grid that waits": f"""
        space = {ATOM}
        return (space >> dp.m.then_gaussian(s, k=x))(0)""",
    "what is no number": """
        space = dp.atom_domain(T=float, nan=x > 0), dp.absolute_distance(T=float)
        return dp.m.make_laplace(*space, scale=s)(0)""",
    "a size": f"""
        space = dp.vector_domain(dp.atom_domain(T=int), size=x), dp.symmetric_distance()
        return (space {COUNTED}""",
    "a metric": """
        metric = dp.absolute_distance(T=int) if x > 0 else dp.l1_distance(T=int)
        return dp.m.make_laplace(dp.atom_domain(T=int), metric, scale=s)(0)""",
    "a metric in a branch": """
        metric = dp.absolute_distance(T=int)
        if x > 0:
            metric = dp.l1_distance(T=int)
        return dp.m.make_laplace(dp.atom_domain(T=int), metric, scale=s)(0)""",
    "a domain": """
        domain = dp.atom_domain(T=int) if x > 0 else dp.atom_domain(T=float, nan=False)
        return dp.m.make_laplace(domain, dp.absolute_distance(T=int), scale=s)(0)""",
    "another metric than that of the noise": """
        v = 0
        if x > 0:
            v = dp.m.make_laplace(dp.atom_domain(T=int), dp.l1_distance(T=int), scale=s)(0)
        return 0""",
    "numbers that may be none": """
        v = 0
        if x > 0:
            v = dp.m.make_laplace(dp.atom_domain(T=float), dp.absolute_distance(T=float), scale=s)(0)
        return 0""",
    "a sum without bounds": f"""
        v = 0
        if x > 0:
            space = {LIST}
            v = (space >> dp.t.then_sum() >> dp.m.then_laplace(s))(ys)
        return 0""",
    "a domain without a type": """
        v = 0
        if x > 0:
            d = dp.atom_domain()
        return 0""",
    "what a try catches": f"""
        try:
            y = dp.m.make_laplace({ATOM}, 1.0)(0)
        except Exception:
            return x
        return y""",
    "what a try catches of a number": f"""
        noise = dp.m.make_laplace({ATOM}, 1.0)
        try:
            y = noise(2**40)
        except ValueError:
            return x
        return y""",
    "a domain has no length": """
        try:
            return len(dp.vector_domain(dp.atom_domain(T=int)))
        except TypeError:
            return x""",
}


@pytest.mark.parametrize("name", BODIES)
def test_nothing_is_said(name: str) -> None:
    lines = [line.removeprefix("        ") for line in BODIES[name].strip("\n").split("\n")]
    found, _ = read_what_can_be(HEAD + "".join(f"    {line}\n" for line in lines), "p.py")
    laws = [law for item in found for law in (_law(item, 1), _law(item, -1))]
    assert not laws or any(UNDEFINED in law for law in laws)


def _law(mechanism: ir.Mechanism, x: int) -> Outcomes:
    inputs = {"x": x, "s": 1.0, "ys": [1, 2]}
    return law_of(mechanism, core_inputs(mechanism, inputs, random.Random(0)))


OF_NUMPY = {
    "an argument, or what numpy makes of it": ("import numpy as np", "x if x > 0 else np.int64(x)"),
    "an argument that numpy gives back": ("import numpy as np", "x if x > 0 else np.nan_to_num(x)"),
    "a number that another library draws": (
        "from sklearn.utils import check_random_state",
        "3 if x > 0 else check_random_state(None).choice([3, 3])",
    ),
}


@pytest.mark.parametrize("name", OF_NUMPY)
def test_a_number_that_may_be_of_numpy_is_refused(name: str) -> None:
    """OpenDP raises for those of numpy, so that an output told that x > 0."""
    imported, number = OF_NUMPY[name]
    body = f"    return dp.m.make_laplace({ATOM}, scale=s)({number})\n"
    found, refused = read_what_can_be(f"{imported}\n{HEAD}{body}", "p.py")
    assert not found
    assert "numbers of numpy raise here" in refused[0].message


SHOWN = (
    "return x if dp.symmetric_distance() != 0 else 0",
    "return 0 if dp.symmetric_distance() == 0 else x",
    "return 0 if isinstance(dp.vector_domain(dp.atom_domain(T=int)), tuple) else x",
    "return 0 if not dp.atom_domain(T=int) else x",
)


@pytest.mark.parametrize("body", SHOWN)
def test_a_domain_is_no_number_and_no_tuple(body: str) -> None:
    """It was a zero, or a tuple of one, so ``x`` seemed not to be told."""
    found, _ = read_what_can_be(f"{HEAD}    {body}\n", "p.py")
    for mechanism in found:
        assert _law(mechanism, 3) == {3.0: 1.0}
