"""The proof of a Rocq file for [Lift]: the chances of all outputs, which tactics sum up."""

from __future__ import annotations

from collections.abc import Iterator

from synth.rocq.formulas import Formulas
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import is_zero
from synth.rocq.theorem import Theorem
from synth.trusted.kernel.certificate import Bounds
from synth.trusted.program import syntax as ir

ROUNDS = 16
"""Of loops that are followed, at the most."""


def lifted(mechanism: ir.Mechanism, proved: Bounds) -> Iterator[str]:
    """The lines of the proof, which is about the core program.  Raises Inexpressible."""
    _check_followed(mechanism)
    formulas = Formulas(mechanism, {}, {})
    theorem = Theorem(mechanism)
    yield from theorem.beginning()
    loops = any(isinstance(item, ir.Loop) for item in ir.statements(mechanism.body))
    rounds = f"{ROUNDS if loops else 0}%nat"
    bounds = f"{formulas.real(proved.epsilon)}%R"
    if is_zero(proved.delta):
        yield from theorem.proof([f"lift {rounds} {bounds} program input."])
    else:
        delta = f"{formulas.real(proved.delta)}%R"
        yield from theorem.proof([f"lift_within {rounds} {bounds} {delta} program input."])


def _check_followed(mechanism: ir.Mechanism) -> None:
    """Raises Inexpressible where there is more than truth values to go through."""
    if any(
        item.metric is not None and item.kind is not ir.ParameterKind.SCALAR for item in mechanism.parameters
    ):
        raise Inexpressible("[Lift] of entries that differ has no form in Rocq yet")
    if any(
        isinstance(item, ir.Draw) or (isinstance(item, ir.Choose) and item.sort is not ir.Sort.BOOL)
        for item in ir.statements(mechanism.body)
    ):
        raise Inexpressible("[Lift] of draws of numbers has no form in Rocq yet")
