"""``synth repair``: what it prints is proved, and nothing else is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synth.app.repair.repairing import Repaired
from tests import ROOT
from tests.unit.app.invocation import PROVED, UNREADABLE, Run, Write

SKETCHES = ROOT / "tests/completeness/programs/holes/sketches.py"

WRONG = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def both(x: float, eps: float) -> tuple[float, float]:
    return laplace(x, 1 / eps), laplace(x, 2 / eps)
"""

EMPTY = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def bare(x: int, eps: float) -> int:
    return x + laplace(0, ...) * 0
"""


def test_one_scale_is_changed_and_the_patch_is_proved(write: Write, run: Run, tmp_path: Path) -> None:
    path = write("wrong.py", WRONG)
    proof = tmp_path / "proof.json"
    found = run("repair", path, "--json", "--write", "--certificate", proof)
    (row,) = found.results()
    assert (found.status, row["verdict"], row["before"], row["epsilon"]) == (0, "proved", "refuted", "eps")
    assert [(change["before"], change["after"]) for change in row["changes"]] == [("1 / eps", "2 / eps")]
    assert path.read_text() == WRONG.lstrip().replace("laplace(x, 1 / eps)", "laplace(x, 2 / eps)")
    assert run("check", proof, "--program", path).status == 0
    again = run("repair", path)
    assert (again.status, again.out) == (0, "")
    assert "proved as it is" in again.err


SQUARES = {
    "gdp": ('requires="mu > 0", gdp="mu"', "mu", "gaussian(x, ...), gaussian(2 * x, ...)", True),
    "zcdp, with Laplace noise": (
        'requires="rho > 0", zcdp="rho"',
        "rho",
        "gaussian(x, ...), laplace(x, ...)",
        True,
    ),
    "zcdp, changed": ('requires="rho > 0", zcdp="rho"', "rho", "gaussian(x, 1 / rho), laplace(x, 3)", True),
    "epsilon and delta": (
        'requires="0 < e and e <= 1 and 0 < d and d < 1", epsilon="e", delta="d"',
        "e: float, d",
        "gaussian(x, 1 / e), x * 0",
        False,
    ),
    "epsilon and delta as numbers": ('epsilon="1", delta="1/100000"', "n", "gaussian(x, ...), x * 0", False),
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.slow if case == "zcdp, changed" else ()) for case in SQUARES],
)
def test_scales_under_a_sum_of_squares(write: Write, run: Run, tmp_path: Path, case: str) -> None:
    claim, names, values, least = SQUARES[case]
    path = write(
        "squares.py",
        "from synth.lang import *\n\n\n"
        f'@mechanism(adjacent={{"x": absolute_distance(1)}}, {claim})\n'
        f"def release(x: float, {names}: float) -> tuple[float, float]:\n"
        f"    return {values}\n",
    )
    proof = tmp_path / "proof.json"
    found = run("repair", path, "--json", "--write", "--certificate", proof)
    (row,) = found.results()
    assert (row["verdict"], row["least_noise"]) == ("proved", least), found.err
    assert run("check", proof, "--program", path).status == 0


def test_what_has_no_repair_is_said_and_nothing_is_written(write: Write, run: Run) -> None:
    path = write("bare.py", EMPTY)
    found = run("repair", path, "--write")
    assert (found.status, found.out) == (3, "")
    assert "no repair" in found.err
    assert path.read_text() == EMPTY.lstrip()


def test_errors(write: Write, run: Run, tmp_path: Path) -> None:
    assert run("repair", write("unreadable.py", UNREADABLE), "--epsilon", "eps").status == 4
    assert run("repair", tmp_path / "nobody.py").status == 4
    assert run("repair", write("proved.py", PROVED.replace(', epsilon="3*eps"', ""))).status == 2
    assert run("repair", f"{write('proved.py', PROVED)}::other").status == 2


def test_a_link_is_not_followed(write: Write, run: Run, tmp_path: Path) -> None:
    link = tmp_path / "link.py"
    path = write("wrong.py", WRONG)
    link.symlink_to(path)
    assert run("repair", link, "--write").status == 74
    assert path.read_text() == WRONG.lstrip()


def test_a_hole_is_filled(run: Run) -> None:
    (row,) = run("repair", f"{SKETCHES}::partial_sum", "--json").results()
    assert [change["after"] for change in row["changes"]] == ["1 / eps"]
    assert (row["verdict"], row["least_noise"], row["before"]) == ("proved", True, None)


def test_a_file_that_changes_meanwhile_is_left_alone(
    write: Write, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("wrong.py", WRONG)
    found = Repaired(path, "what it was", "what it would be", ())
    monkeypatch.setattr("synth.app.commands.repair.repaired", lambda target, options: found)
    assert run("repair", path, "--write").status == 74
    assert path.read_text() == WRONG.lstrip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, ratios",
    [
        ("sparse_vector", ["ratio = exp(2 * log(2 * n) / 3)"]),
        ("sparse_vector_inverse", ["ratio = exp(2 * log(2 * n) / 3)"]),
        ("gap_sparse_vector", ["ratio = exp(2 * log(2 * n) / 3)"]),
        ("num_sparse_vector", ["ratio = exp(2 * log(2 * n) / 3)", "ratio_2 = exp(2 * log(n) / 3)"]),
        ("adaptive_sparse_vector", ["ratio = exp(2 * log(2 * n) / 3)"]),
        ("smart_sum", []),
        ("noisy_max", []),
    ],
)
def test_programs_of_dpgen_get_the_least_noise(name: str, ratios: list[str], run: Run) -> None:
    found = run("repair", f"{SKETCHES}::{name}", "--json", "--timeout", "300")
    (row,) = json.loads(found.out)["results"]
    assert (row["verdict"], row["least_noise"], row["ratios"]) == ("proved", True, ratios)
