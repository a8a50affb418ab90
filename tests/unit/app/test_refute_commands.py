"""``synth refute`` and ``synth probability``: output and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from synth.app.cli import main
from tests import ROOT

HALF = str(ROOT / "benchmarks/refuted/laplace.py") + "::laplace_half"
SUM = str(ROOT / "benchmarks/programs/sums.py") + "::partial_sum"
MAX = str(ROOT / "benchmarks/programs/noisy_max.py") + "::report_noisy_max"


def synth(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def results(outcome: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(outcome.stdout)["results"]
    return found


def test_a_witness_is_found() -> None:
    outcome = synth("refute", HALF, "--json", "--set", "eps=3")
    assert outcome.exit_code == 0
    (result,) = results(outcome)
    assert result["verdict"] == "refuted" and result["witness"]["parameters"] == {"eps": 3}
    fields = {"parameters", "left", "right", "output", "epsilon", "delta", "epsilon_at_least"}
    assert fields | {"probability_left", "probability_right"} <= result["witness"].keys()


def test_a_witness_for_people() -> None:
    outcome = synth("refute", HALF)
    assert outcome.exit_code == 0
    assert "laplace_half: refuted" in outcome.stdout and "right   x = " in outcome.stdout


def test_another_claim() -> None:
    outcome = synth("refute", HALF, "--epsilon", "2*eps", "--timeout", "1", "--json")
    assert outcome.exit_code == 3
    assert results(outcome)[0]["verdict"] == "unknown"


def test_no_claim() -> None:
    outcome = synth("refute", SUM)
    assert outcome.exit_code == 3 and "nothing is claimed" in outcome.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("refute", HALF, "--set", "x=1"),
        ("refute", HALF, "--set", "epz=1"),
        ("refute", HALF, "--set", "eps"),
        ("refute", HALF, "--epsilon", "nothing"),
        ("refute", HALF + "s"),
        ("probability", HALF, "--input", "x=1"),
        ("probability", HALF, "--input", "x=1", "--input", "eps=0"),
        ("probability", MAX, "--input", "q=[1]", "--input", "eps=1", "--neighbour", "q=[1, 2]"),
        ("probability", str(ROOT / "benchmarks/refuted/laplace.py"), "--input", "x=1"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    outcome = synth(*arguments)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("synth: error: ") and "Traceback" not in outcome.stderr


@pytest.mark.parametrize("command", ["refute", "probability"])
def test_unreadable(command: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("from synth.lang import *\n", encoding="utf-8")
    assert synth(command, str(path)).exit_code == 4


def test_outputs_side_by_side() -> None:
    arguments = ("--input", "q=[0, 1]", "--input", "eps=1", "--neighbour", "q=[1, 0]")
    outcome = synth("probability", MAX, *arguments, "--json")
    assert outcome.exit_code == 0
    (result,) = results(outcome)
    assert result["adjacent"] is True
    assert {line["output"] for line in result["outputs"]} == {0, 1}
    for line in result["outputs"]:
        assert all(0 < low <= high < 1 for low, high in line["probabilities"])
        assert abs(line["loss"][0]) <= 1
    assert "loss" in synth("probability", MAX, *arguments).stdout


def test_outputs_on_one_input() -> None:
    outcome = synth("probability", HALF, "--input", "x=0", "--input", "eps=1")
    assert outcome.exit_code == 0 and outcome.stdout.startswith("output")
