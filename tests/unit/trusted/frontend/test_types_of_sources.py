"""Sources of random numbers have types, and modules that draw are sources."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.program import syntax as ir

HEAD = """\
import random
import secrets

import numpy as np
from sklearn.utils import check_random_state
from synth.lang import mechanism, discrete_distance
"""
OF_A_SEED = """
def source_of(seed, secure=False):
    if secure:
        if isinstance(seed, secrets.SystemRandom):
            return seed
        if seed is None or seed is np.random.mtrand._rand:
            return secrets.SystemRandom()
    elif isinstance(seed, secrets.SystemRandom):
        raise ValueError("a secure source")
    return check_random_state(seed)
"""
HOLDER = """
class Holder:
    def __init__(self, prng=np.random):
        self.prng = prng

    def noisy(self, x):
        return x + self.prng.laplace(scale=2.0)
"""
MECHANISM = "@mechanism(adjacent={'x': discrete_distance()})\ndef f(x: float, b: bool):\n"


def text(body: str, before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{before}\n\n{MECHANISM}{lines}"


def laws(body: str, before: str = "") -> list[str]:
    (found,) = read_source(text(body, before), "p.py")
    statements = ir.statements(found.body)
    return [item.distribution for item in statements if isinstance(item, ir.Draw | ir.Choose)]


def flags(body: str) -> Mapping[str, object]:
    (found,) = read_source(text(body), "p.py")
    (returned,) = (item for item in ir.statements(found.body) if isinstance(item, ir.Return))
    return {str(place): item for place, item in enumerate(returned.values)}


TYPES = [
    ("np.random.default_rng()", "np.random.Generator", True),
    ("np.random.default_rng()", "np.random.RandomState", False),
    ("np.random.RandomState()", "np.random.RandomState", True),
    ("np.random.mtrand._rand", "np.random.RandomState", True),
    ("np.random", "np.random.RandomState", False),
    ("secrets.SystemRandom()", "secrets.SystemRandom", True),
    ("secrets.SystemRandom()", "random.SystemRandom", True),
    ("secrets.SystemRandom()", "random.Random", True),
    ("random.Random()", "secrets.SystemRandom", False),
    ("random.Random()", "(np.random.Generator, random.Random)", True),
    ("None", "random.Random", False),
    ("x", "random.Random", False),
]


@pytest.mark.parametrize(("made", "kind", "holds"), TYPES)
def test_the_type_of_a_source_is_known(made: str, kind: str, holds: bool) -> None:
    found = flags(f"rng = {made}\nreturn isinstance(rng, {kind})")
    assert [getattr(item, "value", None) for item in found.values()] == [holds]


READ = [
    ("return x + source_of(None, True).gauss(0.0, 2.0)", OF_A_SEED, ["gaussian"]),
    ("return x + source_of(None).laplace(0.0, 2.0)", OF_A_SEED, ["laplace"]),
    ("return x + source_of(source_of(None, True), True).gauss(0.0, 2.0)", OF_A_SEED, ["gaussian"]),
    ("return Holder().noisy(x)", HOLDER, ["laplace"]),
    ("return Holder(np.random.default_rng()).noisy(x)", HOLDER, ["laplace"]),
    (
        "rng = random.Random() if b else secrets.SystemRandom()\nreturn x + rng.gauss(0.0, 2.0)",
        "",
        ["gaussian"],
    ),
    (
        "rng = None if b else np.random.RandomState()\nreturn x if rng is None else rng.laplace()",
        "",
        ["laplace"],
    ),
]


@pytest.mark.parametrize(("body", "before", "expected"), READ)
def test_a_source_may_be_kept_and_chosen(body: str, before: str, expected: list[str]) -> None:
    assert laws(body, before) == expected


ELSEWHERE = "\ndef other(prng=np.random):\n    change(prng)\n"
EXTERNAL = """
from far import Base


class Far(Base):
    def __init__(self, prng=np.random):
        super().__init__(prng)
"""
CHANGED = "\ndef other(prng=np.random):\n    prng.laplace = float\n"
SEEDED = "\ndef other(prng=np.random):\n    prng.seed(1)\n"
REFUSED = [
    ("return x + source_of(7).laplace()", OF_A_SEED, Refusal.KNOWN_SEED),
    (
        "rng = random.Random() if b else np.random.RandomState()\nreturn rng.choice([1, 2])",
        "",
        Refusal.MIXED_TYPES,
    ),
    ("a, c = random.Random(), random.Random()\nreturn a is c", "", Refusal.UNSUPPORTED_CONSTRUCT),
    ("return np.random.laplace(x)", ELSEWHERE, Refusal.KNOWN_SEED),
    ("return np.random.laplace(x)", EXTERNAL, Refusal.KNOWN_SEED),
    ("return np.random.laplace(x)", SEEDED, Refusal.KNOWN_SEED),
    ("return [np.random]", "", Refusal.UNSUPPORTED_LIST),
]


@pytest.mark.parametrize(("body", "before", "code"), REFUSED)
def test_what_may_be_another_source_is_refused(body: str, before: str, code: Refusal) -> None:
    found, (error, *_) = read_what_can_be(text(body, before), "p.py")
    assert not found and error.code is code


def test_a_module_whose_member_is_assigned_by_another_name_is_not_used() -> None:
    with pytest.raises(ProgramError):
        read_source(text("return np.random.laplace(x)", CHANGED), "p.py")
