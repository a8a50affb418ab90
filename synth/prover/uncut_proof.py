"""The proof of one mechanism that is not cut: by the chances of its outputs, or by couplings of its draws."""

from __future__ import annotations

from synth.bounds.rational import Rational
from synth.prover.acceptance import Unknown
from synth.prover.attempt import Attempt
from synth.prover.codes import Code
from synth.prover.coupling_proof import CouplingSearch
from synth.prover.invariant_proof import Derived
from synth.prover.lifting_proof import Lifted, lifted
from synth.prover.proved import Part
from synth.trusted.program import syntax as ir


def prove_uncut(attempt: Attempt) -> Part | Unknown:
    """The proof of one mechanism."""
    found = prove_by_chances(attempt)
    return prove_by_couplings(attempt) if isinstance(found, Unknown) else found


def prove_by_chances(attempt: Attempt) -> Lifted | Unknown:
    """By the chances of the output, where several draws of finitely many values decide it."""
    if attempt.notion is not None or _draws_once(attempt.mechanism):
        return Unknown(Code.ONE_DRAW(), attempt.mechanism.span)
    return lifted(attempt)


def prove_by_couplings(attempt: Attempt, ceiling: Rational | None = None) -> Part | Unknown:
    """By couplings of draws; of one draw by its chances where that doesn't meet the claim, or costs more."""
    coupled = CouplingSearch(attempt, ceiling).run()
    claimed = attempt.mechanism.epsilon is not None
    if attempt.notion is not None or not _draws_once(attempt.mechanism):
        return coupled
    if isinstance(coupled, Derived) and coupled.checked.within_claim and claimed:
        return coupled
    found = lifted(attempt)
    if isinstance(found, Unknown) or isinstance(coupled, Unknown):
        return coupled if isinstance(found, Unknown) else found
    as_good = attempt.facts.at_most(
        coupled.epsilon, found.epsilon, {**found.opaque_definitions, **coupled.opaque_definitions}
    )
    return coupled if coupled.checked.within_claim and as_good else found


def _draws_once(mechanism: ir.Mechanism) -> bool:
    """Whether there is one draw at the most, and no loop."""
    items = list(ir.statements(mechanism.body))
    draws = [item for item in items if isinstance(item, ir.Draw | ir.Choose)]
    return len(draws) <= 1 and not any(isinstance(item, ir.Loop) for item in items)
