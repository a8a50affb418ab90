"""What is proved of a program: a bound, and the proofs of its parts."""

from __future__ import annotations

from dataclasses import dataclass

from synth.bounds.rational import Rational
from synth.prover.acceptance import CheckedCertificate
from synth.prover.invariant_proof import Derived
from synth.prover.lifting_proof import Lifted

Part = Derived | Lifted


@dataclass(frozen=True)
class Proved:
    """A proof, by ``parts`` that run one after the other; of a program that is not cut there is one.

    ``epsilon`` is in nats, and holds with ``delta``.
    """

    epsilon: Rational
    delta: Rational
    parts: tuple[Part, ...]
    checked: CheckedCertificate

    @property
    def certificate(self) -> str:
        """The text that the kernel has accepted."""
        return self.checked.certificate


def grows(bound: Rational) -> bool:
    """Return whether a bound depends on how long an input is."""
    return any(name.startswith("len(") for name in bound.variables())
