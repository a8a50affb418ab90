"""What a program states about its functions stands beside the verdict, and beside the certificate's."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.app.invocation import invoke_apart

PROGRAM = """
from synth.lang import *


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0",
    epsilon="eps",
    ghosts={"place": Callable[[int, int], int]},
    facts=["degree(S, v) >= 0", "place(S, vertex(S, j)) == j"],
)
def noisy(
    x: int, degree: Callable[[int, int], int], vertex: Callable[[int, int], int], eps: float
) -> int:
    return laplace(x, 1 / eps)
"""
FACTS = ("degree(S, v) >= 0", "place(S, vertex(S, j)) == j")


def output(*arguments: str) -> str:
    return invoke_apart(*arguments).out


def test_facts_are_listed_as_assumptions(tmp_path: Path) -> None:
    program = tmp_path / "noisy.py"
    program.write_text(PROGRAM, encoding="utf-8")
    proof = str(tmp_path / "proof.json")
    found = output("prove", str(program), "--no-cache", "--json", "--certificate", proof)
    (result,) = json.loads(found)["results"]
    assert (result["verdict"], result["epsilon"]) == ("proved", "eps")
    assert all(fact in result["assumptions"] for fact in FACTS)
    (checked,) = json.loads(output("check", proof, "--json"))["results"]
    assert checked["verdict"] == "valid"
    assert set(FACTS) <= set(checked["facts"])
    shown = output("export", proof, "--to", "text")
    assert all(f"assumed for all integers: {fact}" in shown for fact in FACTS)
