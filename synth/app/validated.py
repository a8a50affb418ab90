"""What is read of a mechanism, held against runs of its text by Python's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.support.imports import quickly
from synth.trusted.errors import ProgramError, Refusal

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir


DEFECT = "a defect of synth: "


def misreading(mechanism: ir.Mechanism) -> ProgramError | None:
    """What shows that the mechanism is read as another program; None where nothing does.

    Runs that aren't computed show nothing: whatever happens in them, no verdict rests on it.
    """
    with quickly():
        from synth.validation.comparison import Kind, compare
    try:
        found = compare(mechanism)
    except Exception:  # a run that ends in an error of ours has shown nothing
        return None
    if found.kind is not Kind.DIFFERENT:
        return None
    message = f"{DEFECT}this is read as another program; please report it: {found.why}"
    place = mechanism.span
    return ProgramError(message, mechanism.path, place.line, place.column, code=Refusal.READER_DEFECT)
