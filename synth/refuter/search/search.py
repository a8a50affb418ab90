"""The search for a witness, and for the best lower bound on ε."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.collecting import Detail, Tally
from synth.refuter.exact.distribution import MEDIUM
from synth.refuter.exact.events import Event
from synth.refuter.exact.inputs import Datum, Pair, lengths
from synth.refuter.exact.work import OutOfTimeError, Work
from synth.refuter.search import clear_noise
from synth.refuter.search.candidates import candidates, probes
from synth.refuter.search.confirmation import ConfirmationQueue, confirmed
from synth.refuter.search.findings import (
    Finding,
    clearest,
    excess,
    explore,
    gain,
    guess,
    largest,
    likelier,
    loss,
    precise,
    sets,
    singles,
)
from synth.refuter.search.moves import changed
from synth.refuter.witness import Claimed, Witness, claim_against, claims_at, make_witness
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import names

_SHARE = 2
"""A candidate may take as many steps as all before it, divided by this,"""

_LEAST = 50_000
"""but so many in any case: some tenths of a second;"""

_OF_SETS = Detail(beam=1500, differing=False)
"""Against a δ, all outputs that are likely count."""

_TO_BEGIN = 500
"""What making a pair of inputs counts, in steps."""

_LATER = 3
"""and is tried again when it may take so many times as many."""

_CONFIRMING = 0.5
"""Precise probabilities may take this part of the steps,"""

_AGAIN = 2
"""and are tried again when they may take so many times as many."""

_OF_LONG = 6
_SHORT = 5
"""Of beginnings of lists that are longer than those only so many are followed."""

_PATTERNS, _MOVES, _LAST_MOVES = 4, 3, 40
"""So many patterns are tried in a row, then so many small changes since the last that was better,"""

_UNLIKELY, _READING, _READINGS = 1e-3, 0.25, 3
"""For outputs that are less likely, this part of the steps may go to likelier ones, so many on each pair."""

_PLAIN_REALS = (1, 2, 4, 8)
"""What is tried in the place of larger numbers."""

_CLIMBING = 0.4
"""which may take this part of the steps while there are patterns."""

_NOT_PLAIN = 60_000
"""After so many steps an ε is tried at which noise is next to nothing."""

_PLAIN, _PLAIN_STEPS = 3, 150_000
"""After so many rounds, or two that took so many steps, each has a probe: what is plain is shown first."""


@dataclass(frozen=True)
class LowerBound:
    """ε must be at least ``epsilon`` (nats; infinite if no ε is enough) at ``pair``'s parameters."""

    epsilon: float
    finding: Finding


def refute(
    mechanism: ir.Mechanism,
    *,
    seconds: float,
    steps: float = math.inf,
    fixed: Mapping[str, Datum] | None = None,
    epsilon: ir.Expression | None = None,
    seed: int = 1,
) -> Witness | None:
    """A witness against the mechanism's claim (or against ``epsilon``), None if none is found in time.

    ``steps`` are at most that many questions to states of runs (some 100,000 in a second).
    ``fixed`` gives values to public parameters.  Without any claim there is nothing to refute, and inputs of
    which stated facts hold are not looked for: None.
    """
    if epsilon is not None:
        mechanism = replace(mechanism, epsilon=epsilon, divergence=None)
    if not mechanism.is_claimed or mechanism.facts:
        return None
    search = _Search(mechanism, fixed or {}, Work(time.monotonic() + seconds, most=steps), seed)
    exact = search.violation()
    if exact is None:
        return None
    exact = search.readable(exact)
    return make_witness(mechanism, exact.pair, exact.events, exact.left, exact.right)


def lower_bound(
    mechanism: ir.Mechanism, *, seconds: float, fixed: Mapping[str, Datum] | None = None, seed: int = 1
) -> LowerBound | None:
    """The largest ε that is found to be necessary (δ = 0), at real parameters 1 unless ``fixed``."""
    best: LowerBound | None = None
    if mechanism.facts:
        return None
    search = _Search(mechanism, fixed or {}, Work(time.monotonic() + seconds), seed)
    for pair, found in search.explored(at_one=True):
        finding = max(singles(pair, found), key=loss, default=None)
        if finding is None or (best is not None and loss(finding) <= best.epsilon):
            continue
        try:
            finding = precise(mechanism, finding, MEDIUM, search.work)
        except (OutOfTimeError, UndefinedError):
            continue
        if best is None or loss(finding) > best.epsilon:
            best = LowerBound(loss(finding), finding)
            search.best = (loss(finding), pair)
    return best


@dataclass
class _Search:
    """Goes through candidates until the time is up; ``best`` is the pair that came nearest.

    ``clear`` is a violation at a very large ε: there are none at a smaller one.
    """

    mechanism: ir.Mechanism
    fixed: Mapping[str, Datum]
    work: Work
    seed: int
    best: tuple[float, Pair] | None = None
    rng: random.Random = field(init=False)
    late: deque[tuple[float, Pair]] = field(default_factory=deque)
    climbing: int = 0
    clear: Finding | None = None
    seen: set[str] = field(default_factory=set)
    queue: ConfirmationQueue = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.queue = ConfirmationQueue(self.mechanism, self.work)
        single = self.mechanism.delta is None and self.mechanism.divergence is None
        self.detail = Detail() if single else _OF_SETS

    def violation(self) -> Finding | None:
        """A violation of the claim, with precise probabilities."""
        is_due = self.detail.differing
        for pair, found in self.explored():
            if is_due and self.work.steps >= _NOT_PLAIN:
                is_due, self.clear = False, clear_noise.violation(self.mechanism, self.fixed, self.work)
                if self.clear is not None:
                    return self.clear
            try:
                claims = claims_at(self.mechanism, pair.left)
            except UndefinedError:
                continue
            if claims[0].delta > 0:
                self._on_sets(pair, found, claims)
            else:
                self._on_singles(pair, found, claims[0])
            while not self._is_enough(self.queue.steps, _CONFIRMING):
                likeliest = self.queue.clearest(self._limit() / _AGAIN)
                if likeliest is None:
                    break
                exact = self.queue.confirm(likeliest, self._limit())
                if exact is not None:
                    return exact
        while not self._is_over() and (likeliest := self.queue.clearest(math.inf)) is not None:
            exact = self.queue.confirm(likeliest, self._limit())
            if exact is not None:
                return exact
        return None

    def readable(self, exact: Finding) -> Finding:
        """A violation that is likelier than an unlikely one: at a smaller ε, or of another output."""
        if exact.left.low > _UNLIKELY or not self.detail.differing or exact is self.clear:
            return exact
        self.work.most = min(self.work.most, self.work.steps + max(self.work.steps * _READING, _LEAST))
        try:
            for pair in self._with_smaller_claims(exact.pair):
                found = explore(self.mechanism, pair, self.work, self._detail(pair))
                claim = claims_at(self.mechanism, pair.left)[0]
                for item in likelier(singles(pair, found), claim, exact.likely[0])[:_READINGS]:
                    better = confirmed(self.mechanism, item, self.work, self.queue.grid)
                    if better is not None:
                        return better
        except (OutOfTimeError, UndefinedError):
            pass
        return exact

    def _with_smaller_claims(self, pair: Pair) -> Iterator[Pair]:
        """The pair with smaller numbers in the place of one that the claim mentions, and as it is."""
        claimed = names(self.mechanism.epsilon) - self.fixed.keys() if self.mechanism.epsilon else set()
        for item in self.mechanism.parameters:
            value = pair.left[item.name]
            if item.name in claimed and item.sort is ir.Sort.REAL and not isinstance(value, tuple):
                for other in _PLAIN_REALS:
                    if other < value:
                        sides = ({**side, item.name: other} for side in (pair.left, pair.right))
                        yield Pair(*sides)
        yield pair

    def _on_singles(self, pair: Pair, found: Mapping[Event, Tally], claim: Claimed) -> None:
        choices = list(singles(pair, found))
        epsilon = max(float(claim.epsilon.mid()), 1e-9)
        self._remember(pair, (loss(item) / epsilon for item in choices))
        for item in clearest(choices, claim):
            self.queue.add(item, guess(item, claim) - epsilon, gain(item, claim))

    def _on_sets(self, pair: Pair, found: Mapping[Event, Tally], claims: Sequence[Claimed]) -> None:
        with self.work.within(self._limit()):
            choices = list(sets(self.mechanism, pair, found, claims, self.work, self.detail))
        judged = [(claim_against(self.mechanism, pair.left, item.likely), item) for item in choices]
        self._remember(pair, (excess(item, claim) for claim, item in judged))
        chosen = largest(judged)
        if chosen is not None:
            self.queue.add(chosen, max(excess(item, claim) for claim, item in judged))

    def _remember(self, pair: Pair, scores: Iterable[float]) -> None:
        score = max((score for score in scores if score < math.inf), default=-math.inf)
        if self.best is None or score > self.best[0]:
            self.best = (score, pair)

    def explored(self, at_one: bool = False) -> Iterator[tuple[Pair, dict[Event, Tally]]]:
        """Candidates with their outputs."""
        for pair in self._pairs(at_one):
            if self._is_new(pair):
                yield from self._explored(pair)
            else:
                self.work.steps += _TO_BEGIN
            while self.late and self.late[0][0] * _LATER <= self._limit() and not self._is_over():
                yield from self._explored(self.late.popleft()[1])

    def _is_new(self, pair: Pair) -> bool:
        """Whether a pair comes for the first time."""
        key = repr(pair)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    def _explored(self, pair: Pair) -> Iterator[tuple[Pair, dict[Event, Tally]]]:
        limit = self._limit()
        try:
            with self.work.within(limit):
                self.work.spend(_TO_BEGIN)
                found = explore(self.mechanism, pair, self.work, self._detail(pair))
        except OutOfTimeError:
            self.late.append((limit, pair))
        except UndefinedError:
            pass
        else:
            yield pair, found

    def _detail(self, pair: Pair) -> Detail:
        longest = max(lengths(self.mechanism, pair.left).values(), default=0)
        most = self.detail.beam if longest <= _SHORT or not self.detail.differing else _OF_LONG
        return replace(self.detail, beam=most)

    def _limit(self) -> float:
        """Steps that the next candidate may take."""
        return max(self.work.steps / _SHARE, _LEAST)

    def _is_enough(self, steps: int, share: float) -> bool:
        """Whether something took more than its share of the steps."""
        return steps > max(share * self.work.steps, _LEAST)

    def _is_over(self) -> bool:
        return self.work.is_over()

    def _pairs(self, at_one: bool) -> Iterator[Pair]:
        """Patterns, after the plainest also probes, and small changes of the best pair among them."""
        regular = candidates(self.mechanism, self.fixed, at_one, self._is_over)
        large = iter(()) if at_one else probes(self.mechanism, self.fixed)
        held = self._held(at_one)
        for number in count(1):
            if self._is_over():
                return
            batch = list(islice(regular, _PATTERNS))
            yield from batch
            made = 0
            if number > _PLAIN or (number > 1 and self.work.steps >= _PLAIN_STEPS):
                for probe in islice(large, 1):
                    made += 1
                    yield probe
            for other in self._moves(_MOVES if batch else _LAST_MOVES, held):
                made += 1
                started = self.work.steps - self.queue.steps
                yield other
                self.climbing += self.work.steps - self.queue.steps - started
                if batch and self._is_enough(self.climbing, _CLIMBING):
                    break
            if not batch and not made:
                return

    def _moves(self, most: int, held: frozenset[str]) -> Iterator[Pair]:
        """Small changes of the best pair: ``most`` in vain since the last that was better."""
        in_vain = 0
        while self.best is not None and in_vain < most and not self._is_over():
            score, pair = self.best
            in_vain += 1
            other = changed(self.mechanism, pair, self.rng, held)
            if other is not None:
                yield other
                if self.best[0] > score:
                    in_vain = 0

    def _held(self, at_one: bool) -> frozenset[str]:
        """The public parameters that keep their values."""
        reals = {item.name for item in self.mechanism.parameters if item.sort is ir.Sort.REAL}
        return frozenset(self.fixed) | (reals if at_one else frozenset())
