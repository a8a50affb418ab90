"""Findings that seem to be violations, and what precise probabilities make of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.distribution import COARSE, FINE, LOOSE, MEDIUM, ROUGH
from synth.refuter.exact.inputs import is_adjacent
from synth.refuter.exact.laws import Grid
from synth.refuter.exact.work import OutOfTimeError, Work
from synth.refuter.search.findings import Finding, all_disjoint, guess, is_probable, precise
from synth.refuter.witness import Claimed, claim_against, violates
from synth.trusted.program import syntax as ir

_GRIDS = (LOOSE, ROUGH, COARSE, MEDIUM, FINE)
"""Cells are finer and finer."""

_ENDLESS = 3
"""So many outputs that only one side seemed to give come first, if the other side gave them, too."""


@dataclass(frozen=True)
class _Unclear:
    """A finding may be a violation: probabilities are known up to a factor e^``width``.

    It is one if the factor is e^``margin``.  Both are infinite where nothing is known of them.
    """

    width: float = math.inf
    margin: float = math.inf

    def rank_after(self, rank: int) -> int:
        """Return the rank of the first finer grid that may tell: errors shrink as cells do."""
        finer = range(rank + 1, len(_GRIDS))
        if not math.isfinite(self.width):
            return rank + 1
        return next(
            (item for item in finer if self.width * _GRIDS[rank].reals <= self.margin * _GRIDS[item].reals),
            finer[-1],
        )


@dataclass(frozen=True)
class Doubtful:
    """A finding that seems to be a violation, how clear it is, and what it gains: p1 - e^ε · p2 - δ, perhaps.

    ``rank`` is that of the next grid, which takes more than so many ``steps``.
    """

    finding: Finding
    score: float
    gain: float = 0
    rank: int = 0
    steps: float = 0


@dataclass
class ConfirmationQueue:
    """Findings that wait for precise probabilities, which have taken so many ``steps`` in all.

    ``grid`` is that on which one was decided last.
    """

    mechanism: ir.Mechanism
    work: Work
    steps: int = 0
    waiting: list[Doubtful] = field(default_factory=list)
    endless: int = 0
    looks: int = 0
    grid: Grid = LOOSE

    def add(self, finding: Finding, score: float, gain: float = 0) -> None:
        """Have a finding wait; the largest score, and by turns the largest gain, is looked at first."""
        if score == math.inf and self.endless >= _ENDLESS:
            score = 0.0
        self.waiting.append(Doubtful(finding, score, gain))

    def clearest(self, longest: float) -> Doubtful | None:
        """Return one of those on which less than so many steps were spent in vain, or will be.

        That is the clearest one or, by turns, the one that gains most: what is far out is often misjudged.
        """
        ready = [item for item in self.waiting if item.steps < longest]
        clear = [item for item in ready if item.score > 0]
        if self.looks % 3 == 2 and clear:
            return max(clear, key=lambda item: item.gain)
        return max(ready, key=lambda item: item.score, default=None)

    def confirm(self, doubtful: Doubtful, limit: float) -> Finding | None:
        """Return the violation, with precise probabilities; a finding waits on if ``limit`` is too short."""
        self.waiting.remove(doubtful)
        self.looks += 1
        started, grid = self.work.steps, _GRIDS[doubtful.rank]
        try:
            with self.work.within(limit):
                found = _looked_at(self.mechanism, doubtful.finding, grid, self.work)
        except OutOfTimeError:
            self.waiting.append(replace(doubtful, steps=limit))
            return None
        finally:
            self.steps += self.work.steps - started
        if isinstance(found, _Unclear):
            if grid is not _GRIDS[-1]:
                rank = found.rank_after(doubtful.rank)
                spent = float((self.work.steps - started) * _GRIDS[rank].reals / grid.reals)
                score = min(doubtful.score, found.margin)
                self.endless += doubtful.score == math.inf > found.margin
                self.waiting.append(replace(doubtful, score=score, rank=rank, steps=spent))
            return None
        if found is None and doubtful.score == math.inf:
            self.endless += 1
        self.grid = grid
        return found


def confirmed(mechanism: ir.Mechanism, finding: Finding, work: Work, finest: Grid = FINE) -> Finding | None:
    """The finding with precise probabilities, None if it then isn't a violation, or takes too long."""
    try:
        for grid in _GRIDS[: _GRIDS.index(finest) + 1]:
            found = _looked_at(mechanism, finding, grid, work)
            if not isinstance(found, _Unclear):
                return found
    except OutOfTimeError:
        pass
    return None


def _looked_at(
    mechanism: ir.Mechanism, finding: Finding, grid: Grid, work: Work
) -> Finding | _Unclear | None:
    """The violation, None if it surely or probably is none.  Raises OutOfTimeError."""
    pair = finding.pair
    if not is_adjacent(mechanism, pair.left, pair.right) or not all_disjoint(finding.events):
        return None
    try:
        exact = precise(mechanism, finding, grid, work)
        claim = claim_against(mechanism, pair.left, exact.likely)
    except UndefinedError:
        return None
    if violates(claim, exact.left, exact.right):
        return exact
    if exact.left.high < claim.epsilon.exp() * exact.right.low + claim.delta:
        return None
    return _unclear(exact, claim) if grid in (LOOSE, ROUGH) or is_probable(exact, claim) else None


def _unclear(exact: Finding, claim: Claimed) -> _Unclear:
    if claim.delta > 0 or not (exact.left.low > 0 and exact.right.low > 0):
        return _Unclear()
    width = sum(float((side.high / side.low).log().mid()) for side in (exact.left, exact.right)) / 2
    return _Unclear(width, guess(exact, claim) - float(claim.epsilon.mid()))
