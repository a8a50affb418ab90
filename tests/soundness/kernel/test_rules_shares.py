"""Gaussian noise on vectors: the squares of what entries move are summed up as they come ([Norm]).

Under l2_distance each entry has its share of the square of the distance, under l1_distance a distance pays
for itself times the whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from synth.prover.prove import Unknown, prove
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source
from synth.trusted.kernel.check import INVALID, VALID, check
from tests.support.proving import proof_of

Json = dict[str, Any]
VECTOR = """from synth.lang import *

@mechanism(adjacent={"q": l2_distance("c")}, requires="c > 0", gdp="1 / 4")
def f(q: list[float], c: float) -> list[float]:
    out = []
    for v in q:
        out.append(gaussian(v, 4 * c))
    return out
"""
SUM = VECTOR.replace("l2_distance", "l1_distance")
COUNTS = """from synth.lang import *

@mechanism(adjacent={"q": l1_distance(1)}, zcdp="1 / 8")
def f(q: list[int]) -> list[int]:
    out = []
    for v in q:
        out.append(laplace(v, 2))
    return out
"""
"""For zCDP other noise may pay in squares, too."""
UNIT = "(/ 1.0 16.0)"


def _draw(data: Json) -> Json:
    """The node of the only draw."""

    def walk(node: Json) -> list[Json]:
        inner = [item for part in node.get("premises", []) for item in walk(part)]
        return [node, *inner] if node["rule"] in ("Norm", "LapGen") else inner

    (node,) = walk(data["derivation"])
    return node


def _verdict(data: Json) -> tuple[str, str | None]:
    found = check(json.dumps(data))
    return found.verdict, found.rule


@pytest.mark.parametrize("text", [VECTOR, SUM, COUNTS], ids=["l2", "l1", "laplace for zCDP"])
def test_what_is_found_is_valid(text: str) -> None:
    data = json.loads(proof_of(text))
    assert _draw(data)["amount"] in ("share", "distance")
    assert data["costs"]["cost#0"]["sort"] == "Real"
    assert check(json.dumps(data), ("cvc5", "z3")).verdict == VALID


def _sooner(data: Json, square: str) -> None:
    data["costs"]["cost#0"]["square"] = square
    data["gaussian"]["square"] = square


def _counted(data: Json) -> None:
    """An Int in place of a Real, and no invariant that speaks of it."""
    data["costs"]["cost#0"].update(sort="Int", bound="1")

    def forget(node: Json) -> None:
        if "invariant" in node:
            node["invariant"] = [item for item in node["invariant"] if "cost#0" not in item]
        for part in node.get("premises", []):
            forget(part)

    forget(data["derivation"])


VECTORS: dict[str, tuple[str, Callable[[Json], object]]] = {
    "less is spent": ("Return", lambda data: data["costs"]["cost#0"].update(bound="0.9")),
    "a unit is too small": ("Norm", lambda data: _sooner(data, f"(* 0.99 {UNIT})")),
    "the sum is too large": ("Forall-Eq", lambda data: data["gaussian"].update(square="(/ 1.0 17.0)")),
    "the claim is too small": ("Conseq", lambda data: data["claim"].update(gdp="1 / 5")),
    "the whole is larger": ("Norm", lambda data: _draw(data).update(within="(* 0.5 |c<>|)")),
    "it is another entry": ("Norm", lambda data: _draw(data).update(of=["q", "0"])),
    "it is the next entry": ("Norm", lambda data: _draw(data).update(of=["q", "(+ 1 |q#latest|)"])),
    "there is no entry": ("Norm", lambda data: _draw(data).update(of=["c", "|q#latest|"])),
    "no entry is named": ("Schema", lambda data: _draw(data).pop("of")),
    "an entry of nothing": ("Norm", lambda data: _draw(data).update(of=["p", "|q#latest|"])),
    "shares are counted": ("Norm", lambda data: _counted(data)),
    "a distance is no share": ("Norm", lambda data: _draw(data).update(amount="distance")),
    "shares cost nats": (
        "Norm",
        lambda data: data["costs"].update({"cost#0": {"sort": "Real", "weight": "9.0", "bound": "1.0"}}),
    ),
    "what is lost depends on the output": (
        "Norm",
        lambda data: data["events"].update({"next#branch.0.0": "Bool"}),
    ),
    "the shift is that of the next draw": ("Norm", lambda data: _draw(data).update(k="|c<>|")),
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_forged_share_is_refused(name: str) -> None:
    rule, forge = VECTORS[name]
    data = json.loads(proof_of(VECTOR))
    forge(data)
    assert _verdict(data) == (INVALID, rule)


SUMS: dict[str, tuple[str, Callable[[Json], object]]] = {
    "less is spent": ("Return", lambda data: data["costs"]["cost#0"].update(bound="(* 0.9 |c<>|)")),
    "a distance may be larger": ("Norm", lambda data: _draw(data).update(within="(* 0.5 |c<>|)")),
    "a unit is too small": (
        "Norm",
        lambda data: data["costs"]["cost#0"].update(square="(/ 1.0 (* 17.0 |c<>|))"),
    ),
    "there is no largest distance": ("Schema", lambda data: _draw(data).pop("within")),
    "there are no shares": ("Norm", lambda data: _draw(data).update(amount="share", of=["q", "|q#latest|"])),
    "distances are counted": ("Norm", lambda data: _counted(data)),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_forged_distance_is_refused(name: str) -> None:
    rule, forge = SUMS[name]
    data = json.loads(proof_of(SUM))
    forge(data)
    assert _verdict(data) == (INVALID, rule)


DEARER = {
    "each entry twice": VECTOR.replace(
        "    return out", "        out.append(gaussian(v, 4 * c))\n    return out"
    ),
    "two passes": VECTOR.replace(
        "    return out", "    for v in q:\n        out.append(gaussian(v, 4 * c))\n    return out"
    ),
    "twice an entry": VECTOR.replace("gaussian(v,", "gaussian(2 * v,"),
    "sums so far": VECTOR.replace("    out = []", "    out = []\n    s = 0.0").replace(
        "        out.append(gaussian(v,", "        s += v\n        out.append(gaussian(s,"
    ),
    "differences in absolute value": VECTOR.replace("l2_distance", "linf_distance"),
    "one-sided noise": COUNTS.replace("laplace(v, 2)", "exponential(v, 2)"),
}


@pytest.mark.parametrize("name", DEARER)
def test_what_costs_more_is_not_proved(name: str) -> None:
    """The claim holds of one draw for each entry only."""
    (mechanism,) = read_source(DEARER[name], "f.py")
    assert isinstance(prove(mechanism, load_templates()), Unknown)


def test_integer_noise_pays_by_the_use() -> None:
    """Without zCDP there is no sum of squares for integers."""
    data = json.loads(proof_of(VECTOR.replace("float]", "int]").replace('gdp="1 / 4"', 'zcdp="1 / 32"')))
    data["gaussian"]["notion"] = "gdp"
    assert _verdict(data)[0] == INVALID
