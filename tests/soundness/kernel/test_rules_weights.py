"""[Weigh] with facts about functions and costs per order: the vertex cover of CertiPriv."""

from __future__ import annotations

import pytest

from synth.trusted.kernel.check import INVALID, VALID
from tests import ROOT as REPOSITORY
from tests.support.handmade import (
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

PROGRAM = REPOSITORY / "benchmarks" / "programs" / "vertex_cover.py"
ROOT = "(|sqrt:Real| (to_real |n<>|))"
REST = "(|sqrt:Real| (to_real (- |n<>| |i%2<1>|)))"
NEXT = "(|sqrt:Real| (to_real (- |n<>| (+ |i%2<1>| 1))))"
BEFORE = "(|sqrt:Real| (to_real (- |n<>| (- |i%2<1>| 1))))"
INSIDE = ["(<= 0 |i%2<1>|)", "(<= (+ |i%2<1>| 1) |n<>|)"]
COUNTED = ["(<= 1 |i%2<1>|)", "(<= |i%2<1>| |n<>|)"]
ALIKE = ["i%2", "len(order)", "rest"]
DRAW: Data = rule(
    "Weigh",
    floor="|w<1>|",
    given=INSIDE,
    gain="1.0",
    own=["cost#1", "1"],
    few=2,
    step="1.0",
    grows="|degree#upward|",
    total=["cost#0", f"(- {REST} {NEXT})"],
)
LOOP: Data = rule(
    "While",
    seq(
        rule("Cond", seq(rule("Exit")), seq()),
        rule("Assn"),
        rule("Skip"),
        rule("Skip"),
        rule("Skip"),
        rule("Assn"),
        rule("Skip"),
        DRAW,
        rule("Assn"),
        rule("Append"),
        rule("Assn"),
        rule("Assn", facts=[f"(<= {REST} {BEFORE})"], given=COUNTED),
    ),
    equal=ALIKE,
    invariant=[
        "(<= 0 |i%2<1>|)",
        "(<= |i%2<1>| |n<>|)",
        f"(<= |cost#0| (ite |degree#upward| (- {ROOT} {REST}) 0.0))",
        "(<= |cost#1| (ite (or |degree#upward| (|edge[]<>| |rest<1>|)) 0 1))",
    ],
)
COVER = certificate(
    PROGRAM.read_text().split("from synth.lang import *")[1],
    rule("New"),
    rule("Assn"),
    rule("Assn"),
    rule("Block", seq(LOOP)),
    rule("Return"),
    epsilon="|eps<>|",
    claim={"epsilon": "eps", "delta": None},
    costs={
        "cost#0": {"sort": "Real", "weight": f"(/ |eps<>| {ROOT})", "bound": ROOT, "order": ["degree", True]},
        "cost#1": {"sort": "Int", "weight": "(/ |eps<>| 4.0)", "bound": "1", "order": ["degree", False]},
    },
    safety={"0": "(<= 0 |i%2<1>|)"},
)
QUARTER: Data = {"sort": "Int", "weight": "(/ |eps<>| 4.0)", "bound": "1"}
AT_LOOP = "derivation.3.0.0"
AT_DRAW = f"{AT_LOOP}.0.7"


def test_the_vertex_cover_is_private_in_both_orders() -> None:
    accepted(COVER)


@refusals(
    COVER,
    {
        "one weight may grow": (AT_DRAW, {"few": 1}, "Weigh", AT_DRAW, "only few weights"),
        "few is no number": (AT_DRAW, {"few": True}, "Schema", f"{AT_DRAW}.few", "not a number"),
        "few are many": (AT_DRAW, {"few": 9}, "Weigh", AT_DRAW, "'few'"),
        "few is too large": (AT_DRAW, {"few": 9}, "Weigh", AT_DRAW, "'few'"),
        "a step too small": (AT_DRAW, {"step": "0.5"}, "Weigh", AT_DRAW, "only where it may be"),
        "a step below 0": (AT_DRAW, {"step": "(- 1.0)"}, "Weigh", AT_DRAW, "only where it may be"),
        "a gain too small": (AT_DRAW, {"gain": "0.5"}, "Weigh", AT_DRAW, "by no more than what is paid for"),
        "a floor too high": (AT_DRAW, {"floor": "(+ |w<1>| 1.0)"}, "Weigh", AT_DRAW, "below the floor"),
        "a floor of 0": (AT_DRAW, {"floor": "0.0"}, "Weigh", AT_DRAW, "the floor is positive"),
        "the floor is private": (
            AT_DRAW,
            {"floor": "(to_real (|degree[]<1>| |rest<1>| |i%2<1>|))"},
            "Weigh",
            AT_DRAW,
            "degree",
        ),
        "the sum grows for nothing": (
            AT_DRAW,
            {"total": ["cost#0", "0.0"]},
            "Weigh",
            AT_DRAW,
            "due as 'total'",
        ),
        "the sum is said to grow in the other order": (
            AT_DRAW,
            {"grows": "(not |degree#upward|)"},
            "Weigh",
            AT_DRAW,
            "only where it may be",
        ),
        "the drawn weight is free": (AT_DRAW, {"own": ["cost#1", "0"]}, "Weigh", AT_DRAW, "due as 'own'"),
        "the drawn weight pays nothing": (
            AT_DRAW,
            {"own": ["cost#2", "1"]},
            "Weigh",
            AT_DRAW,
            "no cost is called",
        ),
        "both orders at once": (
            "",
            {"costs": {**COVER["costs"], "cost#1": QUARTER}},
            "Forall-Eq",
            "proved.epsilon",
            "the costs sum up",
        ),
        "a cost in the wrong order": (
            "costs.cost#0",
            {"order": ["degree", False]},
            "Return",
            "derivation.4",
            "the cost cost#0 is within its bound",
        ),
        "an order of what is not monotone": (
            "costs.cost#0",
            {"order": ["vertex", True]},
            "Forall-Eq",
            "costs.cost#0",
            "no monotone parameter",
        ),
        "an order of nothing": (
            "costs.cost#0",
            {"order": "degree"},
            "Schema",
            "costs.cost#0.order",
            "a name with",
        ),
        "mass in one order": ("costs.cost#0", {"delta": "0.5"}, "Schema", "costs.cost#0", "no order"),
        "less than it costs": (
            "",
            {"proved": {"epsilon": "(* 0.9 |eps<>|)", "delta": "0"}},
            "Forall-Eq",
            "proved.epsilon",
            "the costs sum up",
        ),
        "a bound that speaks of a ghost": (
            "",
            {"proved": {"epsilon": "(+ |eps<>| (to_real |t<>|))", "delta": "0"}},
            "Forall-Eq",
            "proved.epsilon",
            "no function of the public inputs",
        ),
    },
)
def test_a_cover_that_pays_too_little_is_refused(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


FORGOTTEN = {
    '"degree(S, v) >= 0",': ("Weigh", AT_DRAW),
    '"one(degree(S, v)) == two(degree(S, v)) or edge(S) and (v == t or v == u)",': ("Weigh", AT_DRAW),
    '"not edge(without(S, v)) or edge(S) and v != t and v != u",': ("While", AT_LOOP),
    '"place(S, vertex(S, j)) == j",': ("Weigh", AT_DRAW),
}


@pytest.mark.parametrize("fact", FORGOTTEN)
def test_every_fact_is_needed(fact: str) -> None:
    """The kernel reads the facts from the program: a certificate can't bring its own."""
    found = check_text(program_edited(COVER, fact, ""))
    assert found.verdict == INVALID
    assert (found.rule, found.place) == FORGOTTEN[fact], found.reason


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("w = 4 / eps", "w = 3 / eps", AT_DRAW),
        ("sqrt(n / (n - i))", "sqrt(n / n)", AT_DRAW),
        ("linf_distance(1, monotone=True)", "linf_distance(2, monotone=True)", AT_DRAW),
        ("v == t or v == u", "v == t or v == u or v == t + 1", AT_DRAW),
    ],
)
def test_another_program_is_refused(old: str, new: str, place: str) -> None:
    found = check_text(program_edited(COVER, old, new))
    assert (found.verdict, found.rule, found.place) == (INVALID, "Weigh", place), found.reason


def test_a_fact_about_one_run_says_nothing_of_the_other() -> None:
    """[Safe] is about both inputs, so it takes no facts that name a run."""
    forged = program_edited(
        COVER, '"degree(S, v) >= 0"', '"one(degree(S, v)) >= 0 and two(degree(S, v)) >= 0"'
    )
    rejected(forged, "Safe", "safety", "the logarithm")


def test_what_is_asked_of_the_floor_needs_the_counter() -> None:
    assert check_text(edited(COVER, AT_DRAW, given=[])).verdict != VALID


def test_weights_need_a_logarithm() -> None:
    rejected(program_edited(COVER, "log(degree", "(degree"), "Weigh", AT_DRAW, "logarithms of weights")
