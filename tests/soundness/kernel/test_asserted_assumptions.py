"""What the rules' arguments take for granted is checked: each test breaks it, in the kernel or in a pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.kernel import check as kernel_check
from synth.trusted.kernel.check import INVALID, VALID, Verdict, check
from synth.trusted.kernel.rules import lifting, structural
from synth.trusted.logic.conditions import Condition
from synth.trusted.normal_form.output_distribution import OutputLaw, output_law
from synth.trusted.program import syntax as ir
from synth.trusted.steps.rewriting import Step, rewritten
from tests.support.handmade import Data, certificate, check_text, rejected, rule, seq

GOLDEN = Path(__file__).parent / "golden"
ABOVE_THRESHOLD = (GOLDEN / "above_threshold.json").read_text()
COIN = """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def coin(x: int) -> bool:
        y = bernoulli(1 / 2)
        return y
    """
ONCE, TWICE = [[0, 0]], [[0, 0], [0, 1], [1, 0], [1, 1]]


def tossed(free: list[list[int]]) -> Data:
    return certificate(COIN, rule("Chance", free=free), rule("Return"))


def lifted(free: list[list[int]]) -> Data:
    return {**certificate(COIN), "derivation": rule("Lift", free=free)}


def broken(verdict: Verdict, rule: str, reason: str) -> None:
    assert (verdict.verdict, verdict.rule) == (INVALID, rule), verdict
    assert reason in (verdict.reason or "")


def test_the_certificates_are_valid_as_they_are() -> None:
    assert check(ABOVE_THRESHOLD).verdict == VALID
    assert check_text(tossed(ONCE)).verdict == VALID
    assert check_text(lifted(ONCE)).verdict == VALID


def test_a_match_speaks_of_run_1_only(monkeypatch: pytest.MonkeyPatch) -> None:
    publish: Callable[..., Any] = structural._publish
    swapped = lambda proof, node, state, event, pair: publish(proof, node, state, event, pair[::-1])  # noqa: E731
    monkeypatch.setattr(structural, "_publish", swapped)
    broken(check(ABOVE_THRESHOLD), "Forall-Eq", "of run 2")


def test_a_loop_forgets_all_that_its_derivation_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structural, "_forgotten", lambda proof, loop: {})
    broken(check(ABOVE_THRESHOLD), "While", "of which the head has the value before")


def test_outcomes_of_a_draw_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One outcome that is listed twice has half of the chance that it seems to have."""

    def listed_twice(core: ir.Mechanism, steps: Sequence[Step]) -> tuple[ir.Mechanism, tuple[Condition, ...]]:
        whole, conditions = rewritten(core, steps)
        return replace(whole, body=tuple(map(doubled, whole.body))), conditions

    def doubled(item: ir.Statement) -> ir.Statement:
        if isinstance(item, ir.Choose) and isinstance(item.law, ir.Chances):
            return replace(item, law=ir.Chances(item.law.outcomes * 2))
        return item

    monkeypatch.setattr(kernel_check, "rewritten", listed_twice)
    broken(check_text(tossed(TWICE)), "Safe", "exclude each other")


def test_outcomes_of_a_law_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class ListedTwice(OutputLaw):
        @property
        def outcomes(self) -> tuple[tuple[ir.Expression, ir.Expression], ...]:
            return super().outcomes * 2

    def law(mechanism: ir.Mechanism) -> OutputLaw:
        found = output_law(mechanism)
        return ListedTwice(found.values, found.tree)

    monkeypatch.setattr(lifting, "output_law", law)
    broken(check_text(lifted(TWICE)), "Lift", "exclude each other")


@pytest.mark.parametrize("name", ["|threshold!0<1>|", "|result!1|", "|center!3<1>|"])
def test_a_certificate_cannot_name_the_kernels_constants(name: str) -> None:
    """Fresh indices stand for all values, since no formula of the certificate speaks of them."""
    data = json.loads(ABOVE_THRESHOLD)
    loop = data["derivation"]["premises"][-2]["premises"][0]["premises"][0]
    assert loop["rule"] == "While"
    loop["invariant"].append(f"(<= {name} {name})")
    found = check_text(data)
    broken(found, "While", name)


def test_a_local_that_is_read_by_a_formula_has_a_value_in_each_run() -> None:
    """Before it is assigned a formula may speak of it, but knows nothing of it."""
    text = """
    @mechanism(adjacent={"x": absolute_distance(1)})
    def late(x: int) -> int:
        i = 0
        while i < 3:
            y = x
            i = i + 1
        return i
    """
    turn = seq(rule("Cond", seq(rule("Exit")), seq()), rule("Assn"), rule("Assn"))
    loop = rule("While", turn, equal=["i"], invariant=["(= |y<1>| |y<2>|)"])
    block = rule("Block", seq(loop))
    document = certificate(text, rule("Assn"), block, rule("Return"))
    rejected(document, "While", "derivation.1.0.0", "the invariant holds on entry")
