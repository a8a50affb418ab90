"""Certificates made to mislead or break the kernel: always a verdict, and never *valid*."""

from __future__ import annotations

import copy

import pytest

from synth.trusted.kernel.check import INVALID
from tests.support.handmade import SEQ, Data, accepted, certificate, check_text, edited, rule, seq

NAMES = 'cost#| () Int)(assert false)(set-info :a " ) ;'
"""Closes the bars around a symbol, asserts false, and hides the rest of its line from the solver."""


def leak(cost: str) -> Data:
    """Noisy answers to all of q for nothing, if the cost is within its bound."""
    draw = rule("LapGen", k="0", within="1.0", cost=cost, amount="1")
    body = seq(rule("Cond", seq(rule("Exit")), SEQ), *map(rule, ("Assn", "Skip", "Skip", "Skip")), draw,
               rule("Append"), rule("Assn"))  # fmt: skip
    return certificate(
        """
        @mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
        def leak(q: list[int], eps: float) -> list[int]:
            out = []
            for i in range(len(q)):
                y = laplace(q[i], scale=1 / eps)
                out.append(y)
            return out
        """,
        rule("New"),
        rule("Assn"),
        rule("Block", seq(rule("While", body, equal=["i%2", "len(out)"]))),
        rule("Return"),
        costs={cost: {"sort": "Int", "weight": "|eps<>|", "bound": "0"}},
        safety={"0": "(<= 0 |i%2<1>|)"},
    )


CONSTANT = certificate(
    """
    @mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
    def constant(x: int, n: int, eps: float) -> int:
        y = n
        return y
    """,
    rule("Assn"),
    rule("Return"),
    epsilon="|eps<>|",
    costs={"cost#0": {"sort": "Int", "weight": "|eps<>|", "bound": "1"}},
)


def test_a_hidden_cost_is_not_within_its_bound() -> None:
    assert check_text(leak("cost#0")).verdict == INVALID


def test_a_name_is_no_command() -> None:
    assert check_text(leak(NAMES)).verdict == INVALID


@pytest.mark.parametrize(
    "term", ["((f) 1.0)", "(f |eps<>|)", "(/ |eps<>| 0.0)", "(and |eps<>|)", "(|eps<>| 1.0)", "true"]
)
@pytest.mark.parametrize("field", ["weight", "bound"])
def test_costs_that_are_no_numbers(field: str, term: str) -> None:
    assert check_text(edited(CONSTANT, "costs.cost#0", **{field: term})).verdict == INVALID


@pytest.mark.parametrize("term", ["(to_real)", "(-)", "(+)", "(*)", "(|f^| |eps<>|)", "(|f:x^| |eps<>|)"])
def test_weights_that_are_no_terms(term: str) -> None:
    assert check_text(edited(CONSTANT, "costs.cost#0", weight=term)).verdict == INVALID


@pytest.mark.parametrize("term", ["(+ |eps<>| (- true true))", "(+ 1 |eps<>|)"])
def test_bounds_that_mix_sorts(term: str) -> None:
    assert check_text(edited(CONSTANT, "proved", epsilon=term)).verdict == INVALID


def test_a_version_is_a_number() -> None:
    assert check_text(edited(CONSTANT, "", version=True)).verdict == INVALID


@pytest.mark.parametrize("place", ["derivation.0", "derivation.1"])
def test_premises_that_nothing_asks_for(place: str) -> None:
    assert check_text(edited(CONSTANT, place, premises=[SEQ])).verdict == INVALID


def test_the_honest_one_is_valid() -> None:
    accepted(CONSTANT)


@pytest.mark.parametrize("letter", ["\n", "\x1b", "\x9b", "\u202e", "\u200b", "\x7f"])
@pytest.mark.parametrize(
    "place", ["tools.synth", "claim.epsilon", "program.mechanism", "derivation.0.rule", "proved.epsilon"]
)
def test_texts_can_be_printed(place: str, letter: str) -> None:
    data = copy.deepcopy(CONSTANT)
    *outer, last = place.split(".")
    inner = data
    for key in outer:
        inner = inner["premises"][int(key)] if key.isdigit() else inner[key]
    inner[last] = f"{inner.get(last) or ''}{letter}"
    verdict = check_text(data)
    assert (verdict.verdict, verdict.rule) == (INVALID, "Schema")
    assert verdict.reason == "a text with what can't be printed"


@pytest.mark.parametrize("name", ["x] valid (0.1 s) [", "::error::", "", "Seq ", "x" * 40])
def test_rules_have_names(name: str) -> None:
    verdict = check_text(edited(CONSTANT, "derivation.0", rule=name))
    assert (verdict.verdict, verdict.rule, verdict.reason) == (INVALID, "Schema", "no name of a rule")
