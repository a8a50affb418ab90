"""Refusals that the tests of single rules don't have: limits, and forms of draws and loops.

Each case is named for its code.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from synth.trusted.kernel import check as checking
from synth.trusted.kernel.check import INCOMPLETE, INVALID, judged_mechanism, parse
from synth.trusted.kernel.proof_state import begin
from synth.trusted.kernel.rules import lifting, structural, whole
from synth.trusted.logic.codes import Code
from synth.trusted.logic.rejection import Rejected
from synth.trusted.normal_form.decision_trees import Intractable
from tests.soundness.kernel.test_rules_lifting import LEAK
from tests.soundness.kernel.test_rules_weights import AT_DRAW, COVER
from tests.support import hostile_documents as hostile
from tests.support.cores import with_core
from tests.support.handmade import (
    COST,
    DROPPED,
    NOISY,
    SCALED,
    SEQ,
    Data,
    certificate,
    check_text,
    edited,
    rule,
    seq,
)

COIN = certificate(
    """
    @mechanism(adjacent={"x": discrete_distance()})
    def coin(x: bool) -> bool:
        y = bernoulli(1 / 2)
        return y
    """,
    rule("Chance", free=[[0, 0], [1, 1]]),
    rule("Return"),
)

HIDDEN_CHANCE = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n > 0")
    def coin(x: int, n: int) -> int:
        y = laplace(0, scale=1)
        if y > 0:
            p = 0.5
        else:
            p = 0.25
        z = bernoulli(p)
        return n
    """,
    rule("LapGen", k="null"),
    rule("Cond", seq(rule("Assn")), seq(rule("Assn"))),
    rule("Skip"),
    rule("Chance", free=[[0, 1], [1, 0]]),
    rule("Return"),
)
"""The chance is that of a draw, which both runs share."""

CHOICE = rule("Choice", within="1.0", cost="cost#0", amount="1")
BEST = certificate(
    """
    @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
    def best(q: Callable[[int], int], n: int, eps: float) -> int:
        return exponential_mechanism(n, q, eps, 1)
    """,
    rule("Skip"),
    rule("Skip"),
    CHOICE,
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
)

DRAWN_COUNT = certificate(
    """
    @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
    def best(q: Callable[[int], int], n: int, eps: float) -> int:
        m = laplace(q(0), scale=1)
        return exponential_mechanism(m, q, eps, 1)
    """,
    rule("LapGen", k="null"),
    rule("Skip"),
    rule("Skip"),
    CHOICE,
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
)

DRAWN_RATE = certificate(
    """
    @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1")
    def best(q: Callable[[int], int], n: int, eps: float) -> int:
        y = laplace(0, scale=1)
        return exponential_mechanism(n, q, abs(y) + eps, 1)
    """,
    rule("LapGen", k="null"),
    rule("Skip"),
    rule("Skip"),
    CHOICE,
    rule("Return"),
    epsilon="|eps<>|",
    costs=COST,
)

WEIGHED = certificate(
    """
    @mechanism(adjacent={"q": linf_distance(1)}, requires="n >= 1")
    def best(q: Callable[[int], int], n: int) -> int:
        m = laplace(q(0), scale=1)
        return choice(m, lambda r: log(1 + abs(q(r))))
    """,
    rule("LapGen", k="null"),
    rule("Skip"),
    rule("Weigh", floor="1.0", given=[]),
    rule("Return"),
)

GROWING = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="n > 0")
    def grow(x: int, n: int) -> int:
        kept = []
        i = 0
        while i < n:
            kept.append(i)
            i = i + 1
        return n if n > 0 else kept[0]
    """,
    rule("New"),
    rule("Assn"),
    rule(
        "Block",
        seq(
            rule(
                "While", seq(rule("Cond", seq(rule("Exit")), SEQ), rule("Append"), rule("Assn")), equal=["i"]
            )
        ),
    ),
    rule("Skip"),
    rule("Return"),
)
"""The head of the loop forgets that the list has one length in both runs."""


def doubled(term: str, times: int) -> str:
    """A sum of 2^times terms."""
    return term if times == 0 else f"({doubled(term, times - 1)} + {doubled(term, times - 1)})"


def lifted(chance: str, free: list[list[int]], lost: list[list[int]], reached: list[list[int]]) -> Data:
    """A coin of that chance, turned over by the secret."""
    data = certificate(
        f"""
    @mechanism(adjacent={{"x": discrete_distance()}}, requires="p > 1")
    def coin(x: bool, p: float) -> bool:
        y = bernoulli({chance})
        return y if x else not y
    """,
        proved={"epsilon": "0.0", "delta": "1.0"},
    )
    return {**data, "derivation": rule("Lift", free=free, lost=lost, reached=reached)}


SAME = [[i, i] for i in range(4)]
OTHERS = [[i, j] for i in range(4) for j in range(4) if i != j]
PRODUCT = f"(* {'|eps<>| ' * 10_001})"

CASES: dict[str, Callable[[], Data]] = {
    "not-the-lines": lambda: edited(NOISY, "program", lines=[[5, 3]]),
    "term-too-long": lambda: edited(NOISY, "proved", epsilon="x" * 200_001),
    "term-too-deep": lambda: edited(NOISY, "proved", epsilon="(- " * 200 + "1.0" + ")" * 200),
    "no-arguments": lambda: edited(NOISY, "proved", epsilon="|sqrt:Real|"),
    "number-too-large": lambda: hostile.squares_in_a_term(2000),
    "powers-too-large": lambda: edited(
        edited(NOISY, "costs.cost#0", weight=PRODUCT), "proved", epsilon=PRODUCT
    ),
    "too-many-orders": lambda: hostile.many_orders(60),
    "bound-not-public": lambda: edited(SCALED, "claim", epsilon=doubled("eps", 11)),
    "divisor-not-positive": lambda: edited(NOISY, "derivation.2", within="(to_real (div 1 (- 1)))"),
    "chooses-by-weights": lambda: edited(BEST, "derivation.2", **_only("Chance", free=[])),
    "chooses-by-chances": lambda: edited(COIN, "derivation.0", **_only("Choice", within="1.0")),
    "chances-not-public": lambda: HIDDEN_CHANCE,
    "rate-not-public": lambda: DRAWN_RATE,
    "count-not-public": lambda: WEIGHED,
    "counts-differ": lambda: DRAWN_COUNT,
    "lists-differ": lambda: GROWING,
    "weight-larger": lambda: edited(COVER, AT_DRAW, total=DROPPED, few=DROPPED, step=DROPPED, grows=DROPPED),
    "drawn-weight-larger": lambda: edited(COVER, AT_DRAW, own=DROPPED, gain=DROPPED),
    "output-chance-not-public": lambda: lifted(f"1 / {doubled('p', 10)}", [], [], []),
    "loss-not-public": lambda: lifted(f"1 / {doubled('p', 9)}", SAME, OTHERS, [[1]]),
}


def _only(name: str, **fields: object) -> Data:
    """Another rule instead, without the fields of the others."""
    names = ("free", "pays", "within", "cost", "amount")
    return {"rule": name, **dict.fromkeys(names, DROPPED), **fields}


@pytest.mark.parametrize("code", CASES)
def test_refused(code: str) -> None:
    found = check_text(CASES[code]())
    assert found.verdict == INVALID and found.code is not None
    assert found.code.id == code, found.reason


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (hostile.large_exponent("20000000.0"), Code.EXPONENT_TOO_LARGE()),
        (hostile.exponents(201), Code.TOO_MANY_EXPONENTIALS(most=200)),
    ],
    ids=["exponent-too-large", "too-many-exponentials"],
)
def test_a_condition_beyond_the_limits_is_left_open(data: Data, limit: object) -> None:
    """The verdict's code is that of the condition; the limit is in the text."""
    found = check_text(data)
    assert found.verdict == INCOMPLETE and str(limit) in (found.reason or "")


# --- what no document reaches in a short time, or at all --------------------------------------


def test_ways_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structural, "MAX_WAYS", 0)
    assert check_text(NOISY).code is Code.TOO_MANY_WAYS


def test_sums_of_losses_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def intractable(*arguments: object) -> None:
        raise Intractable

    monkeypatch.setattr(lifting, "losses", intractable)
    assert check_text(LEAK).code is Code.NO_SUM_OF_LOSSES


def test_depth_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*arguments: object) -> None:
        raise RecursionError

    monkeypatch.setattr(checking, "side_conditions", too_deep)
    found = check_text(NOISY)
    assert (found.verdict, found.code) == (INCOMPLETE, Code.TOO_DEEP)


def test_a_body_without_an_end_proves_nothing() -> None:
    """The reader ends every program with a return; the kernel doesn't rely on it."""
    found = parse(
        json.dumps(with_core(edited(NOISY, "derivation", premises=NOISY["derivation"]["premises"][:-1])))
    )
    mechanism = judged_mechanism(found)
    with pytest.raises(Rejected) as raised:
        whole.derived(begin(replace(mechanism, body=mechanism.body[:-1]), found))
    assert raised.value.why.code is Code.MAY_NOT_RETURN
