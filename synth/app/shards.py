"""What becomes of a mechanism of which several workers make one search, a shard each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.app.workers import Finished, Outcome
from synth.views.results import PROVED, REFUTED, Result

MOST_SHARDS = 16
"""Of one search: each begins with what all do alike."""


def shards_for(mechanisms: int, threads: int) -> int:
    """The number of shards of each search, as many as give each thread one."""
    return max(1, min(threads // max(1, mechanisms), MOST_SHARDS))


@dataclass(frozen=True)
class Rivals:
    """Proofs with several bounds: the least one is to be taken."""

    proofs: tuple[Finished[Result], ...]

    @property
    def bounds(self) -> tuple[str, ...]:
        """On ε."""
        return tuple(str(item.value.epsilon) for item in self.proofs)

    def least(self, bound: str | None) -> Finished[Result]:
        """The first with this bound, which was found to be the least; else the first."""
        return next((item for item in self.proofs if item.value.epsilon == bound), self.proofs[0])


def settled(ended: Mapping[int, Outcome[Result]], count: int) -> Outcome[Result] | Rivals | None:
    """What the search has come to, by what its shards have; None as long as others may change that.

    A counterexample, a proof of what is claimed, and what a search alone would have found, end it.
    """
    results = [item for _, item in sorted(ended.items()) if isinstance(item, Finished)]
    for item in results:
        if item.value.verdict == REFUTED or (item.value.verdict == PROVED and _is_last(item.value)):
            return item
    if len(ended) < count:
        return None
    proofs = tuple(item for item in results if item.value.verdict == PROVED)
    if not proofs:
        return ended[0]
    bounds = {item.value.epsilon for item in proofs}
    return proofs[0] if len(bounds) == 1 or None in bounds else Rivals(proofs)


def _is_last(proof: Result) -> bool:
    return bool(proof.claim) or not proof.of_shard
