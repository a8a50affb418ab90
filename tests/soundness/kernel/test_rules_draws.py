"""[OneLapGen], also null, and the choice between couplings: [Case]."""

from __future__ import annotations

from tests.support.handmade import (
    COST,
    DROPPED,
    NOISY,
    PAID,
    Data,
    accepted,
    certificate,
    edited,
    refusals,
    rejected,
    rule,
)

ONE_SIDED = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def one_sided(x: int, eps: float) -> int:
        y = exponential(x, scale=1 / eps)
        return 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule("OneLapGen", k="1", within="2.0", cost="cost#0", amount="2"),
    rule("Return"),
    epsilon="(* 2.0 |eps<>|)",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "2"}},
)


ONE_SIDED_ALONE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def one_sided_alone(x: int, eps: float) -> int:
        y = exponential(x, scale=1 / eps)
        return 1 if y >= x else 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule("OneLapGen", k="null"),
    rule("Return"),
)


SIGN = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def sign(x: int, eps: float) -> int:
        y = laplace(x, scale=2 / eps)
        return 1 if y > 0 else 0
    """,
    rule("Skip"),
    rule("Skip"),
    rule(
        "Case",
        rule("LapGen", k="1", within="2.0", cost="cost#0", amount="1"),
        rule("LapGen", k="(- 1)", within="2.0", cost="cost#0", amount="1"),
        when=["(= 1 |next#return..0|)"],
    ),
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
    events={"next#return..0": "Int"},
)


# --- OneLapGen --------------------------------------------------------------------------------


def test_one_lap_gen_accepts_a_shift_within_the_support() -> None:
    accepted(ONE_SIDED)


def test_one_lap_gen_accepts_a_larger_shift() -> None:
    larger = edited(ONE_SIDED, "derivation.2", k="2", within="3.0", amount="3")
    accepted(edited(edited(larger, "costs.cost#0", bound="3"), "proved", epsilon="(* 3.0 |eps<>|)"))


@refusals(
    ONE_SIDED,
    {
        "out of the support": (
            "derivation.2",
            {"k": "0", "within": "1.0"},
            "OneLapGen",
            "derivation.2",
            "0 <= k + e<1> - e<2>",
        ),
        "two-sided noise": ("derivation.2", {"rule": "LapGen"}, "LapGen", "derivation.2", "from exponential"),
        "k mentions the draw": (
            "derivation.2",
            {"k": "|y<2>|"},
            "OneLapGen",
            "derivation.2",
            "the draw itself",
        ),
        "too small a distance": (
            "derivation.2",
            {"within": "1.0"},
            "OneLapGen",
            "derivation.2",
            "stays within",
        ),
        "too little paid": ("derivation.2", {"amount": "1"}, "OneLapGen", "derivation.2", "the amount pays"),
        "no cost": (
            "derivation.2",
            {"cost": DROPPED},
            "OneLapGen",
            "derivation.2",
            "a coupling without cost moves nothing",
        ),
    },
)
def test_one_lap_gen_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- OneLapGen, null -------------------------------------------------------------------------------


def test_one_lap_null_accepts_what_depends_on_noise_alone() -> None:
    """And knows the support: y >= x."""
    accepted(ONE_SIDED_ALONE)


@refusals(
    ONE_SIDED_ALONE,
    {
        "two-sided noise": (
            "derivation.2",
            {"rule": "LapGen", "k": "null"},
            "LapGen",
            "derivation.2",
            "from exponential",
        ),
        "a cost": ("derivation.2", {"cost": "cost#0"}, "Schema", "derivation.2", "'within' is missing"),
        "a premise": (
            "derivation.2",
            {"premises": [rule("OneLapGen", k="null")]},
            "OneLapGen",
            "derivation.2",
            "takes no premises",
        ),
    },
)
def test_one_lap_null_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


# --- Case -------------------------------------------------------------------------------------


def test_case_accepts_a_choice_by_what_is_returned() -> None:
    accepted(SIGN)


def test_case_accepts_a_choice_that_makes_no_difference() -> None:
    """The same coupling on both sides, chosen by a private value."""
    same = rule("Case", *[rule("LapGen", k="0", **PAID)] * 2, when=["(< |x<1>| |x<2>|)"])
    rules = NOISY["derivation"]["premises"]
    accepted(edited(NOISY, "derivation", premises=[*rules[:2], same, rules[3]]))


LEAVES = SIGN["derivation"]["premises"][2]["premises"]


@refusals(
    SIGN,
    {
        "a missing leaf": (
            "derivation.2",
            {"premises": LEAVES[:1]},
            "Case",
            "derivation.2",
            "a coupling for each",
        ),
        "a leaf too many": (
            "derivation.2",
            {"premises": [*LEAVES, rule("LapGen", k="null")]},
            "Case",
            "derivation.2",
            "a coupling for each",
        ),
        "no 'when'": (
            "derivation.2",
            {"when": DROPPED},
            "Case",
            "derivation.2",
            "a coupling for each 'when'",
        ),
        "swapped leaves": (
            "derivation.2",
            {"premises": LEAVES[::-1]},
            "Return",
            "derivation.3",
            "publish the same",
        ),
        "the draw chooses": (
            "derivation.2",
            {"when": ["(< 0 |y<1>|)"]},
            "Case",
            "derivation.2",
            "|y<1>| is the draw itself",
        ),
        "no truth value": (
            "derivation.2",
            {"when": ["1"]},
            "Case",
            "derivation.2",
            "not a formula",
        ),
        "an unknown event": (
            "",
            {"events": {}},
            "Case",
            "derivation.2",
            "|next#return..0| means nothing here",
        ),
        "an event of another sort": (
            "events",
            {"next#return..0": "Bool"},
            "Forall-Eq",
            "events.next#return..0",
            "no such event of that sort",
        ),
        "the wrong choice": (
            "derivation.2",
            {"when": ["(= 0 |next#return..0|)"]},
            "Return",
            "derivation.3",
            "both runs publish the same",
        ),
        "a case in a case": (
            "derivation.2.0",
            {"rule": "Case", "when": []},
            "Case",
            "derivation.2.0",
            "no coupling of two draws",
        ),
        "a leaf that doesn't pay": (
            "derivation.2.1",
            {"cost": DROPPED},
            "LapGen",
            "derivation.2.1",
            "a coupling without cost moves nothing",
        ),
        "of an obligation": ("derivation.0", {"rule": "Case"}, "Case", "derivation.0", "Obligation here"),
    },
)
def test_case_refuses(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)
