"""Short invariants are invariants still, and have nothing that could be left out."""

from __future__ import annotations

import pytest
from pysmt.shortcuts import LE, TRUE, Int

from synth.prover.horn.horn import HornSystem
from synth.prover.horn.solvers import Solution, check_solution
from synth.prover.horn.terms import all_of
from synth.prover.prove import Proved, prove
from synth.prover.search.invariant_shrinking import shrunk
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_file
from synth.trusted.program import syntax as ir
from tests import ROOT


def _above_threshold() -> ir.Mechanism:
    programs = read_file(ROOT / "benchmarks" / "programs" / "above_threshold.py")
    return next(item for item in programs if item.name == "above_threshold")


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> tuple[HornSystem, Solution]:
    """The clauses of a coupling, and the invariants that were found for them."""
    found: list[tuple[HornSystem, Solution]] = []

    def noted(system: HornSystem, solution: Solution) -> Solution:
        found.append((system, solution))
        return shrunk(system, solution)

    monkeypatch.setattr("synth.prover.invariant_proof.shrunk", noted)
    assert isinstance(prove(_above_threshold(), load_templates()), Proved)
    return next(item for item in found if item[1])


def test_superfluous_conjuncts_are_dropped(solved: tuple[HornSystem, Solution]) -> None:
    system, solution = solved
    (name,) = solution
    count = next(
        formal
        for predicate in system.predicates
        for formal in predicate.formals
        if formal.symbol_name().startswith("cost#")
    )
    redundant = LE(count, Int(1000))
    longer = {name: all_of((solution[name], redundant))}
    assert not check_solution(system, longer)
    shorter = shrunk(system, longer)
    assert not check_solution(system, shorter)
    assert redundant not in shorter[name].args()
    for left_out in shorter[name].args():
        rest = all_of(part for part in shorter[name].args() if part is not left_out)
        assert check_solution(system, {name: rest})


def test_without_a_budget_nothing_changes(solved: tuple[HornSystem, Solution]) -> None:
    system, solution = solved
    assert shrunk(system, solution, checks=0) == solution


def test_a_certificate_with_all_conjuncts_is_tried_where_the_short_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that leaves out too much costs no proof."""
    monkeypatch.setattr(
        "synth.prover.invariant_proof.shrunk", lambda system, solution: dict.fromkeys(solution, TRUE())
    )
    found = prove(_above_threshold(), load_templates())
    assert isinstance(found, Proved)
    (part,) = found.parts
    assert part.checked.within_claim
