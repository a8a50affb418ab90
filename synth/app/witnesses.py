"""Counterexamples as the commands hand them on: as plain data, as a document, as a result."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from synth.views.assumptions import assumptions_of_witness
from synth.views.blank import blank
from synth.views.results import REFUTED, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Found:
    """A witness as plain data, and as the document that ``synth check`` reads."""

    witness: dict[str, Any]
    document: str


def find(
    mechanism: ir.Mechanism,
    seconds: float,
    fixed: Mapping[str, Any] | None = None,
    steps: float = math.inf,
) -> Found | None:
    """Look for a witness against what a mechanism claims, at these values of public parameters."""
    from synth.refuter.search.search import refute
    from synth.refuter.witness import document_of

    witness = refute(mechanism, seconds=seconds, steps=steps, fixed=fixed)
    if witness is None:
        return None
    document = document_of(mechanism, witness, blank(mechanism).claim)
    return Found(witness.json(), json.dumps(document, indent=1) + "\n")


def refuted(mechanism: ir.Mechanism, result: Result, found: Found) -> Result:
    """Make the result of a mechanism one that a witness refutes."""
    assumed = assumptions_of_witness(mechanism)
    return replace(result, verdict=REFUTED, witness=found.witness, proof=found.document, assumptions=assumed)
