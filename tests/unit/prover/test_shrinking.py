"""Short invariants are invariants still, and have nothing that could be left out."""

from __future__ import annotations

import pytest
from pysmt.shortcuts import LE, Int

from synth.prover.coupling_proof import Derived
from synth.prover.horn.solvers import check_solution
from synth.prover.horn.terms import all_of
from synth.prover.prove import Proved, prove
from synth.prover.search.invariant_shrinking import shrunk
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_file
from tests import ROOT


@pytest.fixture
def proof() -> Derived:
    (mechanism,) = (
        item
        for item in read_file(ROOT / "benchmarks" / "programs" / "above_threshold.py")
        if item.name == "above_threshold"
    )
    found = prove(mechanism, load_templates())
    assert isinstance(found, Proved)
    (part,) = found.parts
    return part


def test_superfluous_conjuncts_are_dropped(proof: Derived) -> None:
    (name,) = proof.solution
    count = next(
        formal
        for predicate in proof.system.predicates
        for formal in predicate.formals
        if formal.symbol_name().startswith("cost#")
    )
    redundant = LE(count, Int(1000))
    longer = {name: all_of((proof.solution[name], redundant))}
    assert not check_solution(proof.system, longer)
    shorter = shrunk(proof.system, longer, seconds=10)
    assert not check_solution(proof.system, shorter)
    assert redundant not in shorter[name].args()
    for left_out in shorter[name].args():
        rest = all_of(part for part in shorter[name].args() if part is not left_out)
        assert check_solution(proof.system, {name: rest})


def test_without_time_nothing_changes(proof: Derived) -> None:
    assert shrunk(proof.system, proof.solution, seconds=-1) == proof.solution
