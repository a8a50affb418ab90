"""Mistakes that are found in the literature and in published code: each has a witness.

Sensitivities that are too small, noise that is missing or used again, budgets that are spent twice,
thresholds, selections, vectors, histograms, Gaussian noise, coins and retries; with claims of all kinds.
"""

from __future__ import annotations

import json

import pytest

from synth.refuter.search.search import refute
from synth.refuter.witness import Witness, document_of
from synth.trusted.json_reader import DECIMALS, read_json
from synth.trusted.program import syntax as ir
from synth.trusted.witness.check import INVALID, check_witness
from tests import ROOT
from tests.support.proving import from_file, names_in
from tests.support.refuting import SAFE

FOLDER = ROOT / "tests/soundness/programs/mistakes"
FILES = {name: path for path in sorted(FOLDER.glob("*.py")) for name in names_in(path)}
"""Where each mechanism is."""
LONG = {
    "above_exponential",
    "answers_one_more",
    "both_sides",
    "eight_at_most",
    "gauss_rho_list",
    "geometric_numpy",
    "l2_gauss",
    "max_value_only",
    "numbers_of_rounds",
    "stream_alarm",
    "svt_noise_without_count",
    "svt_with_gap",
}
"""Those that take more than half a second."""


def mechanism(name: str) -> ir.Mechanism:
    """The mechanism, which claims something."""
    found = from_file(FILES[name], name)
    assert found.is_claimed
    return found


def witness_of(of: ir.Mechanism) -> Witness:
    found = refute(of, seconds=SAFE)
    assert found is not None
    return found


@pytest.mark.parametrize("name", sorted(FILES.keys() - LONG))
def test_mistakes_are_found(name: str) -> None:
    witness_of(mechanism(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FILES))
def test_no_check_objects(name: str) -> None:
    of = mechanism(name)
    document = read_json(json.dumps(document_of(of, witness_of(of))), DECIMALS)
    assert check_witness(document).verdict != INVALID


@pytest.mark.parametrize("name", ["by_a_class", "gauss_rho", "until_inside", "clipped_far_out"])
def test_witnesses_show_outputs_that_are_likely(name: str) -> None:
    assert witness_of(mechanism(name)).probability_left[0] > 0.1
