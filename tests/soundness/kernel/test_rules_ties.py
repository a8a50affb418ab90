"""Ties of noise on reals, which have chance 0 and may be left out: of what, and of what not."""

from __future__ import annotations

from tests.support.handmade import (
    DROPPED,
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

PROGRAM = """
    @mechanism(adjacent={"q": absolute_distance(1)})
    def m(q: float, t: float) -> bool:
        x = laplace(0.0, scale=1)
        y = laplace(0.0, scale=1)
        return x == y and q > t
    """
TIED = certificate(
    PROGRAM,
    rule("LapGen", k="null"),
    rule("LapGen", k="null", apart=["|x<1>|"]),
    rule("Return"),
)
"""Whether q > t is told only where two draws are equal."""

AT_DRAW, FIRST, END = "derivation.1", "derivation.0", "derivation.2"
NO_EVENT = "the inputs and on run 1's variables only"
INTEGERS = certificate(
    PROGRAM.replace("0.0", "0"),
    rule("LapGen", k="null"),
    rule("LapGen", k="null", apart=["(to_real |x<1>|)"]),
    rule("Return"),
)
TOLD = certificate(
    """
    @mechanism(adjacent={"q": absolute_distance(1)})
    def m(q: float) -> float:
        x = laplace(0.0, scale=1)
        y = laplace(0.0, scale=1)
        if x < y:
            y = x
        return y + q
    """,
    rule("LapGen", k="null"),
    rule("LapGen", k="null", apart=["|x<1>|"]),
    rule("Assn"),
    rule("Return"),
)
KEPT = ["(not |same<1>|)", "(not |same<2>|)", "(= |x<1>| |x<2>|)"]
REPEATED = certificate(
    """
    @mechanism(adjacent={"q": absolute_distance(1)})
    def m(q: float, n: int) -> bool:
        x = laplace(0.0, scale=1)
        same = False
        for i in range(n):
            y = laplace(0.0, scale=1)
            if x == y:
                same = True
        return same and q > 0
    """,
    rule("LapGen", k="null"),
    rule("Assn"),
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While",
                seq(
                    rule("Cond", seq(rule("Exit")), SEQ),
                    rule("Assn"),
                    rule("LapGen", k="null", apart=["|x<1>|"]),
                    rule("Cond-L", rule("Cond-R")),
                    rule("Assn"),
                ),
                invariant=KEPT,
                equal=["i%2"],
            )
        ),
    ),
    rule("Return"),
)
LOOP, IN_LOOP = "derivation.3.0.0", "derivation.3.0.0.0.2"
LEAF = rule("LapGen", k="null")
CASES = edited(TIED, AT_DRAW, k=DROPPED, rule="Case", when=["(< |x<1>| 0.0)"], premises=[LEAF, {**LEAF}])


def test_what_happens_with_chance_0_tells_nothing() -> None:
    accepted(TIED)


def test_a_draw_may_be_apart_from_inputs_and_sums() -> None:
    accepted(edited(TIED, AT_DRAW, apart=["|t<>|", "(+ |x<1>| 1.0)", "|x<1>|"]))


@refusals(
    TIED,
    {
        "nothing is left out": (AT_DRAW, {"apart": DROPPED}, "Return", END, "publish the same"),
        "another number": (AT_DRAW, {"apart": ["(+ |x<1>| 1.0)"]}, "Return", END, "publish the same"),
        "run 2": (AT_DRAW, {"apart": ["|x<2>|"]}, "LapGen", AT_DRAW, NO_EVENT),
        "the draw itself": (AT_DRAW, {"apart": ["|y<1>|"]}, "LapGen", AT_DRAW, "the draw itself"),
        "run 2's draw": (AT_DRAW, {"apart": ["|y<2>|"]}, "LapGen", AT_DRAW, NO_EVENT),
        "no number": (AT_DRAW, {"apart": ["true"]}, "LapGen", AT_DRAW, ""),
    },
)
def test_what_is_known_only_with_the_draw_is_refused(data: Data, name: str, place: str, reason: str) -> None:
    """Else "the draw is not what it is" would show anything."""
    rejected(data, name, place, reason)


def test_what_is_drawn_later_is_another_number() -> None:
    """Before its draw y is any number, which says nothing of the one that it will be."""
    early = edited(edited(TIED, AT_DRAW, apart=DROPPED), FIRST, apart=["|y<1>|"])
    rejected(early, "Return", END, "publish the same")


def test_integers_have_ties() -> None:
    """The chance of a tie is 0.27 or so, and with it q > t is told."""
    rejected(INTEGERS, "LapGen", AT_DRAW, "an integer draw may be equal")


def test_an_output_that_is_no_tie_is_told() -> None:
    """That x and y are unequal says nothing of what is added to them."""
    rejected(TOLD, "Return", "derivation.3", "publish the same")


def test_no_round_of_a_loop_has_a_tie() -> None:
    accepted(REPEATED)


@refusals(
    REPEATED,
    {
        "ties are not left out": (IN_LOOP, {"apart": DROPPED}, "While", LOOP, "the invariant is kept"),
        "the other run": (IN_LOOP, {"apart": ["|x<2>|"]}, "LapGen", IN_LOOP, NO_EVENT),
        "the draw of the round before": (
            IN_LOOP,
            {"apart": ["|y<1>|"]},
            "LapGen",
            IN_LOOP,
            "the draw itself",
        ),
    },
)
def test_each_round_leaves_out_its_own_ties(data: Data, name: str, place: str, reason: str) -> None:
    rejected(data, name, place, reason)


def test_an_order_of_draws_is_told_in_a_loop() -> None:
    ordered = program_edited(REPEATED, "x == y", "x < y")
    rejected(ordered, "While", LOOP, "the invariant is kept")


def test_ties_are_left_out_in_all_cases_of_a_draw() -> None:
    """A case is chosen by what is known before the draw, as they are; one alone leaves nothing out."""
    accepted(CASES)
    leaf = f"{AT_DRAW}.0"
    alone = edited(edited(CASES, AT_DRAW, apart=DROPPED), leaf, apart=["|x<1>|"])
    rejected(alone, "LapGen", leaf, "unknown: apart")
