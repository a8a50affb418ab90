"""Noise around a whole list, from the claim to the checked certificate or witness."""

from __future__ import annotations

from pathlib import Path

from tests.unit.app.invocation import Run, Write

TEXT = """
from synth.lang import *


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0", epsilon="%s")
def noisy(q: list[int], eps: float) -> list[int]:
    return laplace(q, scale=1 / eps)
"""


def test_a_true_claim_is_proved_and_checked(run: Run, write: Write, tmp_path: Path) -> None:
    done = run("prove", write("p.py", TEXT % "eps"), "--certificate", tmp_path / "c.json", "--json")
    (result,) = done.results()
    assert (done.status, result["verdict"], result["epsilon"]) == (0, "proved", "eps")
    assert run("check", tmp_path / "c.json", "--solver", "both").status == 0


def test_a_false_claim_is_refuted_and_checked(run: Run, write: Write, tmp_path: Path) -> None:
    done = run("prove", write("p.py", TEXT % "eps / 2"), "--certificate", tmp_path / "w.json", "--json")
    (result,) = done.results()
    assert (done.status, result["verdict"]) == (1, "refuted")
    assert len(result["witness"]["output"]) == len(result["witness"]["left"]["q"])
    assert run("check", tmp_path / "w.json").status == 0


def test_output_distributions(run: Run, write: Write) -> None:
    path = write("p.py", TEXT % "eps")
    done = run("probability", f"{path}::noisy", "--input", "q=[1, 2]", "--input", "eps=1", "--json")
    assert done.status == 0
