"""``synth export --to smtlib``: every script is unsatisfiable under both solvers, and the index says why."""

from __future__ import annotations

import hashlib
import json

import pytest

from synth.trusted.kernel.check import parse
from synth.trusted.kernel.solvers import holds
from synth.views.certificate.proof_objects import proof_object
from synth.views.certificate.smtlib import INDEX, READABLE, smtlib_files
from synth.views.certificate.steps import reading
from tests.unit.views.exporting import MECHANISMS, edited, golden_reading


@pytest.mark.parametrize("solver", ["cvc5", "z3"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_every_script_is_unsatisfiable(name: str, solver: str) -> None:
    files = smtlib_files(golden_reading(name))
    scripts = {name: text for name, text in files.items() if name.endswith(".smt2")}
    assert len(scripts) > 10
    assert [name for name, text in scripts.items() if not holds(text, solver)] == []


def test_a_wrong_certificate_has_a_script_that_is_satisfiable() -> None:
    wrong = edited("above_threshold", lambda data: data["costs"]["cost#0"].update(bound="1"))
    files = smtlib_files(reading(parse(wrong)))
    scripts = [text for name, text in files.items() if name.endswith(".smt2")]
    assert not all(holds(text, "cvc5") for text in scripts)


def test_the_index_says_which_rule_needs_what_and_where() -> None:
    files = smtlib_files(golden_reading("above_threshold"))
    index = json.loads(files[INDEX])
    assert index["mechanism"] == "above_threshold"
    assert {item["file"] for item in index["conditions"]} == files.keys() - {INDEX, READABLE}
    for item in index["conditions"]:
        text = files[item["file"]]
        assert item["sha256"] == hashlib.sha256(text.encode()).hexdigest()
        assert text.startswith(f"; [{item['rule']}] at {item['place']}")
        assert f"; {item['says']}\n" in text
        assert f"| {item['file']} | [{item['rule']}] |" in files[READABLE]
        assert item["goal"] and item["proof"] is None
    paid = next(item for item in index["conditions"] if item["says"].startswith("the distance stays"))
    assert (paid["rule"], paid["line"], paid["goal"]) == ("LapGen", 12, "distance ≤ 1")


def test_goals_about_outcomes_are_those_of_the_scripts() -> None:
    conditions = json.loads(smtlib_files(golden_reading("k_rr"))[INDEX])["conditions"]
    goals = {item["says"]: item["goal"] for item in conditions if item["rule"] == "Chance"}
    pair = goals["run 2 has outcome 2 where run 1 has outcome 0: does not occur"]
    assert pair.startswith("(not (and |returned%new0.0!")
    assert "exp(eps)" in goals["the amount pays for outcome 2 of run 1 and 3 of run 2"]


def test_proofs_are_complete_and_bound_to_their_queries() -> None:
    files = smtlib_files(golden_reading("above_threshold"), proof_object)
    for item in json.loads(files[INDEX])["conditions"]:
        proof = files[item["proof"]["file"]]
        assert item["proof"]["sha256"] == hashlib.sha256(proof.encode()).hexdigest()
        assert item["proof"]["format"] == "CPC"
        assert ":rule" in proof and "trust" not in proof


def test_what_is_satisfiable_or_needs_trust_has_no_proof() -> None:
    assert proof_object("(set-logic ALL)(check-sat)") is None
    nonlinear = "(set-logic ALL)(declare-const x Real)(assert (< (* x x x x) (- 1.0)))(check-sat)"
    proof = proof_object(nonlinear)
    assert proof is None or "trust" not in proof


def test_a_proof_that_is_missing_is_left_out_of_the_index() -> None:
    files = smtlib_files(golden_reading("above_threshold"), lambda _: None)
    assert all(item["proof"] is None for item in json.loads(files[INDEX])["conditions"])
    assert not any(name.endswith(".cpc") for name in files)
