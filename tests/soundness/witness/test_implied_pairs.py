"""Witnesses against claims of GDP and zCDP: pairs (ε, δ) that follow, and no true claim that is refuted."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from synth.refuter.implied import implied_pairs, nearest_pair
from synth.refuter.search.search import refute
from synth.refuter.witness import document_of
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.witness.check import INVALID, VALID, check_witness
from synth.trusted.witness.implied import implied_delta
from tests.support.refuting import SAFE

GDP, ZCDP = ir.Notion.GDP, ir.Notion.ZCDP
HEAD = "from math import log, sqrt\n\nfrom synth.lang import *\n\n"


def _mechanism(
    claim: str, body: str, parameter: str = "x: float", metric: str = "absolute_distance(1)"
) -> ir.Mechanism:
    name = parameter.partition(":")[0]
    head = f'@mechanism(adjacent={{"{name}": {metric}}}, requires="s > 0", {claim})'
    (found,) = read_source(f"{HEAD}{head}\ndef f({parameter}, s: float):\n    return {body}\n", "f.py")
    return found


FALSE = {
    "gdp: sigma is too small": _mechanism('gdp="s"', "gaussian(x, 0.9 / s)"),
    "gdp: of integers": _mechanism('gdp="s"', "x", "x: int"),
    "gdp: Laplace noise has no such curve": _mechanism('gdp="s"', "laplace(x, 1 / s)"),
    "gdp: twice": _mechanism('gdp="s"', "(gaussian(x, 1 / s), gaussian(x, 1 / s))"),
    "zcdp: sigma is too small": _mechanism('zcdp="s"', "gaussian(x, sqrt(1 / (2.4 * s)))"),
    "zcdp: of integers": _mechanism('zcdp="s"', "gaussian(x, sqrt(1 / (3 * s)))", "x: int"),
    "zcdp: Laplace": _mechanism('zcdp="s**2/8"', "laplace(x, 1 / s)"),
    "zcdp: response": _mechanism(
        'zcdp="s**2/2"', "randomized_response(b, 2 * s)", "b: bool", "discrete_distance()"
    ),
    "zcdp: released": _mechanism('zcdp="s"', "x + 1", "x: int"),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_have_witnesses_that_check(name: str) -> None:
    witness = refute(FALSE[name], seconds=SAFE)
    assert witness is not None
    assert check_witness(json.loads(json.dumps(document_of(FALSE[name], witness)))).verdict == VALID


TRUE = {
    "gdp": _mechanism('gdp="s"', "gaussian(x, 1 / s)"),
    "zcdp": _mechanism('zcdp="s**2/2"', "gaussian(x, 1 / s)"),
    "zcdp, Laplace": _mechanism('zcdp="s**2/2"', "laplace(x, 1 / s)"),
}


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("size", [Fraction(1, 4), Fraction(1), Fraction(3)])
def test_no_interval_refutes_a_true_claim_at_any_pair(name: str, size: Fraction) -> None:
    """The pairs of GDP are met exactly by half lines, so none may be let through by rounding."""
    mechanism = TRUE[name]
    assert mechanism.divergence is not None
    notion, bound = (
        mechanism.divergence.notion,
        size if mechanism.divergence.notion is GDP else size * size / 2,
    )
    number = arb(bound.numerator) / bound.denominator
    pairs = [*implied_pairs(notion, number), nearest_pair(notion, number, (0.3, 0.01))]
    for pair in pairs:
        for end in (*range(-6, 7, 3), Fraction(size) / 2):
            for low, high in ((None, end), (end, None)):
                witness = {
                    "parameters": {"s": str(size)},
                    "left": {"x": 0},
                    "right": {"x": 1 if low is None else -1},
                    "events": [{"values": [{"from": _text(low), "to": _text(high)}], "lists": []}],
                    "probability_left": [0, 1],
                    "probability_right": [0, 1],
                    "epsilon": pair.epsilon,
                    "order": pair.order,
                    "epsilon_at_least": -1000,
                }
                assert check_witness(_document(mechanism, witness), seconds=SAFE).verdict != VALID


def _text(end: int | Fraction | None) -> str | None:
    return None if end is None else str(end)


def _document(mechanism: ir.Mechanism, witness: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "witness", "program": mechanism.source, "mechanism": "f", "witness": witness}


@pytest.mark.parametrize("notion", [GDP, ZCDP])
@pytest.mark.parametrize("bound", [Fraction(1, 100), Fraction(1, 2), Fraction(2), Fraction(9)])
def test_both_methods_have_the_same_delta_and_the_check_rounds_up(notion: ir.Notion, bound: Fraction) -> None:
    for pair in implied_pairs(notion, arb(bound.numerator) / bound.denominator):
        order = None if pair.order is None else Fraction(repr(pair.order))
        found = implied_delta(notion, bound, Fraction(repr(pair.epsilon)), order)
        most = arb(found.numerator) / found.denominator
        assert most >= pair.delta.lower()
        assert not most * (1 - arb("1e-9")) > pair.delta.upper() + arb("1e-30")


def test_delta_of_gdp_is_the_hockey_stick_of_normal_laws() -> None:
    """At ε = 0 it is the total variation, 2Φ(μ/2) − 1, here of μ = 2."""
    assert float(implied_delta(GDP, Fraction(2), Fraction(0), None)) == pytest.approx(0.6826894921370859)


def test_delta_of_zcdp_is_that_of_the_lemma() -> None:
    """With α = 2, ρ = 1/2 and ε = 2: a quarter of exp(−1)."""
    found = implied_delta(ZCDP, Fraction(1, 2), Fraction(2), Fraction(2))
    assert float(found) == pytest.approx(0.09196986029286058)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("gdp: sigma is too small", "epsilon", -1),
        ("gdp: sigma is too small", "epsilon", "many"),
        ("gdp: sigma is too small", "epsilon", 0.001),
        ("zcdp: sigma is too small", "order", 1),
        ("zcdp: sigma is too small", "order", 0.5),
        ("zcdp: sigma is too small", "order", None),
        ("zcdp: sigma is too small", "order", 1000),
        ("zcdp: sigma is too small", "order", 1.001),
        ("zcdp: sigma is too small", "epsilon", 0),
    ],
)
def test_pairs_that_do_not_follow_or_hold_are_refused(name: str, field: str, value: object) -> None:
    witness = refute(FALSE[name], seconds=SAFE)
    assert witness is not None
    document = copy.deepcopy(json.loads(json.dumps(document_of(FALSE[name], witness))))
    document["witness"][field] = value
    assert check_witness(document).verdict == INVALID


def test_a_claim_that_is_not_positive_has_no_pairs() -> None:
    witness = refute(FALSE["gdp: of integers"], seconds=SAFE)
    assert witness is not None
    document = json.loads(json.dumps(document_of(FALSE["gdp: of integers"], witness)))
    document["program"] = document["program"].replace('gdp="s"', 'gdp="s - s"')
    assert check_witness(document).verdict == INVALID
