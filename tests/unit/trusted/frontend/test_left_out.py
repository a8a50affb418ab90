"""Parameters whose defaults make sources of draws, or are None, stand for these; a verdict says so."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.program import syntax as ir
from synth.views.assumptions import inputs_assumed
from tests.support.real_runs import compare

HEAD = """\
import random
from typing import Optional

import numpy as np
from synth.lang import absolute_distance, mechanism
"""
ADJACENT = "@mechanism(adjacent={'x': absolute_distance(1)}, requires='eps > 0', epsilon='eps')\n"


def text(parameter: str, body: str, before: str = "", head: str = ADJACENT) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}\n{before}\n\n{head}def f(x: float, eps: float, {parameter}):\n{lines}"


DRAWN = "return x + rng.laplace(0, 1 / eps)"
IF_NONE = f"if rng is None:\n    rng = np.random.default_rng()\n{DRAWN}"
OWN = "RNG = np.random.default_rng()"
HELPER = """
def noisy(x, b, rng: Optional[np.random.Generator] = None, other=np.random.RandomState(None)):
    rng = rng if rng is not None else np.random.default_rng()
    return x + rng.laplace(0, b) + 0 * other.laplace(0, b)
"""
READ = [
    ("rng=np.random.default_rng()", DRAWN, ""),
    ("rng: np.random.Generator = np.random.default_rng()", DRAWN, ""),
    ("*, rng=np.random.default_rng(seed=None)", DRAWN, ""),
    ("rng=np.random.RandomState()", DRAWN, ""),
    ("rng=np.random", DRAWN, ""),
    ("rng=RNG", DRAWN, OWN),
    ("rng=None", IF_NONE, ""),
    ("rng: np.random.Generator = None", IF_NONE, ""),
    ("rng: 'np.random.Generator | None' = None", IF_NONE, ""),
    ("rng: Optional[np.random.Generator] = None", f"rng = rng or np.random.default_rng()\n{DRAWN}", ""),
    ("rng=None", f"rng = np.random.default_rng() if rng is None else rng\n{DRAWN}", ""),
    ("rng: int | None = None", f"rng = np.random.default_rng(rng)\n{DRAWN}", ""),
    ("rng: np.random.Generator | None = None", "return noisy(x, 1 / eps, rng)", HELPER),
]


@pytest.mark.parametrize(("parameter", "body", "before"), READ)
def test_a_parameter_stands_for_its_default(parameter: str, body: str, before: str) -> None:
    (found,) = read_source(text(parameter, body, before), "p.py")
    assert [item.name for item in found.parameters] == ["x", "eps"]
    assert any(isinstance(item, ir.Draw) for item in ir.statements(found.body))
    assert inputs_assumed(found) == ("that calls leave 'rng' out",)


def test_what_is_read_is_what_python_runs() -> None:
    body = "rng = rng if rng is not None else np.random.default_rng()\nreturn x + rng.integers(0, 2)"
    plain = "@mechanism(adjacent={'x': absolute_distance(1)})\n"
    assert compare(text("*, rng=None", body, head=plain), random.Random(1)) == "same"


MAKER = "def make():\n    return np.random.default_rng(0)\n"
SEEDED_HELPER = "def noisy(x, b, rng=np.random.default_rng(7)):\n    return x + rng.laplace(0, b)\n"
PRIVATE = "@mechanism(adjacent={'rng': absolute_distance(1)}, requires='eps > 0', epsilon='eps')\n"
REFUSED = [
    ("rng=np.random.default_rng(0)", DRAWN, "", Refusal.KNOWN_SEED),
    ("rng=random.Random(x=3)", "return x + rng.gauss(0, 1 / eps)", "", Refusal.KNOWN_SEED),
    ("rng: np.random.Generator = np.random.default_rng(SEED)", DRAWN, "SEED = 3", Refusal.KNOWN_SEED),
    ("rng=make()", DRAWN, MAKER, Refusal.MISSING_ANNOTATION),
    ("rng=np.random.default_rng(make())", DRAWN, MAKER, Refusal.MISSING_ANNOTATION),
    ("rng=[np.random.default_rng()]", DRAWN, "", Refusal.MISSING_ANNOTATION),
    ("rng: float = None", "return x + rng", "", None),
    ("b=None", "return noisy(x, 1 / eps)", SEEDED_HELPER, Refusal.KNOWN_SEED),
    (
        "rng=np.random.default_rng()",
        DRAWN,
        "def seed():\n    f.__defaults__[0].bit_generator.state = {}\n",
        Refusal.KNOWN_SEED,
    ),
]


def codes(refused: Iterable[ProgramError]) -> list[Refusal]:
    return [item.code for item in refused]


@pytest.mark.parametrize(("parameter", "body", "before", "code"), REFUSED)
def test_known_noise_is_refused(parameter: str, body: str, before: str, code: Refusal | None) -> None:
    found, refused = read_what_can_be(text(parameter, body, before), "p.py")
    if code is None:
        (read,) = found
        assert "rng" in [item.name for item in read.parameters]
        return
    assert not found
    assert code in codes(refused)


def test_a_private_parameter_is_not_left_out() -> None:
    found, refused = read_what_can_be(text("rng=None", "return 0", head=PRIVATE), "p.py")
    assert not found and codes(refused) == [Refusal.WRONG_ADJACENCY]
