"""What is run before each verdict (``synth/validation``) calls no program misread that isn't."""

from __future__ import annotations

from synth.trusted.program import syntax as ir
from synth.validation.comparison import Kind, compare

from .hunting import Broken


def hold_against_text(mechanism: ir.Mechanism, document: str) -> None:
    """Compare a mechanism that is read as it runs with its text.  Raises Broken where they differ."""
    found = compare(mechanism)
    if found.kind is Kind.DIFFERENT:
        raise Broken(f"by the naive interpreter: {found.why}", document)
