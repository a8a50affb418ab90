"""[Cond] and [Cond-L]."""

from __future__ import annotations

from tests.support.handmade import (
    COST,
    PAID,
    SEQ,
    Data,
    accepted,
    certificate,
    edited,
    program_edited,
    refusals,
    rejected,
    rule,
    seq,
)

PUBLIC_BRANCH = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def public_branch(x: int, n: int) -> int:
        if n < 3:
            y = 1
        else:
            y = 2
            z = 3
        return y
    """,
    rule("Cond", seq(rule("Assn")), seq(rule("Assn"), rule("Assn"))),
    rule("Return"),
)


NOISY_BRANCH = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def noisy_branch(x: int, eps: float) -> int:
        y = laplace(x, scale=2 / eps)
        z = 0
        if y > 0:
            z = laplace(0, scale=1)
        return z
    """,
    rule("Skip"),
    rule("Skip"),
    rule(
        "Case",
        rule("LapGen", k="1", within="2.0", cost="cost#0", amount="1"),
        rule("LapGen", k="(- 1)", within="2.0", cost="cost#0", amount="1"),
        when=["|next#branch.0.0|"],
    ),
    rule("Assn"),
    rule("Cond", seq(rule("LapGen", k="null")), SEQ, publish=True),
    rule("Return"),
    epsilon="|eps<>|",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}},
    events={"next#branch.0.0": "Bool"},
)


APART = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def apart(x: int, n: int) -> bool:
        if x < 0:
            y = x + 1
        else:
            y = 1 + x
        return y - x == 1
    """,
    rule("Cond-L", rule("Cond-R")),
    rule("Return"),
)


APART_WITH_DRAW = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def apart(x: int, eps: float) -> int:
        y = laplace(x, scale=1)
        if y < 0:
            y = laplace(0, scale=1)
        return 0
    """


SIDES = PUBLIC_BRANCH["derivation"]["premises"][0]["premises"]


# --- Cond -------------------------------------------------------------------------------------


def test_cond_accepts_a_public_branch() -> None:
    accepted(PUBLIC_BRANCH)


def test_cond_accepts_a_published_branch() -> None:
    accepted(NOISY_BRANCH)


def test_cond_accepts_a_branch_published_without_need() -> None:
    accepted(edited(PUBLIC_BRANCH, "derivation.0", publish=True))


@refusals(
    PUBLIC_BRANCH,
    {
        "missing premise": ("derivation.0", {"premises": SIDES[:1]}, "Cond", "derivation.0", "two premises"),
        "extra premise": (
            "derivation.0",
            {"premises": [*SIDES, SEQ]},
            "Cond",
            "derivation.0",
            "two premises",
        ),
        "swapped premises": (
            "derivation.0",
            {"premises": SIDES[::-1]},
            "Seq",
            "derivation.0.0",
            "1 statements",
        ),
        "of a return": ("derivation.1", {"rule": "Cond"}, "Cond", "derivation.1", "a Return here"),
        "'publish' is no truth value": (
            "derivation.0",
            {"publish": 1},
            "Cond",
            "derivation.0",
            "true or false",
        ),
        "a field": ("derivation.0", {"when": []}, "Cond", "derivation.0", "unknown: when"),
    },
)
def test_cond_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


@refusals(
    NOISY_BRANCH,
    {
        "not published": ("derivation.4", {"publish": False}, "Cond", "derivation.4", "go the same way"),
        "the event is unknown": ("", {"events": {}}, "Case", "derivation.2", "means nothing here"),
        "the event is a number": (
            "events",
            {"next#branch.0.0": "Int"},
            "Forall-Eq",
            "events.next#branch.0.0",
            "no such event of that sort",
        ),
        "the other way": (
            "derivation.2",
            {"when": ["(not |next#branch.0.0|)"]},
            "Cond",
            "derivation.4",
            "both runs publish the same",
        ),
    },
)
def test_cond_refuses_to_part(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- Cond-L -----------------------------------------------------------------------------------


def test_cond_l_accepts_that_runs_part() -> None:
    accepted(APART)


def test_cond_l_accepts_a_public_branch() -> None:
    accepted(edited(PUBLIC_BRANCH, "derivation.0", rule="Cond-L", premises=[rule("Cond-R")]))


@refusals(
    APART,
    {
        "no premise": ("derivation.0", {"premises": []}, "Cond-L", "derivation.0", "needs [Cond-R]"),
        "another premise": ("derivation.0", {"premises": [SEQ]}, "Cond-L", "derivation.0", "needs [Cond-R]"),
        "a premise of the premise": (
            "derivation.0.0",
            {"premises": [SEQ]},
            "Cond-L",
            "derivation.0",
            "needs [Cond-R]",
        ),
        "published": ("derivation.0", {"publish": True}, "Cond-L", "derivation.0", "unknown: publish"),
        "together": (
            "derivation.0",
            {"rule": "Cond", "premises": [seq(rule("Assn")), seq(rule("Assn"))]},
            "Cond",
            "derivation.0",
            "both runs go the same way",
        ),
        "Cond-R alone": (
            "derivation.0",
            {"rule": "Cond-R", "premises": []},
            "Cond-R",
            "derivation.0",
            "no such rule",
        ),
        "of a return": ("derivation.1", {"rule": "Cond-L"}, "Cond-L", "derivation.1", "a Return here"),
    },
)
def test_cond_l_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_cond_l_refuses_a_draw() -> None:
    data = certificate(
        APART_WITH_DRAW, rule("LapGen", k="null"), rule("Cond-L", rule("Cond-R")), rule("Return")
    )
    rejected(data, "Cond-L", "derivation.1", "a Draw where one run goes alone")


POSITIVE = certificate(
    """
    @mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0 and len(q) > 1")
    def positive(q: list[int], eps: float) -> int:
        s = 0
        if q[0] > 0:
            s = q[0]
        s = s + q[1]
        return laplace(s, scale=1 / eps)
    """,
    rule("Assn"),
    rule("Skip"),
    rule("Cond-L", rule("Cond-R")),
    rule("Skip"),
    rule("Assn"),
    rule("Skip"),
    rule("Skip"),
    rule("LapGen", k="0", **PAID),
    rule("Return"),
    costs=COST,
    epsilon="|eps<>|",
)


def test_entries_of_an_l1_distance_count_in_a_branch_that_only_computes() -> None:
    accepted(POSITIVE)


def test_an_entry_counts_once_in_a_branch_and_behind_it() -> None:
    """The same entry twice moves the sum by twice its change: the distance is not paid again."""
    twice = program_edited(POSITIVE, "s + q[1]", "s + q[0]")
    rejected(twice, "LapGen", "derivation.7", "the distance stays within")
