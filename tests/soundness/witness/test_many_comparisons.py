"""Witnesses about compared real draws: right ones are confirmed, those just below the claim never."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from synth.trusted.frontend.reader import read_source
from synth.trusted.witness.backward import Backward, Fineness, TargetOutput
from synth.trusted.witness.check import VALID, check_witness

HEAD = (
    'from synth.lang import *\n\n\n@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", '
    'epsilon="2*eps")\ndef f(q: list[float], eps: float) -> list[int]:\n    out = []\n'
)
TEXTS = {
    "a branch": HEAD
    + "    x = laplace(0.0, 4 / eps)\n    for v in q:\n        if laplace(v, 4 / eps) >= x:\n"
    "            out.append(1)\n        else:\n            out.append(0)\n    return out\n",
    "a difference that is doubled": HEAD
    + "    x = laplace(0.0, 4 / eps)\n    for v in q:\n        y = laplace(v, 4 / eps)\n"
    "        z = 2 * x - 2 * y + 1\n        if 1 < z:\n            out.append(0)\n        else:\n"
    "            out.append(1)\n    return out\n",
}
LEFT, RIGHT = (-1,) * 3 + (1,) * 3, (0,) * 6
OUTPUT = (0,) * 3 + (1,) * 3
EPS = 8


def below(place: float) -> float:
    """The distribution function of noise of scale 4/EPS."""
    return math.exp(place * EPS / 4) / 2 if place < 0 else 1 - math.exp(-place * EPS / 4) / 2


def chance(values: tuple[int, ...]) -> float:
    """The probability of the output, as an integral over the threshold."""

    def at(x: float) -> float:
        answers = (
            below(x - v) if answer == 0 else 1 - below(x - v)
            for v, answer in zip(values, OUTPUT, strict=True)
        )
        return EPS / 8 * math.exp(-abs(x) * EPS / 4) * math.prod(answers)

    step = 2**-9  # smooth between the integers
    return sum(at((place + 0.5) * step) * step for place in range(-(12 * 2**9), 12 * 2**9))


def document(
    text: str, claim: float, change: Callable[[dict[str, Any]], None] | None = None
) -> dict[str, Any]:
    witness = {
        "parameters": {"eps": EPS},
        "left": {"q": list(LEFT)},
        "right": {"q": list(RIGHT)},
        "events": [{"values": [], "lists": [[[item] for item in OUTPUT]]}],
        "probability_left": [0, 1],
        "probability_right": [0, 1],
        "epsilon_at_least": claim,
    }
    if change is not None:
        change(witness)
    return {
        "kind": "witness",
        "program": text,
        "mechanism": "f",
        "epsilon": f"{claim:.6f}",
        "delta": None,
        "witness": witness,
    }


@pytest.mark.parametrize("name", TEXTS)
def test_the_loss_is_told_from_claims_on_both_sides(name: str) -> None:
    loss = math.log(chance(LEFT) / chance(RIGHT))
    right = check_witness(document(TEXTS[name], loss - 1.5))
    assert right.verdict == VALID and right.found is not None
    assert float(right.found.left.low) <= chance(LEFT) <= float(right.found.left.high)
    assert float(right.found.right.low) <= chance(RIGHT) <= float(right.found.right.high)
    assert check_witness(document(TEXTS[name], loss + 0.001), seconds=1).verdict != VALID


@pytest.mark.parametrize("bits", (1, 2))
@pytest.mark.parametrize("name", TEXTS)
def test_enclosures_hold_what_an_integral_gives(name: str, bits: int) -> None:
    (of,) = read_source(TEXTS[name], "the program")
    wish = TargetOutput((), (tuple((item,) for item in OUTPUT),))
    for values in (LEFT, RIGHT):
        fineness = Fineness(Fraction(1, 2**bits), Decimal("1e-6"), math.inf)
        entries = {"q": {(place,): value for place, value in enumerate(values)}}
        found = Backward(of, wish, entries, {"q": len(values)}, fineness).chance({"eps": EPS})
        assert 0 < float(found.low) <= chance(values) <= float(found.high)


def test_the_other_direction_is_no_witness() -> None:
    def turned(witness: dict[str, Any]) -> None:
        witness["left"], witness["right"] = witness["right"], witness["left"]

    assert check_witness(document(TEXTS["a branch"], 1, turned)).verdict != VALID
