"""[Lift]: mechanisms of finitely many outcomes, by the chances of their outputs, with and without a δ."""

from __future__ import annotations

from typing import Any

import pytest

from synth.trusted.kernel.check import INVALID
from synth.trusted.kernel.rules.whole import ROOT
from tests.support.handmade import (
    COST,
    DROPPED,
    Data,
    accepted,
    certificate,
    check_text,
    edited,
    program_edited,
    refusals,
    rejected,
    rule,
    seq,
)

HERE = "derivation"


def lifted(text: str, free: Any, lost: Any, reached: Any, epsilon: str, delta: str = "0.0") -> Data:
    """A certificate by the chances of the output."""
    data = certificate(text, proved={"epsilon": epsilon, "delta": delta})
    return {**data, HERE: {"rule": "Lift", "free": free, "lost": lost, "reached": reached}}


LEAK = lifted(
    """
    @mechanism(adjacent={"b": discrete_distance()}, requires="0 <= d and d <= 1")
    def leak(b: bool, d: float) -> tuple[bool, bool]:
        if bernoulli(d):
            return True, b
        return False, False
    """,
    free=[[0, 0], [1, 1], [2, 2]],
    lost=[[0, 3], [1, 3]],
    reached=[[0], [1]],
    epsilon="0.0",
    delta="|d<>|",
)
"""With the chance d the secret is told: outcomes (True, True), (True, False) and (False, False)."""

BOTH = lifted(
    """
    @mechanism(adjacent={"a": discrete_distance()})
    def both(a: bool) -> bool:
        x = bernoulli(3 / 4 if a else 1 / 4)
        y = bernoulli(3 / 4 if a else 1 / 4)
        return x and y
    """,
    free=[[0, 0], [1, 1], [2, 2], [3, 3], [2, 0], [1, 3]],
    lost=[[0, 2], [3, 1]],
    reached=[[0], [1]],
    epsilon="(|log:Real| 2.0)",
    delta="(/ 7.0 16.0)",
)
"""True with the chance 9/16 or 1/16, and False with 7/16 or 15/16: outcomes 0 and 2, 1 and 3."""

TWICE = lifted(
    """
    @mechanism(adjacent={"a": discrete_distance()}, requires="eps > 0")
    def twice(a: bool, eps: float) -> list[bool]:
        out = []
        for i in range(2):
            out.append(randomized_response(a, eps))
        return out
    """,
    free=[[i, j] for i in range(8) for j in range(8)],
    lost=[],
    reached=[],
    epsilon="(* 2.0 |eps<>|)",
)

FREE, LOST = LEAK[HERE]["free"], LEAK[HERE]["lost"]
LESS = "is at most e^ε times as likely"
MORE = "is at least e^ε times as likely"
OTHERS = "no pair occurs that is neither free nor lost"


@pytest.mark.parametrize("data", [LEAK, BOTH, TWICE], ids=["leak", "both", "twice"])
def test_what_is_true_is_accepted(data: Data) -> None:
    accepted(data)


@refusals(
    LEAK,
    {
        "told for nothing": (HERE, {"free": [*FREE, *LOST], "lost": []}, "Lift", HERE, "can't be drawn"),
        "a lost pair is left out": (
            HERE,
            {"lost": [[0, 3]], "reached": [[0]]},
            "Lift",
            HERE,
            f"outcome 1 of run 1 {OTHERS}",
        ),
        "a free pair is left out": (HERE, {"free": FREE[1:]}, "Lift", HERE, f"outcome 0 of run 1 {OTHERS}"),
        "nothing is listed": (HERE, {"free": [], "lost": []}, "Lift", HERE, OTHERS),
        "a sum is left out": (HERE, {"reached": [[1]]}, "Lift", HERE, "sum 0 of what is lost does not occur"),
        "no sum is reached": (HERE, {"reached": DROPPED}, "Lift", HERE, "sum 0 of what is lost"),
        "sums that there are not": (HERE, {"reached": [[0], [7]]}, "Lift", HERE, "no list of sums"),
        "less is lost": ("proved", {"delta": "(* 0.9 |d<>|)"}, "Lift", HERE, "is at most delta"),
        "nothing is lost": ("proved", {"delta": "0.0"}, "Lift", HERE, "is at most delta"),
        "delta is 0 where d may be more": ("proved", {"delta": "(- |d<>| |d<>|)"}, "Lift", HERE, "at most"),
        "delta is private": (
            "proved",
            {"delta": "(ite |b#start<1>| |d<>| 0.0)"},
            "Forall-Eq",
            "proved.delta",
            "no function of the public inputs",
        ),
        "delta is what was returned": (
            "proved",
            {"delta": "|%returned0<1>|"},
            "Forall-Eq",
            "proved.delta",
            "",
        ),
        "epsilon below 0": ("proved", {"epsilon": "(- 1.0)"}, "Lift", HERE, LESS),
        "a cost": ("", {"costs": {"cost#0": {**COST["cost#0"], "weight": "1.0"}}}, "Lift", HERE, "takes no"),
        "an event": ("", {"events": {"next#return..0": "Bool"}}, "Lift", HERE, "takes no"),
        "a premise": (HERE, {"premises": [seq()]}, "Lift", HERE, "takes no"),
        "less noise than none": ("", {"gaussian": {"square": "(- 1.0)"}}, "Lift", HERE, "no Gaussian"),
        "another field": (HERE, {"pays": []}, "Lift", HERE, "pays"),
        "free is no list": (HERE, {"free": 7}, "Schema", f"{HERE}.free", "not a list"),
        "free is text": (HERE, {"free": "00"}, "Schema", f"{HERE}.free", "not a list"),
        "one number": (HERE, {"free": [[0]]}, "Schema", f"{HERE}.free.0", "of another length"),
        "three numbers": (HERE, {"free": [[0, 0, 0]]}, "Schema", f"{HERE}.free.0", "of another length"),
        "a truth value": (HERE, {"free": [[True, 0]]}, "Schema", f"{HERE}.free.0.0", "not a number"),
        "a text": (HERE, {"lost": [["0", 3]]}, "Schema", f"{HERE}.lost.0.0", "not a number"),
        "no outcome of run 1": (HERE, {"lost": [[3, 0]]}, "Lift", HERE, "'lost' is no list of pairs"),
        "no outcome of run 2": (HERE, {"lost": [[0, 4]]}, "Lift", HERE, "'lost' is no list of pairs"),
        "below 0": (HERE, {"lost": [[0, -1]]}, "Schema", f"{HERE}.lost.0.1", "not a number"),
        "reached is no list": (HERE, {"reached": 0}, "Lift", HERE, "no list of sums"),
        "reached below 0": (HERE, {"reached": [[-1]]}, "Lift", HERE, "no list of sums"),
        "reached is text": (HERE, {"reached": [["0"]]}, "Lift", HERE, "no list of sums"),
    },
)
def test_what_is_told_is_lost(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    BOTH,
    {
        "a lost pair is free": (
            HERE,
            {"free": [*BOTH[HERE]["free"], [3, 1]], "lost": [[0, 2]], "reached": [[0]]},
            "Lift",
            HERE,
            f"outcome 3 of run 1 {LESS}",
        ),
        "a pair is free as well": (
            HERE,
            {"free": [*BOTH[HERE]["free"], [0, 2]]},
            "Lift",
            HERE,
            f"outcome 0 of run 1 {LESS}",
        ),
        "a free pair is lost": (
            HERE,
            {"lost": [*BOTH[HERE]["lost"], [2, 0]]},
            "Lift",
            HERE,
            f"outcome 2 of run 1 {MORE}",
        ),
        "the larger sum is left out": (
            HERE,
            {"reached": [[1]]},
            "Lift",
            HERE,
            "sum 0 of what is lost",
        ),
        "the smaller sum is left out": (
            HERE,
            {"reached": [[0]]},
            "Lift",
            HERE,
            "sum 1 of what is lost",
        ),
        "epsilon too small": ("proved", {"epsilon": "(/ 1.0 2.0)"}, "Lift", HERE, "is at most delta"),
        "epsilon too large for what is lost": ("proved", {"epsilon": "1.0"}, "Lift", HERE, MORE),
        "delta too small": ("proved", {"delta": "(/ 6.9 16.0)"}, "Lift", HERE, "sum 0 of what is lost is"),
        "delta below 0": ("proved", {"delta": "(- 1.0)"}, "Lift", "proved.delta", "delta is at least 0"),
        "a claim below": ("claim", {"epsilon": "log(2)", "delta": "0.4"}, "Conseq", "claim.delta", ""),
        "a claim without delta": ("claim", {"epsilon": "log(2)"}, "Conseq", "claim.delta", ""),
    },
)
def test_epsilon_and_delta_are_both_paid(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    TWICE,
    {
        "paid once": ("proved", {"epsilon": "|eps<>|"}, "Lift", HERE, LESS),
        "nothing is paid": ("proved", {"epsilon": "0.0"}, "Lift", HERE, LESS),
        "epsilon is undefined": (
            "proved",
            {"epsilon": "(/ |eps<>| 0.0)"},
            ROOT,
            "proved.epsilon",
            "a division by 0",
        ),
        "delta below 0": ("proved", {"delta": "(- |eps<>|)"}, "Lift", "proved.delta", "delta is at least 0"),
        "a pair is left out": (HERE, {"free": TWICE[HERE]["free"][1:]}, "Lift", HERE, OTHERS),
        "entries": ("", {"entries": {"out": "true"}}, "Append", "entries.out", ""),
    },
)
def test_each_entry_of_a_list_is_paid(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@pytest.mark.parametrize(
    ("data", "old", "new"),
    [
        (LEAK, "bernoulli(d)", "bernoulli(1 - d)"),
        (LEAK, "return False, False", "return False, b"),
        (LEAK, "0 <= d and d <= 1", "d == 2"),
        (LEAK, "return True, b", "return True, True"),
        (BOTH, "y = bernoulli(3 / 4 if a", "y = bernoulli(4 / 5 if a"),
        (BOTH, "return x and y", "return x and (y or a)"),
        (TWICE, "range(2)", "range(3)"),
        (TWICE, "eps > 0", "eps < 0"),
        (TWICE, "out.append(randomized_response(a, eps))", "out.append(randomized_response(a, 2 * eps))"),
        (TWICE, "return out", "return [out]"),
    ],
)
def test_another_program_is_refused(data: Data, old: str, new: str) -> None:
    assert check_text(program_edited(data, old, new)).verdict == INVALID


@pytest.mark.parametrize(
    "new",
    [
        "range(n)",
        "range(2 if a else 1)",
        "range(1000)",
        "range(randomized_response(a, eps))",
    ],
)
def test_loops_of_other_sizes_have_no_chances(new: str) -> None:
    data = program_edited(TWICE, "range(2)", new)
    data = program_edited(data, "eps: float", "eps: float, n: int")
    assert check_text(data).verdict == INVALID


def test_noise_has_no_chances() -> None:
    data = program_edited(TWICE, "return out", "x = laplace(0, 1)\n    return out")
    rejected(data, "Lift", HERE, "no chances of the output were found")


def test_a_chance_is_public() -> None:
    data = program_edited(BOTH, "a: bool", "a: int")
    data = program_edited(data, "return x and y", "return x and bernoulli(a / (1 + a * a))")
    assert check_text(data).verdict == INVALID


def test_no_statement_is_proved_by_its_chances() -> None:
    data = {**LEAK, HERE: seq(rule("Skip"), rule("Skip"), LEAK[HERE])}
    assert check_text(data).verdict == INVALID


@refusals(
    edited(BOTH, "", derivation=seq(rule("Lift"), rule("Return"))),
    {"in a sequence": ("", {"claim": {"epsilon": None, "delta": None}}, "Seq", HERE, "")},
)
def test_it_stands_alone(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


ENDS = [[place, "1.0"] for place in (0, 1, 5, 6, 7)]
UNIFORM = lifted(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 1")
    def uniform(x: int, n: int) -> int:
        return x + uniform_int(-n, n)
    """,
    free=[[0, 0]],
    lost=[[0, 1]],
    reached=[*ENDS, [8, "1.0"]],
    epsilon="0.0",
    delta="(/ 1.0 (+ (* 2.0 (to_real |n<>|)) 1.0))",
)
"""At either end one of 2·n + 1 values is lost: how many are depends on both runs' x."""


def test_how_many_values_lose_alike_is_bounded() -> None:
    accepted(UNIFORM)


@refusals(
    UNIFORM,
    {
        "no value is lost": (
            HERE,
            {"reached": [[5, "0.0"], [8, "0.0"]]},
            "Lift",
            HERE,
            "the bounds of sum 5",
        ),
        "half a value is lost": (
            HERE,
            {"reached": [*ENDS[:-1], [7, "0.5"], [8, "1.0"]]},
            "Lift",
            HERE,
            "the bounds of sum 7",
        ),
        "more may be lost": (
            HERE,
            {"reached": [*ENDS, [8, "2.0"]]},
            "Lift",
            HERE,
            "sum 8 of what is lost is at most",
        ),
        "no bound": (HERE, {"reached": [*ENDS, [8]]}, "Lift", HERE, "needs 1 bounds"),
        "two bounds": (HERE, {"reached": [*ENDS, [8, "1.0", "1.0"]]}, "Lift", HERE, "needs 1 bounds"),
        "a private bound": (
            HERE,
            {"reached": [*ENDS, [8, "(to_real |x#start<1>|)"]]},
            "Lift",
            HERE,
            "no function",
        ),
        "an integer": (HERE, {"reached": [*ENDS, [8, "1"]]}, "Lift", HERE, "sort Int"),
    },
)
def test_bounds_of_counts(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)
