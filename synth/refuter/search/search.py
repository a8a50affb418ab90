"""The search for a witness, and for the best lower bound on ε."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.collecting import Detail, Tally
from synth.refuter.exact.distribution import COARSE, FINE, MEDIUM
from synth.refuter.exact.events import Event
from synth.refuter.exact.execution import OutOfTimeError
from synth.refuter.exact.inputs import Datum, Pair, is_adjacent
from synth.refuter.search.candidates import candidates, changed
from synth.refuter.search.findings import (
    Finding,
    all_disjoint,
    clearest,
    excess,
    explore,
    is_probable,
    largest,
    loss,
    precise,
    sets,
    singles,
)
from synth.refuter.witness import Claimed, Witness, claim_against, claims_at, make_witness, violates
from synth.trusted.program import syntax as ir

_SHARE = 2
"""A candidate may take as long as all before it, divided by this,"""

_LEAST = 0.5
"""but so many seconds in any case;"""

_OF_SETS = Detail(beam=400, differing=False)
"""Against a δ, all outputs that are likely count."""

_LATER = 3
"""and is tried again when it may take so many times as long."""


@dataclass(frozen=True)
class LowerBound:
    """ε must be at least ``epsilon`` (nats; infinite if no ε is enough) at ``pair``'s parameters."""

    epsilon: float
    finding: Finding


def refute(
    mechanism: ir.Mechanism,
    *,
    seconds: float,
    fixed: Mapping[str, Datum] | None = None,
    epsilon: ir.Expression | None = None,
    seed: int = 1,
) -> Witness | None:
    """A witness against the mechanism's claim (or against ``epsilon``), None if none is found in time.

    ``fixed`` gives values to public parameters.  Without any claim there is nothing to refute, and inputs of
    which stated facts hold are not looked for: None.
    """
    if epsilon is not None:
        mechanism = replace(mechanism, epsilon=epsilon, divergence=None)
    if not mechanism.is_claimed or mechanism.facts:
        return None
    search = _Search(mechanism, fixed or {}, time.monotonic() + seconds, seed)
    for finding in search.findings():
        exact = confirmed(mechanism, finding, search.deadline)
        if exact is not None:
            return make_witness(mechanism, exact.pair, exact.events, exact.left, exact.right)
    return None


def lower_bound(
    mechanism: ir.Mechanism, *, seconds: float, fixed: Mapping[str, Datum] | None = None, seed: int = 1
) -> LowerBound | None:
    """The largest ε that is found to be necessary (δ = 0), at real parameters 1 unless ``fixed``."""
    best: LowerBound | None = None
    if mechanism.facts:
        return None
    search = _Search(mechanism, fixed or {}, time.monotonic() + seconds, seed)
    for pair, found in search.explored(at_one=True):
        finding = max(singles(pair, found), key=loss, default=None)
        if finding is None or (best is not None and loss(finding) <= best.epsilon):
            continue
        try:
            finding = precise(mechanism, finding, MEDIUM, search.deadline)
        except (OutOfTimeError, UndefinedError):
            continue
        if best is None or loss(finding) > best.epsilon:
            best = LowerBound(loss(finding), finding)
            search.best = (loss(finding), pair)
    return best


def confirmed(mechanism: ir.Mechanism, finding: Finding, deadline: float) -> Finding | None:
    """The finding with precise probabilities, None if it then isn't a violation."""
    pair = finding.pair
    if not is_adjacent(mechanism, pair.left, pair.right) or not all_disjoint(finding.events):
        return None
    try:
        for grid in (COARSE, MEDIUM, FINE):
            exact = precise(mechanism, finding, grid, deadline)
            claim = claim_against(mechanism, pair.left, exact.likely)
            if violates(claim, exact.left, exact.right):
                return exact
            if not is_probable(exact, claim):
                return None
    except (OutOfTimeError, UndefinedError):
        pass
    return None


@dataclass
class _Search:
    """Goes through candidates until the deadline; ``best`` is the pair that came nearest."""

    mechanism: ir.Mechanism
    fixed: Mapping[str, Datum]
    deadline: float
    seed: int
    best: tuple[float, Pair] | None = None
    rng: random.Random = field(init=False)
    late: deque[tuple[float, Pair]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.started = time.monotonic()
        single = self.mechanism.delta is None and self.mechanism.divergence is None
        self.detail = Detail() if single else _OF_SETS

    def findings(self) -> Iterator[Finding]:
        """Probable violations of the claim."""
        for pair, found in self.explored():
            try:
                claims = claims_at(self.mechanism, pair.left)
            except UndefinedError:
                continue
            chosen = (
                self._on_sets(pair, found, claims)
                if claims[0].delta > 0
                else self._on_singles(pair, found, claims[0])
            )
            if chosen is not None:
                yield chosen

    def _on_singles(self, pair: Pair, found: Mapping[Event, Tally], claim: Claimed) -> Finding | None:
        choices = list(singles(pair, found))
        epsilon = max(float(claim.epsilon.mid()), 1e-9)
        self._remember(pair, (loss(item) / epsilon for item in choices))
        return clearest(choices, claim)

    def _on_sets(self, pair: Pair, found: Mapping[Event, Tally], claims: Sequence[Claimed]) -> Finding | None:
        deadline = time.monotonic() + self._limit()
        choices = list(sets(self.mechanism, pair, found, claims, deadline, self.detail))
        judged = [(claim_against(self.mechanism, pair.left, item.likely), item) for item in choices]
        self._remember(pair, (excess(item, claim) for claim, item in judged))
        return largest(judged)

    def _remember(self, pair: Pair, scores: Iterable[float]) -> None:
        score = max(scores, default=-math.inf)
        if self.best is None or score > self.best[0]:
            self.best = (score, pair)

    def explored(self, at_one: bool = False) -> Iterator[tuple[Pair, dict[Event, Tally]]]:
        """Candidates with their outputs."""
        for pair in self._pairs(at_one):
            yield from self._explored(pair)
            while self.late and self.late[0][0] * _LATER <= self._limit() and not self._is_over():
                yield from self._explored(self.late.popleft()[1])

    def _explored(self, pair: Pair) -> Iterator[tuple[Pair, dict[Event, Tally]]]:
        limit = self._limit()
        try:
            found = explore(self.mechanism, pair, time.monotonic() + limit, self.detail)
        except OutOfTimeError:
            self.late.append((limit, pair))
        except UndefinedError:
            pass
        else:
            yield pair, found

    def _limit(self) -> float:
        """Seconds that the next candidate may take."""
        now = time.monotonic()
        return min(self.deadline - now, max((now - self.started) / _SHARE, _LEAST))

    def _is_over(self) -> bool:
        return time.monotonic() >= self.deadline

    def _pairs(self, at_one: bool) -> Iterator[Pair]:
        """Patterns, and small changes of the best pair among them."""
        patterns = candidates(self.mechanism, self.fixed, at_one, self._is_over)
        while not self._is_over():
            batch = list(islice(patterns, 4))
            yield from batch
            made = 0
            for _ in range(40):
                other = changed(self.mechanism, self.best[1], self.rng) if self.best else None
                if other is not None:
                    made += 1
                    yield other
                if made == (1 if batch else 20):
                    break
            if not batch and not made:
                return
