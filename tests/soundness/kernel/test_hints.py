"""``by_state``, ``factors``, ``magnitudes``: how a condition is shown is chosen, not whether it holds."""

from __future__ import annotations

from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID
from tests.support.handmade import (
    Data,
    accepted,
    certificate,
    check_text,
    edited,
    program_edited,
    rejected,
    rule,
    seq,
)

KEPT = certificate(
    """
    @mechanism(adjacent={"q": linf_distance(1)})
    def kept(q: list[int]) -> int:
        if len(q) == 0:
            return 0
        return uniform_int(0, len(q) - 1)
    """,
    rule("Cond", seq(rule("Return")), seq(), publish=True),
    rule("Skip"),
    rule("Chance", free=[[0, 0]], pays=[]),
    rule("Return"),
    by_state=[0],
)
"""Over the reals, a length that isn't 0 may be below 1."""

MOVED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(2)})
    def moved(x: int, k: int) -> int:
        n = k + 2 - k
        y = laplace(x * n, 4)
        return y
    """,
    rule("Assn"),
    rule("LapGen", k="0", within="4.0", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="1.0",
    costs={"cost#0": {"sort": "Int", "weight": "1.0", "bound": "1"}},
    factors=["2"],
)
"""That x * n is 2 * x is an instance of what a product is."""

SQUARED = certificate(
    """
    @mechanism(adjacent={"x": discrete_distance()}, requires="b > 0")
    def squared(x: float, b: float) -> float:
        u = min(max(x, -b), b)
        y = laplace(u * u, b * b)
        return y
    """,
    rule("Assn"),
    rule("Skip"),
    rule("LapGen", k="0.0", within="(|*:Real,Real| |b<>| |b<>|)", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="1.0",
    costs={"cost#0": {"sort": "Int", "weight": "1.0", "bound": "1"}},
    magnitudes=["|b<>|"],
)
"""Between 0 and b * b."""

DIVIDED = certificate(
    """
    @mechanism(adjacent={"x": discrete_distance()})
    def divided(x: float) -> float:
        y = laplace(3 / (2 + max(x, 0)), 1)
        return y
    """,
    rule("Skip"),
    rule("LapGen", k="0.0", within="1.5", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="1.5",
    costs={"cost#0": {"sort": "Int", "weight": "1.5", "bound": "1"}},
    magnitudes=["3.0", "2.0"],
)
"""Between 0 and 3/2."""

WEIGHTED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, requires="0 < w and w <= 1")
    def weighted(x: float, y: float, w: float) -> float:
        z = laplace(w * x + (1 - w) * y, 1)
        return z
    """,
    rule("LapGen", k="0.0", within="1.0", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="1.0",
    costs={"cost#0": {"sort": "Int", "weight": "1.0", "bound": "1"}},
    magnitudes=["1.0"],
)
"""Each summand differs by no more than its weight."""

SHARED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="m >= 2")
    def shared(x: float, m: float) -> float:
        z = laplace(3 + x / m, 1)
        return z
    """,
    rule("Skip"),
    rule("LapGen", k="0.0", within="0.5", cost="cost#0", amount="1"),
    rule("Return"),
    epsilon="0.5",
    costs={"cost#0": {"sort": "Int", "weight": "0.5", "bound": "1"}},
    magnitudes=["1.0", "2.0"],
)
"""What is divided by at least 2 differs by half as much."""


@pytest.mark.parametrize(
    "data",
    [
        KEPT,
        MOVED,
        edited(KEPT, "", factors=["0", "-1", "1/3"]),
        SQUARED,
        DIVIDED,
        WEIGHTED,
        SHARED,
        edited(SHARED, "", magnitudes=["0.5"]),
    ],
)
def test_accepted(data: Data) -> None:
    accepted(data)


def test_public_inputs_alone_are_not_enough() -> None:
    rejected(edited(KEPT, "", by_state=[]), "Safe", "safety", "something to draw from")


def test_the_state_is_not_enough_where_nothing_holds() -> None:
    rejected(program_edited(KEPT, "== 0", "== 1"), "Safe", "safety", "something to draw from")


@pytest.mark.parametrize("factors", [[], ["1"], ["3", "-2", "1/2"]])
def test_no_other_number_helps(factors: list[str]) -> None:
    rejected(edited(MOVED, "", factors=factors), "LapGen", "derivation.1", "the distance stays within")


@pytest.mark.parametrize("distance", ["3.0", "2.0", "0.0"])
def test_a_factor_makes_no_distance_smaller(distance: str) -> None:
    data = edited(MOVED, "derivation.1", within=distance)
    rejected(edited(data, "", factors=["0", "1", "2"]), "LapGen", "derivation.1", "the distance stays within")


@pytest.mark.parametrize("magnitudes", [[], ["1.0"], ["(- |b<>|)"], ["(/ |b<>| 2.0)"], ["(* 2.0 |b<>|)"]])
def test_no_other_magnitude_helps(magnitudes: list[str]) -> None:
    data = edited(SQUARED, "", magnitudes=magnitudes)
    rejected(data, "LapGen", "derivation.2", "the distance stays within")


@pytest.mark.parametrize("magnitudes", [[], ["3.0"], ["3.0", "0.0"], ["3.0", "(- 2.0)"], ["3.0", "1.0"]])
def test_a_divisor_is_at_least_the_magnitude(magnitudes: list[str]) -> None:
    data = edited(DIVIDED, "", magnitudes=magnitudes)
    rejected(data, "LapGen", "derivation.1", "the distance stays within")


@pytest.mark.parametrize(
    ("old", "new"),
    [("max(x, -b)", "max(x, -2 * b)"), ("min(max(x, -b), b)", "max(x, -b)"), ("u * u, b", "u * x, b")],
)
def test_what_is_not_clipped_has_no_magnitude(old: str, new: str) -> None:
    data = edited(program_edited(SQUARED, old, new), "", magnitudes=["|b<>|", "1.0", "(* 2.0 |b<>|)"])
    rejected(data, "LapGen", "derivation.2", "the distance stays within")


def test_a_divisor_may_be_near_0() -> None:
    data = edited(program_edited(DIVIDED, "2 + max(x, 0)", "2 * x + 1"), "")
    rejected(data, "LapGen", "derivation.1", "the distance stays within")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("w <= 1", "w <= 2"),
        ("0 < w", "-1 < w"),
        ("w * x +", "2 * w * x +"),
        ("(1 - w) * y", "(1 + w) * y"),
        ("(1 - w) * y", "w * x"),
        ("w * x +", "x * x +"),
        ("w * x +", "w / x +"),
        ("w * x +", "x / w +"),
    ],
)
def test_products_differ_by_no_less_than_their_common_factor_says(old: str, new: str) -> None:
    data = edited(program_edited(WEIGHTED, old, new), "", magnitudes=["1.0", "0.5", "0.0", "(- 1.0)"])
    found = check_text(data)
    assert (found.rule, found.verdict) in {("LapGen", INVALID), ("Safe", INVALID), ("Seq", INVALID)}


@pytest.mark.parametrize("magnitudes", [[], ["2.0"], ["1.0", "3.0"], ["1.0", "0.0", "(- 2.0)"]])
def test_quotients_differ_by_as_much_as_their_divisor_says(magnitudes: list[str]) -> None:
    data = edited(SHARED, "", magnitudes=magnitudes)
    rejected(data, "LapGen", "derivation.1", "the distance stays within")


@pytest.mark.parametrize("magnitude", ["|x<1>|", "|x#start<1>|", "|q|"])
def test_private_magnitudes_are_not_used(magnitude: str) -> None:
    """The rule would be sound for them; a part of a program need not have them."""
    data = edited(SQUARED, "", magnitudes=[magnitude])
    rejected(data, "LapGen", "derivation.2", "the distance stays within")


def test_magnitudes_are_reals() -> None:
    rejected(edited(SQUARED, "", magnitudes=["1"]), "Safe", "magnitudes", "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("by_state", [-1]),
        ("by_state", [True]),
        ("by_state", ["0"]),
        ("by_state", 0),
        ("factors", [2]),
        ("factors", ["x"]),
        ("factors", ["1/0"]),
        ("factors", ["1e3"]),
        ("factors", [" 1"]),
        ("factors", ["9" * 1301]),
        ("factors", "1"),
        ("magnitudes", [1]),
        ("magnitudes", ["("]),
        ("magnitudes", "1.0"),
        ("by_reals", [0]),
    ],
)
def test_malformed(field: str, value: Any) -> None:
    place = f"{field}.0" if isinstance(value, list) else field
    rejected(edited(KEPT, "", **{field: value}), "Schema", place, "")


def test_only_obligations_of_the_program() -> None:
    rejected(edited(KEPT, "", by_state=[0, 1]), "Safe", "by_state", "no obligation of that number")
