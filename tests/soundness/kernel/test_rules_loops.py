"""[While], [Block] and [Exit]."""

from __future__ import annotations

from tests.support.handmade import (
    DROPPED,
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

COUNTED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 0")
    def counted(x: int, n: int) -> int:
        i = 0
        while i < n:
            i = i + 1
        return i
    """,
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While",
                seq(rule("Cond", seq(rule("Exit")), SEQ), rule("Assn")),
                equal=["i"],
                invariant=["(<= 0 |i<1>|)"],
            )
        ),
    ),
    rule("Return"),
)


REPEATED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 0")
    def repeated(x: int, n: int, eps: float) -> list[int]:
        out = []
        for i in range(n):
            out.append(laplace(x, scale=1 / eps))
        return out
    """,
    rule("New"),
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While",
                seq(
                    rule("Cond", seq(rule("Exit")), SEQ),
                    rule("Assn"),
                    rule("Skip"),
                    rule("Skip"),
                    rule("LapGen", k="0", within="1.0", cost="cost#0", amount="1"),
                    rule("Append"),
                    rule("Assn"),
                ),
                equal=["i%2", "len(out)"],
                invariant=["(<= |cost#0| |i%2<1>|)", "(<= |i%2<1>| |n<>|)"],
            )
        ),
    ),
    rule("Return"),
    epsilon="(* |eps<>| (to_real |n<>|))",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "|n<>|"}},
)


TOTAL = certificate(
    """
    @mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
    def total(q: list[int], eps: float) -> list[int]:
        out = []
        for i in range(len(q)):
            out.append(laplace(q[i], scale=1 / eps))
        return out
    """,
    rule("New"),
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While",
                seq(
                    rule("Cond", seq(rule("Exit")), SEQ),
                    rule("Assn"),
                    rule("Skip"),
                    rule("Skip"),
                    rule("Skip"),
                    rule("LapGen", k="0", cost="cost#0", amount="distance"),
                    rule("Append"),
                    rule("Assn"),
                ),
                equal=["i%2", "len(out)"],
                invariant=["(<= |cost#0| |q#spent|)", "(<= |q#spent| 1.0)", "(< |q#latest| |i%2<1>|)"],
            )
        ),
    ),
    rule("Return"),
    epsilon="|eps<>|",
    costs={"cost#0": {"sort": "Real", "weight": "|eps<>|", "bound": "1.0"}},
    safety={"0": "(<= 0 |i%2<1>|)"},
)


BODY = COUNTED["derivation"]["premises"][1]["premises"][0]["premises"][0]["premises"][0]


# --- While ------------------------------------------------------------------------------------


LOOP = "derivation.1.0.0"


def test_while_accepts_a_public_count() -> None:
    accepted(COUNTED)


def test_while_accepts_a_sum_of_costs() -> None:
    accepted(REPEATED)


def test_while_accepts_a_budget() -> None:
    """Distances that are bounded in sum."""
    accepted(TOTAL)


def test_while_accepts_a_weaker_invariant() -> None:
    accepted(edited(COUNTED, LOOP, invariant=["true"]))


@refusals(
    COUNTED,
    {
        "missing premise": (LOOP, {"premises": []}, "While", LOOP, "needs one premise"),
        "extra premise": (LOOP, {"premises": [BODY, BODY]}, "While", LOOP, "needs one premise"),
        "of a return": ("derivation.2", {"rule": "While"}, "While", "derivation.2", "a Return here"),
        "not true on entry": (
            LOOP,
            {"invariant": ["(<= 1 |i<1>|)"]},
            "While",
            LOOP,
            "the invariant holds on entry",
        ),
        "not kept": (
            LOOP,
            {"invariant": ["(<= |i<1>| 5)"]},
            "While",
            LOOP,
            "the invariant is kept by an iteration",
        ),
        "too strong": (LOOP, {"invariant": ["false"]}, "While", LOOP, "the invariant holds on entry"),
        "'equal' left out": (LOOP, {"equal": DROPPED}, "Cond", f"{LOOP}.0.0", "both runs go the same way"),
        "'equal' names what stays": (
            LOOP,
            {"equal": ["i", "n"]},
            "While",
            LOOP,
            "may only name what the loop changes",
        ),
        "'equal' names nothing": (
            LOOP,
            {"equal": ["i", "j"]},
            "While",
            LOOP,
            "may only name what the loop changes",
        ),
        "no formula": (LOOP, {"invariant": ["|i<1>|"]}, "While", LOOP, "not a formula"),
        "an unknown symbol": (
            LOOP,
            {"invariant": ["(= |j<1>| 0)"]},
            "While",
            LOOP,
            "|j<1>| means nothing here",
        ),
        "mixed sorts": (LOOP, {"invariant": ["(<= 0.0 |i<1>|)"]}, "While", LOOP, "can't be applied to"),
        "no list": (LOOP, {"invariant": "true"}, "Schema", f"{LOOP}.invariant", "not a list"),
        "a field": (LOOP, {"variant": "|i<1>|"}, "While", LOOP, "unknown: variant"),
    },
)
def test_while_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    REPEATED,
    {
        "nothing about the cost": (
            "derivation.2.0.0",
            {"invariant": ["(<= |i%2<1>| |n<>|)"]},
            "Return",
            "derivation.3",
            "within its bound",
        ),
        "the cost stays": (
            "derivation.2.0.0",
            {"invariant": ["(<= |cost#0| 0)"]},
            "While",
            "derivation.2.0.0",
            "the invariant is kept",
        ),
        "too small a bound": (
            "costs.cost#0",
            {"bound": "(- |n<>| 1)"},
            "Return",
            "derivation.3",
            "within its bound",
        ),
        "one draw is left out": (
            "derivation.2.0.0.0.4",
            {"k": "null", "within": DROPPED, "cost": DROPPED, "amount": DROPPED},
            "Append",
            "derivation.2.0.0.0.5",
            "both runs publish the same",
        ),
    },
)
def test_while_refuses_costs(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    TOTAL,
    {
        "indices may repeat": (
            "derivation.2.0.0",
            {"invariant": ["(<= |cost#0| |q#spent|)", "(<= |q#spent| 1.0)"]},
            "While",
            "derivation.2.0.0",
            "the invariant is kept",
        ),
        "too small a bound": ("costs.cost#0", {"bound": "0.5"}, "Return", "derivation.3", "within its bound"),
        "a cost of another sort": (
            "costs.cost#0",
            {"sort": "Int", "bound": "1"},
            "While",
            "derivation.2.0.0",
            "can't be applied",
        ),
    },
)
def test_while_refuses_budgets(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- Block and Exit ---------------------------------------------------------------------------


def test_block_and_exit_accept_a_way_out() -> None:
    """The exit of a loop, and the code behind it."""
    accepted(COUNTED)
    accepted(REPEATED)


@refusals(
    COUNTED,
    {
        "missing premise": ("derivation.1", {"premises": []}, "Block", "derivation.1", "needs one premise"),
        "extra premise": (
            "derivation.1",
            {"premises": [SEQ, SEQ]},
            "Block",
            "derivation.1",
            "needs one premise",
        ),
        "of an assignment": ("derivation.0", {"rule": "Block"}, "Block", "derivation.0", "a Assign here"),
        "a field": ("derivation.1", {"equal": []}, "Block", "derivation.1", "unknown: equal"),
    },
)
def test_block_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    COUNTED,
    {
        "of an assignment": ("derivation.0", {"rule": "Exit"}, "Exit", "derivation.0", "a Assign here"),
        "not taken": (f"{LOOP}.0.0.0.0", {"rule": "Skip"}, "Skip", f"{LOOP}.0.0.0.0", "a Exit here"),
        "a field": (f"{LOOP}.0.0.0.0", {"label": "break"}, "Exit", f"{LOOP}.0.0.0.0", "unknown: label"),
    },
)
def test_exit_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)
