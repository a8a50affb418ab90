"""[Compose]: parts that run one after the other, each proved for all that those before it publish."""

from __future__ import annotations

import pytest

from synth.trusted.kernel.check import INVALID, VALID
from tests.support.handmade import DROPPED, Data, certificate, check_text, edited, rule, seq

TWO = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def two(x: int, eps: float) -> tuple[int, int]:
        y = laplace(x, scale=1 / eps)
        z = laplace(x + y, scale=1 / eps)
        return y, z
"""
KEPT = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def kept(x: int, eps: float) -> tuple[int, int]:
        s = x + 1
        y = laplace(x, scale=1 / eps)
        z = laplace(0, scale=1 / eps)
        return y, s
"""
EMPTIED = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def emptied(x: int, eps: float) -> list[int]:
        out = [laplace(0, scale=1 / eps)]
        if x > 0:
            out = []
        y = laplace(0, scale=1 / eps)
        return out
"""
EARLY = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def early(x: int, eps: float) -> int:
        y = laplace(x, scale=1 / eps)
        for i in range(3):
            if y > i:
                return 0
        z = laplace(x, scale=1 / eps)
        return z
"""
DECIDED = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def decided(x: float, eps: float) -> float:
        y = laplace(x, scale=1 / eps)
        z = laplace(x, scale=1 / (eps + y * y))
        return z
"""
CHOSEN = """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def chosen(x: float, eps: float) -> float:
        y = laplace(x, scale=1 / eps)
        z = laplace(x, scale=1 / eps + abs(y))
        return z
"""
EPS = "|eps<>|"
SQUARE = f"(+ {EPS} (* |y<>| |y<>|))"


def paid(weight: str, epsilon: str, shift: str = "0") -> Data:
    """A part that draws once around private data."""
    draw = rule("LapGen", k=shift, within="1.0", cost="cost#0", amount="1")
    return part(draw, costs={"cost#0": {"sort": "Int", "weight": weight, "bound": "1"}}, epsilon=epsilon)


def part(*rules: Data, costs: Data | None = None, epsilon: str = "0.0") -> Data:
    return {
        "proved": {"epsilon": epsilon, "delta": "0"},
        "costs": costs or {},
        "events": {},
        "entries": {},
        "derivation": seq(*rules, rule("Return")),
    }


def composed(text: str, cuts: list[object], *parts: Data, epsilon: str = f"(* 2.0 {EPS})") -> Data:
    whole = certificate(text, epsilon=epsilon)
    for name in ("costs", "events", "entries", "derivation"):
        del whole[name]
    return {**whole, "cuts": cuts, "parts": list(parts)}


DRAW = paid(EPS, EPS)
NULL = part(rule("LapGen", k="null"))
HELD = composed(TWO, [3], DRAW, DRAW)


def test_accepted() -> None:
    assert check_text(HELD).verdict == VALID


def test_the_claim_is_held_against_the_sum() -> None:
    claim = {"epsilon": "3*eps", "delta": None}
    assert check_text({**HELD, "claim": claim}).verdict == VALID
    verdict = check_text({**HELD, "claim": {**claim, "epsilon": "eps"}})
    assert (verdict.verdict, verdict.rule) == (INVALID, "Conseq")


REAL = paid(EPS, EPS, "0.0")


def test_what_is_published_may_choose_a_scale() -> None:
    assert check_text(composed(CHOSEN, [3], REAL, REAL)).verdict == VALID


HALF = f"(* 0.5 {EPS})"
WRONGLY_CHOSEN = {
    "less is paid than at the least scale": (
        CHOSEN,
        paid(HALF, HALF, "0.0"),
        "the amount pays for the distance",
    ),
    "private data": (CHOSEN.replace("abs(y)", "abs(x)"), REAL, "the scale is no function"),
    "private data, and nothing is moved": (
        CHOSEN.replace("abs(y)", "abs(x)"),
        NULL,
        "the scale is no function",
    ),
    "no scale in some runs": (CHOSEN.replace("x, scale=1 / eps + abs(y)", "0.0, scale=y"), NULL, "positive"),
}


@pytest.mark.parametrize(("text", "second", "reason"), WRONGLY_CHOSEN.values(), ids=WRONGLY_CHOSEN)
def test_what_is_published_may_choose_a_scale_alone(text: str, second: Data, reason: str) -> None:
    verdict = check_text(composed(text, [3], REAL, second))
    assert verdict.verdict == INVALID
    assert verdict.reason is not None and reason in verdict.reason


OTHER_FIELDS = {"costs": {}, "events": {}, "entries": {}, "derivation": seq()}

FORGED = {
    "a sum that is too small": (composed(TWO, [3], DRAW, DRAW, epsilon=EPS), "Compose"),
    "a sum without one of the parts": (composed(TWO, [3], DRAW, DRAW, epsilon=f"(* 1.5 {EPS})"), "Compose"),
    "a part that proves too little": (composed(TWO, [3], DRAW, paid(EPS, "0.0")), "Forall-Eq"),
    "a part that couples null": (composed(TWO, [3], DRAW, NULL, epsilon=EPS), "Return"),
    "a cut before the first statement": (composed(TWO, [0], DRAW, DRAW), "Compose"),
    "a cut behind the last statement": (composed(TWO, [7], DRAW, DRAW), "Compose"),
    "two cuts at one place": (composed(TWO, [3, 3], DRAW, DRAW, DRAW), "Compose"),
    "a cut that is no number": (composed(TWO, [True], DRAW, DRAW), "Schema"),
    "a part too few": (composed(TWO, [3], DRAW), "Schema"),
    "a whole beside its parts": ({**HELD, **OTHER_FIELDS}, "Schema"),
    "a part with invariants of single runs": (
        composed(TWO, [3], DRAW, {**DRAW, "safety": {}}),
        "Schema",
    ),
    "a part with a rule too few": (
        composed(TWO, [3], DRAW, {**DRAW, "derivation": seq(rule("Return"))}),
        "Seq",
    ),
    "a cut at a place where the draw is in the other part": (composed(TWO, [2], DRAW, DRAW), "Seq"),
    "private data that is read behind the cut": (
        composed(KEPT, [4], part(rule("Assn"), *DRAW["derivation"]["premises"][:1], costs=DRAW["costs"],
                                 epsilon=EPS), NULL, epsilon=EPS),
        "Return",
    ),
    "a bound that depends on what was published": (
        composed(DECIDED, [3], paid(EPS, EPS, "0.0"), paid(SQUARE, SQUARE, "0.0"),
                 epsilon=f"(+ {EPS} {SQUARE})"),
        "Compose",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str) -> None:
    data, wrong = FORGED[name]
    verdict = check_text(data)
    assert (verdict.verdict, verdict.rule) == (INVALID, wrong), verdict


@pytest.mark.parametrize("place", range(1, 8))
def test_a_list_may_not_be_emptied_behind_a_cut(place: int) -> None:
    """Which of the two lists it is would show, and to no part."""
    verdict = check_text(composed(EMPTIED, [place], NULL, NULL, epsilon="0.0"))
    assert verdict.verdict == INVALID


WHICH = """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def which(x: int) -> list[int]:
        a = []
        a.append(0)
        b = []
        b.append(1)
        c = bernoulli(1 / 2)
        if x > 0 and c:
            return a
        return b
"""


def test_which_list_is_returned_is_part_of_the_output() -> None:
    """No part would publish it: with the chance 1/2 the output is [0], on the other input never."""
    lists = part(rule("New"), rule("Append"), rule("New"), rule("Append"))
    chances = {**part(), "derivation": {"rule": "Lift", "free": [[0, 0]], "lost": [], "reached": []}}
    verdict = check_text(composed(WHICH, [4], lists, chances, epsilon="0.0"))
    assert (verdict.verdict, verdict.rule) == (INVALID, "Compose"), verdict
    assert "returns of different lists" in (verdict.reason or "")
    one = WHICH.replace("return a", "return b")
    other = part(rule("New"), rule("Append"))
    assert check_text(composed(one, [2], other, chances, epsilon="0.0")).verdict == VALID


@pytest.mark.parametrize("place", range(1, 9))
def test_no_part_but_the_last_may_return(place: int) -> None:
    verdict = check_text(composed(EARLY, [place], DRAW, DRAW))
    assert verdict.verdict == INVALID


GIVEN = {
    "what holds of every run": ("(<= 0 0)", VALID),
    "what no run shows": ("(<= |y<>| 7)", INVALID),
    "what is false": ("false", INVALID),
    "private data": ("(<= |x#start<1>| 7)", INVALID),
    "what is no public input": ("(<= |z<>| 7)", INVALID),
    "a number": ("|y<>|", INVALID),
}


@pytest.mark.parametrize("name", GIVEN)
def test_given(name: str) -> None:
    """What a part may assume of what it is handed has to hold in every run."""
    fact, verdict = GIVEN[name]
    found = check_text(composed(TWO, [3], DRAW, {**DRAW, "given": [fact]}))
    assert found.verdict == verdict, found


def test_nothing_is_given_to_the_first_part() -> None:
    assert check_text(composed(TWO, [3], {**DRAW, "given": ["false"]}, DRAW)).verdict == INVALID


def test_obligations_are_shown_for_the_whole() -> None:
    text = TWO.replace("1 / eps", "1 / (eps - 1)")
    wrong = paid(f"(- {EPS} 1.0)", f"(- {EPS} 1.0)")
    verdict = check_text(composed(text, [3], wrong, wrong, epsilon=f"(* 2.0 (- {EPS} 1.0))"))
    assert verdict.verdict == INVALID


def test_a_part_may_be_changed_in_one_place() -> None:
    worse = edited(DRAW, "costs.cost#0", bound="2")
    assert check_text(composed(TWO, [3], DRAW, worse)).verdict == INVALID
    assert check_text(composed(TWO, [3], DRAW, edited(DRAW, "", costs=DROPPED))).verdict == INVALID
