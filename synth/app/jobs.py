"""The work of ``synth prove`` on one mechanism, in a process that can be killed, here or elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from synth.app.cache import Cache
from synth.app.documents import bounds_of, least, shown_as_before, shown_by, still_shown_by, unproved
from synth.app.loading import load_prover
from synth.app.session import digest
from synth.app.stated import NOTHING, Stated
from synth.app.termination import with_termination
from synth.app.witnesses import find, refuted
from synth.app.workers import IMPROVEMENT_TIMEOUT_S, MAX_MEMORY_BYTES, Channel, Finished, Job, Pool, restrict
from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.support.statistics import LOADING, NEARBY, REFUTATION, REPORT, TERMINATION, Stopwatch
from synth.trusted.errors import TemplateError
from synth.views.results import PROVED, Result

if TYPE_CHECKING:
    from synth.bounds.rational import Rational
    from synth.prover.search.shard import Shard
    from synth.trusted.frontend.claim import Claim
    from synth.trusted.program import syntax as ir
    from synth.trusted.program.beside import Specification

_STAGES = {
    "obligations": "showing that the program can't fail",
    "tests": "running the program on small inputs",
    "strategies": "searching for a coupling strategy",
    "chances": "comparing the chances of outputs",
    "invariants": "searching for invariants",
    "check": "checking the certificate",
}

_ENDING = 0.5
"""Seconds to stop in, before the time is up."""

_REFUTING, _REFUTING_BESIDE_HINT = 30.0, 10.0
"""Seconds at the most for a counterexample, and for one to a program of which it is known what it lacks."""

_STEPS_PER_SECOND = 30_000
"""Of the time limit: few, for a claim that resists proof and search should not wait for all of it."""

_SHARE_BESIDE_HINT = 12
"""One in so many of the seconds of a long time limit is for such a counterexample."""

_SHARE_OF_HINTS, _LEAST_FOR_HINTS = 6, 2.0
"""Nearby programs are tried until this part of the time limit is over, and some seconds in any case."""

_RECHECKING = 10.0
"""Seconds of processor time at the most to check again what is in the cache."""

_TRYING = 3.0
"""The same for the proof of an earlier text."""

_BRACKETING = 10.0
"""Seconds for a lower bound."""


@dataclass(frozen=True)
class Options:
    """How mechanisms are proved: the claim that is meant (None: their own), the seconds for each, and so on.

    With ``bracket`` an ε that is necessary is looked for, too; ``workers`` are proved at a time.
    ``beside`` says that a counterexample is looked for in another process, and not after the proof.
    ``accepted`` are digests of documents that the kernel has accepted in this session.
    """

    stated: Stated = NOTHING
    timeout: float = 60.0
    templates: tuple[Path, ...] = ()
    bracket: bool = False
    workers: int | None = None
    cache: bool = False
    cluster: str | None = None
    beside: bool = False
    accepted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SentFile:
    """A template file by its content; it is read like the :class:`~pathlib.Path` that it was."""

    path: str
    content: bytes

    @staticmethod
    def of(path: Path) -> SentFile:
        """Raises TemplateError for a file that can't be read, as the proof would."""
        try:
            return SentFile(str(path), read_bounded(path, MAX_TEXT_BYTES))
        except OSError as error:
            raise TemplateError(f"{path}: can't be read: {error.strerror or error}") from None

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        """The last part of the path."""
        return Path(self.path).name

    def read_bytes(self) -> bytes:
        """The content."""
        return self.content


@dataclass(frozen=True)
class Order:
    """What is to be proved: a mechanism by its source, where that is in its file, its name and its claim.

    Of ``shards`` of the search only that of the number ``shard`` is made.  ``path`` is for messages only;
    ``options`` name no file of the client's but for ``templates``.
    """

    text: str
    lines: tuple[int, ...]
    path: str
    name: str
    specification: Specification | None
    unread: tuple[int, ...]
    claim: Claim
    options: Options
    templates: tuple[SentFile, ...] = ()
    shard: int = 0
    shards: int = 1


def order_of(mechanism: ir.Mechanism, options: Options) -> Order:
    """What a machine that has none of the files must know.  Raises TemplateError."""
    from synth.trusted.frontend.claim import Claim

    sent = replace(options, templates=(), cluster=None, cache=False, beside=False, accepted=frozenset())
    templates = tuple(map(SentFile.of, options.templates))
    about = mechanism.source, mechanism.lines, mechanism.path, mechanism.name
    stated = mechanism.specification, mechanism.unread, Claim.of(mechanism)
    return Order(*about, *stated, sent, templates)


@dataclass(frozen=True)
class OrderedJob:
    """The work on a mechanism that was sent; it is read in the worker."""

    order: Order

    def __call__(self, channel: Channel) -> Result:
        """What is found about it."""
        from synth.prover.search.shard import Shard

        order = self.order
        templates = cast(tuple[Path, ...], order.templates)
        options = replace(order.options, templates=templates, bracket=False)  # a bound is looked for here
        return job(_ordered(order), options, shard=Shard(order.shard, order.shards))(channel)


def judgment_of(order: Order, document: str) -> Job[Result | None]:
    """What a document that was sent back shows about the mechanism; None if that is nothing."""

    def work(channel: Channel) -> Result | None:
        watch, mechanism = Stopwatch(LOADING), _ordered(order)
        found = _accepted(document, mechanism, order.options.timeout)
        if found is None:
            return None
        found = _Finish(mechanism, order.options, channel, watch).finished(found)
        return replace(found, effort=watch.effort())

    return work


def least_of(order: Order, bounds: tuple[str, ...]) -> Job[str]:
    """The least of several bounds on ε that hold of the mechanism."""

    def work(channel: Channel) -> str:
        return least(_ordered(order), bounds)

    return work


def _accepted(document: str, mechanism: ir.Mechanism, seconds: float) -> Result | None:
    """What a document shows that anybody may have made, within so much processor time."""
    restrict(seconds, MAX_MEMORY_BYTES)
    return shown_by(document, mechanism)


def _ordered(order: Order) -> ir.Mechanism:
    from synth.trusted.frontend.claim import with_claim
    from synth.trusted.frontend.reader import read_source

    specified = {} if order.specification is None else {order.name: order.specification}
    programs = read_source(order.text, order.path, order.lines, specified)
    found = replace(next(item for item in programs if item.name == order.name), unread=order.unread)
    return with_claim(found, order.claim)


def job(
    mechanism: ir.Mechanism, options: Options, cache: Cache | None = None, shard: Shard | None = None
) -> Job[Result]:
    """The work on one mechanism; what imports a solver is imported in the worker only.

    Only the first shard of a search also looks for a counterexample, and for what holds nearby.
    """

    def work(channel: Channel) -> Result:
        watch = Stopwatch(LOADING)
        result = worked(channel, watch)
        return replace(result, effort=watch.effort())

    def worked(channel: Channel, watch: Stopwatch) -> Result:
        finish = _Finish(mechanism, options, channel, watch)
        stored = cache and _from_cache(mechanism, cache, channel, options)
        if stored:
            return finish.finished(stored)
        channel.stage("loading the solvers")
        load_prover()
        from synth.prover.prove import Unknown, prove
        from synth.prover.templates.loading import load_templates
        from synth.trusted.kernel.check import parse
        from synth.views.certificate.report import with_table

        found = prove(mechanism, load_templates(options.templates), _Progress(channel, watch), shard)
        channel.stage("writing the result")
        watch.enter(REPORT)
        if isinstance(found, Unknown):
            result = unproved(mechanism, found)
            if shard is not None and shard.number:
                return result
            if not options.beside:
                watch.enter(REFUTATION)
                most = seconds_to_refute(options.timeout, hinted=bool(found.hints))
                result = kept(_refuted(mechanism, result, finish, min(finish.left(), most)))
            watch.enter(NEARBY)
            return finish.hinted(result)
        certificate = parse(found.certificate)
        result = bounds_of(mechanism, certificate, found.certificate, found.checked.seconds)
        result = replace(result, of_shard=shard is not None and shard.left)
        channel.preliminary(kept(result))
        return finish.finished(with_table(result, certificate))

    def kept(result: Result) -> Result:
        if cache is not None:
            cache.keep(mechanism, result)
        return result

    return work


def seconds_to_refute(timeout: float, *, hinted: bool) -> float:
    """How long a counterexample is looked for where there is no proof; ``timeout`` is the limit of both."""
    return max(_REFUTING_BESIDE_HINT, timeout / _SHARE_BESIDE_HINT) if hinted else _REFUTING


def steps_to_refute(timeout: float) -> float:
    """How many steps a counterexample is looked for beside or behind a proof."""
    return _STEPS_PER_SECOND * timeout


@dataclass
class _Progress:
    """Tells the stages of a proof, with the latest bound that was proved and misses the claim."""

    channel: Channel
    watch: Stopwatch
    bound: Rational | None = None

    def __call__(self, stage: str, bound: Rational | None = None, /) -> None:
        self.watch.enter(stage)
        self.bound = self.bound if bound is None else bound
        so_far = "" if self.bound is None else f"; proved so far: epsilon = {self.bound}"
        self.channel.stage(_STAGES[stage] + so_far)


@dataclass(frozen=True)
class _Finish:
    """What is still to be done once there is a proof."""

    mechanism: ir.Mechanism
    options: Options
    channel: Channel
    watch: Stopwatch
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds until the time is up."""
        return self.options.timeout - (time.monotonic() - self.started) - _ENDING

    def hinted(self, result: Result) -> Result:
        """The result of what is not proved, with what was tried nearby and is."""
        from synth.app.nearby import advised
        from synth.prover.prove import Proved, prove
        from synth.prover.templates.loading import load_templates

        until = self.started + self.options.timeout / _SHARE_OF_HINTS
        seconds = min(self.left(), max(until - time.monotonic(), _LEAST_FOR_HINTS))
        if seconds <= 0:
            return result
        until = time.monotonic() + seconds
        self.channel.preliminary(result, seconds)
        self.channel.stage("trying nearby programs")
        templates = load_templates(self.options.templates)

        def proves(mechanism: ir.Mechanism) -> bool:
            found = prove(mechanism, templates)
            return isinstance(found, Proved) and found.checked.within_claim

        found = result
        for found in advised(self.mechanism, result, proves):
            self.channel.preliminary(found, until - time.monotonic())
        return found

    def finished(self, result: Result) -> Result:
        """The result with what holds where termination is observed and, if wanted, a lower bound."""
        self.watch.enter(TERMINATION)
        result = with_termination(self.mechanism, result)
        if not self.options.bracket:
            return result
        self.watch.enter(REFUTATION)
        if result.verdict != PROVED or result.delta != "0":
            return result
        return _bracketed(self.mechanism, result, self.channel, min(self.left(), _BRACKETING))


def _from_cache(mechanism: ir.Mechanism, cache: Cache, channel: Channel, options: Options) -> Result | None:
    """What an earlier run found out, if that can be shown again; a bad entry costs some seconds at most."""
    document, timeout = cache.stored(mechanism), options.timeout
    if document is None:
        return _from_earlier_proof(mechanism, cache, channel, timeout)
    if digest(document) in options.accepted and (known := still_shown_by(document, mechanism)) is not None:
        cache.used(mechanism)
        return known
    channel.stage("checking again what is in the cache")
    found = _limited(lambda: shown_by(document, mechanism), _RECHECKING, timeout)
    if found is None:
        cache.forget(mechanism)
        return None
    cache.used(mechanism)
    return replace(found, cached=True)


def _from_earlier_proof(
    mechanism: ir.Mechanism, cache: Cache, channel: Channel, timeout: float
) -> Result | None:
    """What the latest proof of a mechanism of that name still proves, though its text has changed."""
    earlier = cache.latest(mechanism)
    if earlier is None:
        return None
    load_prover()  # before the fork: if this is no proof, it is needed here, too
    channel.stage("checking the proof of an earlier text")
    found = _limited(lambda: shown_as_before(earlier, mechanism), _TRYING, timeout)
    if found is not None:
        cache.keep(mechanism, found)
    return found


def _limited(shown: Callable[[], Result | None], seconds: float, timeout: float) -> Result | None:
    """What is shown by a document that anybody may have made, in a process of its own that is limited."""

    def work(channel: Channel) -> Result | None:
        restrict(seconds, MAX_MEMORY_BYTES)
        return shown()

    with closing(Pool([work], 1, min(3 * _RECHECKING, timeout / 2)).outcomes()) as outcomes:
        match next(outcomes):
            case Finished(Result() as found):
                return found
    return None


def _refuted(mechanism: ir.Mechanism, result: Result, finish: _Finish, seconds: float) -> Result:
    """The result, with a witness if the claim that resisted turns out to be false."""
    if not mechanism.is_claimed or seconds <= 0:
        return result
    finish.channel.preliminary(result, seconds + IMPROVEMENT_TIMEOUT_S)
    finish.channel.stage("looking for a counterexample")
    found = find(mechanism, seconds, steps=steps_to_refute(finish.options.timeout))
    return result if found is None else refuted(mechanism, result, found)


def _bracketed(mechanism: ir.Mechanism, result: Result, channel: Channel, seconds: float) -> Result:
    """The result with the largest ε that is found to be necessary."""
    from synth.refuter.search.search import lower_bound
    from synth.refuter.witness import lower_bound_json

    if seconds <= 0:
        return result
    channel.preliminary(result, seconds + IMPROVEMENT_TIMEOUT_S)
    channel.stage("looking for a lower bound")
    bound = lower_bound(mechanism, seconds=seconds)
    if bound is None:
        return result
    found = lower_bound_json(mechanism, bound.epsilon, bound.finding.pair, bound.finding.events)
    return replace(result, lower_bound=found)
