"""[LapInt]: draws from an interval are mapped onto a narrower one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log

import pytest

from synth.liftings.flow import Answer, decide
from tests.support.handmade import DROPPED, Data, accepted, certificate, edited, refusals, rejected, rule

ENDS: Data = {
    "from": ["|z<1>|", "(- |w<>| |z<1>|)"],
    "to": ["|z<2>|", "(- |w<>| |z<2>|)"],
}
MAPPED: Data = {
    **ENDS,
    "within": "1.0",
    "moved": ["cost#0", "1"],
    "narrowed": "2.0",
    "gap": "(- |w<>| 2.0)",
    "squeezed": ["cost#1", "1"],
}
COSTS: Data = {
    "cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"},
    "cost#1": {"sort": "Int", "weight": "(/ 2.0 (- |w<>| 2.0))", "bound": "1"},
}
INSIDE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and w > 2")
    def inside(x: float, w: float, eps: float) -> bool:
        z = max(0.0, min(x, 1.0))
        y = laplace(0.0, scale=1 / eps)
        return z <= y and y <= w - z
    """,
    rule("Assn"),
    rule("Skip"),
    rule("Skip"),
    rule("LapInt", **MAPPED),
    rule("Return"),
    epsilon="(+ |eps<>| (/ 2.0 (- |w<>| 2.0)))",
    costs=COSTS,
)
"""Whether noise lies between two private thresholds that move towards each other."""

DISCRETE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and w > 2")
    def inside(x: int, w: int, eps: float) -> bool:
        z = max(0, min(x, 1))
        y = laplace(0, scale=1 / eps)
        return z <= y and y <= w - z
    """,
    rule("Assn"),
    rule("Skip"),
    rule("Skip"),
    rule("LapInt", **{**MAPPED, "gap": "(- (to_real |w<>|) 1.0)"}),
    rule("Return"),
    epsilon="(+ |eps<>| (/ 2.0 (- (to_real |w<>|) 1.0)))",
    costs={**COSTS, "cost#1": {"sort": "Int", "weight": "(/ 2.0 (- (to_real |w<>|) 1.0))", "bound": "1"}},
)
"""On integers, of which there are one more than the difference of the ends."""

NODE = "derivation.3"


def test_an_interval_is_mapped() -> None:
    accepted(INSIDE)


def test_integers_of_an_interval_are_counted() -> None:
    accepted(DISCRETE)


def test_both_prices_may_go_into_one_cost() -> None:
    one = edited(INSIDE, NODE, moved=["cost#0", "1.0"], squeezed=["cost#0", "(/ 2.0 (- |w<>| 2.0))"])
    rejected(one, "LapInt", NODE, "Int")
    cost = {"sort": "Int", "weight": "(+ |eps<>| (/ 2.0 (- |w<>| 2.0)))", "bound": "2"}
    both = edited(one, NODE, moved=["cost#0", "1"], squeezed=["cost#0", "1"])
    both = {**both, "costs": {"cost#0": cost}}
    rejected(both, "Forall-Eq", "proved.epsilon", "at most the bound")
    accepted(edited(both, "proved", epsilon="(* 2.0 (+ |eps<>| (/ 2.0 (- |w<>| 2.0))))"))


def test_no_other_noise_is_mapped() -> None:
    for noise in ("gaussian", "exponential"):
        text = INSIDE["program"]["text"].split("\n\n\n")[1].replace("laplace", noise).replace("scale=", "")
        other = certificate(text, *INSIDE["derivation"]["premises"], epsilon="1.0", costs=COSTS)
        rejected(other, "LapInt", NODE, "no coupling of two draws")


@refusals(
    INSIDE,
    {
        "one end": (NODE, {"from": ["|z<1>|"]}, "Schema", f"{NODE}.from", "of another length"),
        "no interval": (NODE, {"from": [*reversed(ENDS["from"])]}, "LapInt", NODE, "is one"),
        "moves further": (NODE, {"within": "0.5"}, "LapInt", NODE, "end moves within"),
        "narrower": (NODE, {"narrowed": "1.0"}, "LapInt", NODE, "narrower by so much"),
        "negative narrowing": (NODE, {"narrowed": "(- 2.0)"}, "LapInt", NODE, "don't grow"),
        "smaller gap": (NODE, {"gap": "(- |w<>| 1.0)"}, "LapInt", NODE, "the gap"),
        "no gap": (NODE, {"gap": "(- |w<>| 3.0)"}, "LapInt", NODE, "the gap is positive"),
        "moving unpaid": (NODE, {"moved": ["cost#1", "1"]}, "LapInt", NODE, "due as 'moved'"),
        "squeezing unpaid": (NODE, {"squeezed": ["cost#1", "0"]}, "LapInt", NODE, "due as 'squeezed'"),
        "moving left out": (NODE, {"moved": DROPPED}, "Schema", NODE, "'moved' is missing"),
        "squeezing left out": (NODE, {"squeezed": DROPPED}, "Schema", NODE, "'squeezed' is missing"),
        "the draw itself": (NODE, {"from": ["|y<1>|", "|w<>|"]}, "LapInt", NODE, "the draw itself"),
        "unequal ends": (NODE, {"to": ["|z<1>|", "(- |w<>| |z<1>|)"]}, "Return", "derivation.4", "the same"),
        "a shift": (NODE, {"k": "0.0"}, "LapInt", NODE, "unknown: k"),
        "private gap": (NODE, {"gap": "(- |w<>| |z<1>|)"}, "LapInt", NODE, "no function of the public"),
    },
)
def test_lap_int_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_as_many_integers_as_the_gap() -> None:
    """Of integers the gap may be 1 more than the difference, and no more."""
    wide = edited(DISCRETE, NODE, gap="(to_real |w<>|)")
    rejected(wide, "LapInt", NODE, "has the gap")


# --- the definition of a lifting --------------------------------------------------------------

HALF = Fraction(1, 2)
REACH = 12
"""Masses 2^-|v - e|: the scale is 1/log(2) and moving noise by 1 costs log(2); so far they are taken."""


def _masses(center: int, reach: int) -> dict[int, Fraction]:
    return {center + v: HALF ** abs(v) for v in range(-reach, reach + 1)}


def _lies(ends: tuple[tuple[int, int], tuple[int, int]], one: int, two: int) -> bool:
    """What the rule says of the two draws."""
    (low, high), (low_2, high_2) = ends
    if one < low:
        return two - one == low_2 - low
    if one > high:
        return two - one == high_2 - high
    return low_2 <= two <= high_2


def _price(ends: tuple[tuple[int, int], tuple[int, int]], centers: tuple[int, int]) -> tuple[int, Fraction]:
    """The displacement, and narrowed/gap."""
    (low, high), (low_2, high_2) = ends
    apart = centers[1] - centers[0]
    within = max(abs(low_2 - low - apart), abs(high_2 - high - apart))
    return within, Fraction(max(0, high - low - (high_2 - low_2)), high_2 - low_2 + 1)


CASES = [
    (((low, low + width), (low_2, low_2 + width_2)), (0, center))
    for low, width, low_2, width_2, center in product((-3, 0, 2), (0, 1, 4), (-2, 0, 3), (0, 2, 3), (0, 1))
]
LOG_2 = Fraction(log(2)) + Fraction(1, 10**12)


def test_the_map_of_integers_is_a_lifting() -> None:
    """[LapInt] says what is related and what that costs: there is a lifting for it (flow, CertiPriv § 7)."""
    for ends, centers in CASES:
        within, squeezed = _price(ends, centers)
        mu1, mu2 = _masses(centers[0], REACH), _masses(centers[1], REACH + within)
        found = decide(mu1, mu2, lambda one, two, ends=ends: _lies(ends, one, two), within * LOG_2 + squeezed)
        assert found.answer is Answer.YES, (ends, centers)


def test_squeezing_has_its_price() -> None:
    """Without what it costs there is no lifting for some intervals."""
    missing = 0
    for ends, centers in CASES:
        within, squeezed = _price(ends, centers)
        mu1, mu2 = _masses(centers[0], REACH), _masses(centers[1], REACH + within)
        if squeezed:
            related = decide(mu1, mu2, lambda one, two, ends=ends: _lies(ends, one, two), within * LOG_2)
            missing += related.answer is Answer.NO
    assert missing


@pytest.mark.parametrize("ends", [(0, 5), (2, 3)])
def test_a_mapped_interval_on_reals_has_at_most_the_price(ends: tuple[int, int]) -> None:
    """The probability of each part of an interval, against that of its image, in closed form."""
    low, high = ends
    for low_2, high_2, scale in product((low, low + 1), (high - 1, high + 1), (0.5, 1.0, 3.0)):
        if high_2 <= low_2:
            continue
        within = max(abs(low_2 - low), abs(high_2 - high))
        narrowed = max(0, high - low - (high_2 - low_2))
        price = within / scale + narrowed / (high_2 - low_2)
        steps = [low + (high - low) * part / 16 for part in range(17)]
        images = [low_2 + (step - low) * (high_2 - low_2) / (high - low) for step in steps]
        for place in range(16):
            one, two = (_chance(cell[place], cell[place + 1], scale) for cell in (steps, images))
            assert log(one / two) <= price + 1e-9


def _chance(low: float, high: float, scale: float) -> float:
    """Pr[low < y < high] of Laplace noise."""

    def below(x: float) -> float:
        return exp(x / scale) / 2 if x <= 0 else 1 - exp(-x / scale) / 2

    return below(high) - below(low)
