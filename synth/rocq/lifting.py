"""The proof of a Rocq file for [Lift]: the chances of all outputs, which tactics sum up."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from synth.rocq.formulas import Formulas, constant_text
from synth.rocq.refusal import Inexpressible
from synth.rocq.statement import is_zero
from synth.rocq.theorem import Theorem
from synth.trusted.kernel.certificate import Bounds, Node
from synth.trusted.logic.terms import Term, read, value
from synth.trusted.program import syntax as ir

ROUNDS = 16
"""Of loops that are followed, at the most."""


def lifted(mechanism: ir.Mechanism, proved: Bounds, derivation: Node) -> Iterator[str]:
    """The lines of the proof, which is about the core program.  Raises Inexpressible."""
    _check_followed(mechanism)
    formulas = Formulas(mechanism, {}, {})
    theorem = Theorem(mechanism)
    yield from theorem.beginning()
    loops = any(isinstance(item, ir.Loop) for item in ir.statements(mechanism.body))
    rounds = f"{ROUNDS if loops else 0}%nat"
    bounds = f"{formulas.real(proved.epsilon)}%R"
    if _draws_numbers(mechanism):
        most, delta = formulas.count(_most_lost(derivation)), formulas.real(proved.delta)
        yield from theorem.proof([f"lift_numbers {rounds} {bounds} {delta}%R ({most})%Z program input."])
    elif is_zero(proved.delta):
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
    draws = [item for item in ir.statements(mechanism.body) if isinstance(item, ir.Draw | ir.Choose)]
    if any(isinstance(item, ir.Draw) for item in draws) or (_draws_numbers(mechanism) and len(draws) > 1):
        raise Inexpressible("[Lift] of several draws, of numbers among them, has no form in Rocq yet")


def _draws_numbers(mechanism: ir.Mechanism) -> bool:
    return any(
        isinstance(item, ir.Choose) and item.sort is not ir.Sort.BOOL
        for item in ir.statements(mechanism.body)
    )


def _most_lost(derivation: Node) -> Term:
    """How many numbers run 2 never returns.  Raises Inexpressible."""
    reached = derivation.fields.get("reached", [])
    sums = reached if isinstance(reached, list) else []
    bounds = {str(bound) for item in sums if isinstance(item, list) for bound in item[1:]}
    if len(bounds) > 1:
        raise Inexpressible("[Lift] of numbers that are lost in several ways has no form in Rocq yet")
    found = read(bounds.pop()) if bounds else "0"
    constant = value(found)
    return found if constant is None else constant_text(ceil(constant))
