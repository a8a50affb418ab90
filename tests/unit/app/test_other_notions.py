"""Claims of GDP and zCDP in options: of all commands that hold a mechanism against a claim."""

from __future__ import annotations

from pathlib import Path

import pytest

import synth
from synth.trusted.errors import UsageError
from tests.unit.app.invocation import Run, Write

PROGRAM = """from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="sigma > 0")
def release(x: float, sigma: float) -> float:
    return gaussian(x, sigma)
"""
PLAIN = """
import numpy as np


def release(x: float, sigma: float) -> float:
    return x + np.random.normal(scale=sigma)
"""
TRUE = {"gdp": "1/sigma", "zcdp": "1/(2*sigma**2)"}
FALSE = {"gdp": "1/(2*sigma)", "zcdp": "1/(4*sigma**2)"}


@pytest.fixture
def program(write: Write) -> Path:
    return write("p.py", PROGRAM)


@pytest.mark.parametrize("notion", TRUE)
def test_a_true_claim_is_proved_and_its_proof_is_held_against_claims(
    run: Run, program: Path, tmp_path: Path, notion: str
) -> None:
    option, proof = f"--{notion}", tmp_path / "proof.json"
    (found,) = run("prove", program, option, TRUE[notion], "--certificate", proof, "--json").results()
    assert (found["verdict"], found["claim_of"], found["epsilon"]) == ("proved", "command line", None)
    (row,) = run("check", proof, option, TRUE[notion], "--json").results()
    assert (row["verdict"], row["claim_of"]) == ("valid", "command line")
    assert run("check", proof, option, FALSE[notion]).status == 1


@pytest.mark.parametrize("notion", FALSE)
@pytest.mark.parametrize("command", ["prove", "refute"])
def test_a_false_claim_is_refuted_by_a_witness_against_that_claim(
    run: Run, program: Path, tmp_path: Path, notion: str, command: str
) -> None:
    (found,) = run(command, program, f"--{notion}", FALSE[notion], "--json").results()
    assert (found["verdict"], found["witness"]["notion"]) == ("refuted", notion)
    if command == "prove":
        witness = tmp_path / "witness.json"
        run("prove", program, f"--{notion}", FALSE[notion], "--certificate", witness)
        assert run("check", witness, f"--{notion}", FALSE[notion]).status == 0
        (row,) = run("check", witness, "--program", program, "--json").results()
        assert (row["verdict"], row["code"]) == ("invalid", "other-claim-refuted")
        assert run("check", witness, f"--{notion}", TRUE[notion]).status == 1


def test_a_claim_beside_a_function_without_a_decorator(run: Run, write: Write) -> None:
    target = f"{write('q.py', PLAIN)}::release"
    stated = ("--adjacent", "x=absolute_distance(1)", "--requires", "sigma > 0", "--gdp", "1/sigma")
    (found,) = run("prove", target, *stated, "--json").results()
    assert (found["verdict"], found["specification"]["gdp"]) == ("proved", "1/sigma")


@pytest.mark.parametrize("others", [("--epsilon", "1"), ("--delta", "1/10"), ("--zcdp", "1")])
@pytest.mark.parametrize("command", ["prove", "refute"])
def test_claims_of_two_kinds(run: Run, program: Path, command: str, others: tuple[str, str]) -> None:
    done = run(command, program, "--gdp", "1", *others)
    assert done.status == 2 and "each claims another kind of privacy" in done.err


def test_a_claim_that_cannot_be_read_names_its_option(run: Run, program: Path) -> None:
    done = run("prove", program, "--zcdp", "rho")
    assert (done.status, done.out) == (2, "")
    assert "synth: error: --zcdp for release: unknown name 'rho'" in done.err


def test_the_library_has_the_same_claims(program: Path) -> None:
    proved = synth.prove(program, gdp="1/sigma")
    assert isinstance(proved, synth.Proved) and str(proved.bound.gdp) == "1/sigma"
    assert isinstance(synth.refute(program, zcdp="1/(4*sigma**2)"), synth.Refuted)
    with pytest.raises(UsageError, match="epsilon and zcdp don't go together"):
        synth.prove(program, epsilon=1, zcdp=1)
    synth.assert_private(program, zcdp="1/(2*sigma**2)")
    with pytest.raises(AssertionError, match="claim gdp = "):
        synth.assert_private(program, gdp="1/(2*sigma)")
