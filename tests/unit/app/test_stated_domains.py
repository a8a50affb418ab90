"""What a program states about private inputs stands beside the verdict, and beside the certificate's."""

from __future__ import annotations

import json
from pathlib import Path

from tests import ROOT
from tests.unit.app.invocation import invoke_apart

PROGRAM = ROOT / "tests" / "completeness" / "programs" / "adjacency" / "domains.py"


def output(*arguments: str) -> str:
    return invoke_apart(*arguments).out


def test_domains_are_listed(tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    found = output("prove", f"{PROGRAM}::within_four", "--no-cache", "--json", "--certificate", proof)
    (result,) = json.loads(found)["results"]
    assert (result["verdict"], result["epsilon"]) == ("proved", "eps")
    assert "inputs with 0 <= x <= 4" in result["assumptions"]
    assert "rests on inputs with 0 <= x <= 4: of others nothing is claimed" in output("check", proof)
    assert "inputs with 0 <= x <= 4" in output("export", proof, "--to", "text")
