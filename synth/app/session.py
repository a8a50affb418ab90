"""What runs of ``synth prove`` in one session leave to the next one: which proofs were accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from synth.views.results import PROVED, Result


@dataclass(frozen=True)
class Session:
    """The digests of documents that the kernel has ``accepted`` in runs before, and who is told of more."""

    accepted: frozenset[str] = frozenset()
    tell: Callable[[frozenset[str]], object] = lambda accepted: None

    def end(self, results: Iterable[Result]) -> None:
        """Tell of the proofs of a run as well."""
        proofs = (item.proof for item in results if item.verdict == PROVED and item.proof is not None)
        self.tell(self.accepted | frozenset(map(digest, proofs)))


def digest(document: str) -> str:
    """Return what stands for a document: its SHA-256."""
    return hashlib.sha256(document.encode()).hexdigest()
