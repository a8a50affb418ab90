"""What concerns a derivation as a whole: [Forall-Eq], [Safe] and [Conseq]."""

from __future__ import annotations

import pytest

from tests.support.handmade import (
    COST,
    SCALED,
    SEQ,
    Data,
    accepted,
    certificate,
    edited,
    refusals,
    rejected,
    rule,
    seq,
)

INDEXED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def indexed(x: int, q: list[int]) -> int:
        last = 0
        for i in range(len(q)):
            last = q[i]
        return last
    """,
    rule("Assn"),
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While",
                seq(rule("Cond", seq(rule("Exit")), SEQ), *map(rule, ("Assn", "Skip", "Assn", "Assn"))),
                equal=["i%2", "last"],
            )
        ),
    ),
    rule("Return"),
    safety={"0": "(<= 0 |i%2<1>|)"},
)


DIVIDED = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n > 0")
    def divided(x: int, n: int) -> int:
        y = 10 // n
        return y
    """


# --- accepted ---------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [SCALED, INDEXED], ids=["noisy", "indexed"])
def test_accepted(data: Data) -> None:
    accepted(data)


def test_forall_eq_accepts_a_cost_that_nothing_uses() -> None:
    unused = {**COST, "cost#1": {"sort": "Real", "weight": "0.0", "bound": "3.0"}}
    accepted(edited(SCALED, "", costs=unused))


def test_safe_accepts_what_requires_rules_out() -> None:
    accepted(certificate(DIVIDED, rule("Skip"), rule("Assn"), rule("Return")))


@pytest.mark.parametrize(
    "claim",
    [
        {"epsilon": None, "delta": None},
        {"epsilon": "2*eps", "delta": None},
        {"epsilon": "eps + c", "delta": "0.5"},
        {"epsilon": None, "delta": "eps"},
    ],
)
def test_conseq_accepts_a_larger_claim(claim: Data) -> None:
    accepted(edited(SCALED, "", claim=claim))


# --- rejected ---------------------------------------------------------------------------------


@refusals(
    SCALED,
    {
        "not a sequence": ("derivation", {"rule": "Forall-Eq"}, "Forall-Eq", "derivation", "needs [Seq]"),
        "a negative weight": (
            "costs",
            {"cost#1": {"sort": "Int", "weight": "(- |eps<>|)", "bound": "0"}},
            "Forall-Eq",
            "costs.cost#1",
            "the weight is at least 0",
        ),
        "a private weight": (
            "costs",
            {"cost#1": {"sort": "Int", "weight": "(to_real |x<1>|)", "bound": "0"}},
            "Forall-Eq",
            "costs.cost#1",
            "|x<1>| has no value here",
        ),
        "a bound below the costs": (
            "proved",
            {"epsilon": "(* 0.9 |eps<>|)"},
            "Forall-Eq",
            "proved.epsilon",
            "the costs sum up",
        ),
        "a cost left out of the sum": (
            "costs",
            {"cost#1": {"sort": "Int", "weight": "1.0", "bound": "1"}},
            "Forall-Eq",
            "proved.epsilon",
            "the costs sum up",
        ),
        "a bound that isn't defined": (
            "proved",
            {"epsilon": "(/ |eps<>| |c<>|)"},
            "Forall-Eq",
            "proved.epsilon",
            "the costs sum up",
        ),
        "a private bound": (
            "proved",
            {"epsilon": "(+ |eps<>| (to_real |x#start<1>|))"},
            "Forall-Eq",
            "proved.epsilon",
            "|x#start<1>| is no function",
        ),
        "a bound with an unknown symbol": (
            "proved",
            {"epsilon": "(+ |eps<>| |more|)"},
            "Forall-Eq",
            "proved.epsilon",
            "|more| means nothing here",
        ),
        "a cost's name": (
            "costs",
            {"spent": {"sort": "Int", "weight": "0.0", "bound": "0"}},
            "Forall-Eq",
            "costs.spent",
            "a cost is called cost#nats, or cost# and a number",
        ),
        "an event of no branch": (
            "events",
            {"next#branch.0.0": "Bool"},
            "Forall-Eq",
            "events.next#branch.0.0",
            "no such event of that sort",
        ),
        "an event's name": (
            "events",
            {"later": "Int"},
            "Forall-Eq",
            "events.later",
            "no such event of that sort",
        ),
        "a real event": (
            "events",
            {"next#return..0": "Real"},
            "Forall-Eq",
            "events.next#return..0",
            "no such event of that sort",
        ),
    },
)
def test_forall_eq_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    INDEXED,
    {
        "no invariant": ("", {"safety": {}}, "Safe", "safety", "index out of range"),
        "an unknown loop": (
            "safety",
            {"1": "true"},
            "Safe",
            "safety",
            "a loop or list that the program doesn't have",
        ),
        "no formula": ("safety", {"0": "|i%2<1>|"}, "Safe", "safety.0", "not a formula"),
        "too weak": ("safety", {"0": "(<= (- 1) |i%2<1>|)"}, "Safe", "safety", "index out of range"),
        "not true on entry": ("safety", {"0": "(<= 1 |i%2<1>|)"}, "Safe", "safety.0", "holds on entry"),
        "not kept": ("safety", {"0": "(= 0 |i%2<1>|)"}, "Safe", "safety.0", "is kept"),
    },
)
def test_safe_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@pytest.mark.parametrize("requires", ["n >= 0", "n < 5", "True"])
def test_safe_refuses_division_by_zero(requires: str) -> None:
    text = DIVIDED.replace("n > 0", requires)
    data = certificate(text, rule("Skip"), rule("Assn"), rule("Return"))
    rejected(data, "Safe", "safety", "division by zero")


def test_safe_refuses_a_scale_that_may_be_negative() -> None:
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="s != 0")
    def scaled(x: int, s: float) -> int:
        y = laplace(0, scale=s)
        return y
    """
    rejected(
        certificate(text, rule("Skip"), rule("LapGen", k="null"), rule("Return")), "Safe", "safety", "scale"
    )


@refusals(
    SCALED,
    {
        "a smaller claim": ("claim", {"epsilon": "eps/2"}, "Conseq", "claim.epsilon", "at most the claim"),
        "a claim that isn't larger everywhere": (
            "claim",
            {"epsilon": "eps*eps"},
            "Conseq",
            "claim.epsilon",
            "the bound is at most the claim",
        ),
        "a negative delta": (
            "claim",
            {"delta": "-eps"},
            "Conseq",
            "claim.delta",
            "delta is at most the claim",
        ),
        "a private claim": ("claim", {"epsilon": "eps + x*x"}, "Program", "program.text", "x"),
        "no expression": ("claim", {"epsilon": "eps +"}, "Program", "program.text", "syntax"),
        "no number": ("claim", {"epsilon": "eps > 0"}, "Program", "program.text", ""),
    },
)
def test_conseq_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_conseq_refuses_a_negative_distance() -> None:
    free = certificate(
        """
        @mechanism(adjacent={"x": absolute_distance("c")})
        def constant(x: int, c: float) -> int:
            return 0
        """,
        rule("Return"),
    )
    rejected(free, "Conseq", "program.x", "the stated distance is at least 0")
