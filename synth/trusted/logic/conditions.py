"""Side conditions: what solvers have to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.trusted.logic.terms import Signature, Term
from synth.trusted.reasons import Reason


@dataclass(frozen=True)
class Condition:
    """A side condition: ``assumptions`` imply ``goal``; ``rule`` at ``place`` needs it, as ``says`` says.

    ``known`` gives the symbols their sorts, or is None for a condition over public inputs, where
    everything is real.
    """

    rule: str
    place: str
    says: Reason
    assumptions: tuple[Term, ...]
    goal: Term
    known: Mapping[str, Signature] | None
