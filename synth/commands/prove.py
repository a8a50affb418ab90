"""``synth prove``: each mechanism of the target in a process of its own."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from synth.cache import Cache
from synth.commands.destination import Destination
from synth.display import json_text
from synth.documents import shown_by
from synth.effort import LOADING, REFUTATION, REPORT, TERMINATION, Stopwatch
from synth.errors import OutputError, ProgramError, SynthError, TemplateError, UsageError
from synth.report.errors import error_text
from synth.report.progress import Progress
from synth.report.termination import with_termination
from synth.results import COMMAND_LINE, PROGRAM, PROVED, REFUTED, Result
from synth.statuses import worst
from synth.targets import parse_target, read_target
from synth.workers import (
    GRACE,
    Cause,
    Channel,
    Failed,
    Finished,
    Job,
    Outcome,
    Pool,
    default_workers,
    restrict,
)

if TYPE_CHECKING:
    from synth.cluster import Order
    from synth.language.syntax import Expression, Mechanism
    from synth.report.console import Report

_STAGES = {
    "obligations": "showing that the program can't fail",
    "tests": "running the program on small inputs",
    "strategies": "searching for a coupling strategy",
    "invariants": "searching for invariants",
    "check": "checking the certificate",
}

_ENDING = 0.5
"""Seconds to stop in, before the time is up."""

_REFUTING = 30.0
"""Seconds at the most for a counterexample."""

_RECHECKING = 10.0
"""Seconds of processor time at the most to check again what is in the cache."""

_MEMORY = 2 << 30
"""Bytes for a check, and the solvers that it loads."""

_BRACKETING = 10.0
"""Seconds for a lower bound."""


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str
    epsilon: str | None
    delta: str | None
    timeout: float
    templates: tuple[Path, ...]
    certificate: Path | None
    bracket: bool
    workers: int | None
    json: bool
    cache: bool = False
    cluster: str | None = None


def run(options: Options) -> int:
    """Prove and print; the exit status.  Raises UsageError, TemplateError."""
    if options.cluster is not None and options.workers is not None:
        raise UsageError("--workers is for this machine: a cluster has the workers that were started")
    started = time.monotonic()
    programs = read_target(parse_target(options.target), options.timeout)
    reading = time.monotonic() - started
    mechanisms = [_with_claim(item, options) for item in programs.mechanisms]
    several = len(mechanisms) > 1 or (options.certificate is not None and os.path.isdir(options.certificate))
    destination = Destination.of(options.certificate, several)
    output = _Output(options.json, len({item.path for item in mechanisms}) > 1, destination, reading)
    output.claim_of = PROGRAM if options.epsilon is options.delta is None else COMMAND_LINE
    for error in programs.errors:
        output.error(error)
    progress = Progress.on_terminal([item.name for item in mechanisms])
    cache = Cache.of_user(options.templates) if options.cache and options.cluster is None else None
    with closing(_outcomes(mechanisms, options, cache, progress)) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                output.outcome(mechanism, outcome)
        finally:
            progress.clear()
    output.close()
    if cache is not None:
        cache.trim()
    return output.status()


def _outcomes(
    mechanisms: Sequence[Mechanism], options: Options, cache: Cache | None, progress: Progress
) -> Generator[Outcome[Result]]:
    """What becomes of the mechanisms, in their order, here or on a cluster."""
    if options.cluster is not None and mechanisms:
        from synth.cluster import Cluster

        orders, at_once = [_order(item, options) for item in mechanisms], default_workers(len(mechanisms))
        return Cluster(options.cluster, orders, at_once, progress.stage, progress.draw).outcomes()
    jobs = [job(item, options, cache) for item in mechanisms]
    workers = options.workers or default_workers(len(mechanisms))
    if len(mechanisms) > workers:
        _preload()
    return Pool(jobs, workers, options.timeout, progress.stage, progress.draw).outcomes()


def _preload() -> None:
    """Import once what each process needs; that starts no solver, and so no thread that a fork would lose."""
    for name in ("synth.prove", "synth.report.proof", "z3", "cvc5"):
        import_module(name)


def _order(mechanism: Mechanism, options: Options) -> Order:
    """What a machine that has none of the files must know.  Raises TemplateError."""
    from synth.cluster import Order, SentFile

    sent = replace(options, target=mechanism.path, templates=(), certificate=None, cluster=None, cache=False)
    templates = tuple(map(SentFile.of, options.templates))
    return Order(mechanism.source, mechanism.path, mechanism.name, sent, templates)


def job_of(order: Order) -> Job[Result]:
    """The work on a mechanism that was sent; it is read in the worker."""

    def work(channel: Channel) -> Result:
        templates = cast(tuple[Path, ...], order.templates)
        options = replace(order.options, templates=templates, bracket=False)  # a bound is looked for here
        return job(_ordered(order), options)(channel)

    return work


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


def _accepted(document: str, mechanism: Mechanism, seconds: float) -> Result | None:
    """What a document shows that anybody may have made, within so much processor time."""
    restrict(seconds, _MEMORY)
    return shown_by(document, mechanism)


def _ordered(order: Order) -> Mechanism:
    from synth.language.reader import read_source

    programs = read_source(order.text, order.path)
    return _with_claim(next(item for item in programs if item.name == order.name), order.options)


def job(mechanism: Mechanism, options: Options, cache: Cache | None = None) -> Job[Result]:
    """The work on one mechanism; what imports a solver is imported in the worker only."""

    def work(channel: Channel) -> Result:
        watch = Stopwatch(LOADING)
        result = worked(channel, watch)
        return replace(result, effort=watch.effort())

    def worked(channel: Channel, watch: Stopwatch) -> Result:
        finish = _Finish(mechanism, options, channel, watch)
        stored = cache and _from_cache(mechanism, cache, channel, options.timeout)
        if stored:
            return finish.finished(stored)
        channel.stage("loading the solvers")
        from synth.couplings.templates import load_templates
        from synth.prove import Proved, prove
        from synth.report.proof import result_of, with_short_invariants

        def progress(stage: str) -> None:
            watch.enter(stage)
            channel.stage(_STAGES.get(stage, f"working on {stage}"))

        found = prove(mechanism, load_templates(options.templates), progress)
        channel.stage("writing the result")
        watch.enter(REPORT)
        result = result_of(mechanism, found)
        if not isinstance(found, Proved):
            watch.enter(REFUTATION)
            return kept(_refuted(mechanism, result, channel, min(finish.left(), _REFUTING)))
        channel.preliminary(kept(result))
        return finish.finished(with_short_invariants(result, found))

    def kept(result: Result) -> Result:
        if cache is not None:
            cache.keep(mechanism, result)
        return result

    return work


@dataclass(frozen=True)
class _Finish:
    """What is still to be done once there is a proof."""

    mechanism: Mechanism
    options: Options
    channel: Channel
    watch: Stopwatch
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Seconds until the time is up."""
        return self.options.timeout - (time.monotonic() - self.started) - _ENDING

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


def _from_cache(mechanism: Mechanism, cache: Cache, channel: Channel, timeout: float) -> Result | None:
    """What an earlier run found out, if that can be shown again; a bad entry costs some seconds at most."""
    document = cache.stored(mechanism)
    if document is None:
        return None
    channel.stage("checking again what is in the cache")

    def check(channel: Channel) -> Result | None:
        return _accepted(document, mechanism, _RECHECKING)

    pool = Pool([check], 1, min(3 * _RECHECKING, timeout / 2))
    with closing(pool.outcomes()) as outcomes:
        match next(outcomes):
            case Finished(Result() as found):
                cache.used(mechanism)
                return replace(found, cached=True)
    cache.forget(mechanism)
    return None


def _refuted(mechanism: Mechanism, result: Result, channel: Channel, seconds: float) -> Result:
    """The result, with a witness if the claim that resisted turns out to be false."""
    if mechanism.epsilon is None or seconds <= 0:
        return result
    from synth.refute.search import refute
    from synth.refute.witness import document_of

    channel.preliminary(result, seconds + GRACE)
    channel.stage("looking for a counterexample")
    witness = refute(mechanism, seconds=seconds)
    if witness is None:
        return result
    claim = result.claim
    document = json.dumps(document_of(mechanism, witness, claim.epsilon, claim.delta), indent=1) + "\n"
    return replace(result, verdict=REFUTED, witness=witness.json(), proof=document)


def _bracketed(mechanism: Mechanism, result: Result, channel: Channel, seconds: float) -> Result:
    """The result with the largest ε that is found to be necessary."""
    from synth.refute.search import lower_bound
    from synth.refute.witness import lower_bound_json

    if seconds <= 0:
        return result
    channel.preliminary(result, seconds + GRACE)
    channel.stage("looking for a lower bound")
    bound = lower_bound(mechanism, seconds=seconds)
    if bound is None:
        return result
    found = lower_bound_json(mechanism, bound.epsilon, bound.finding.pair, bound.finding.events)
    return replace(result, lower_bound=found)


def _with_claim(mechanism: Mechanism, options: Options) -> Mechanism:
    """The mechanism with the claim of the command line, where there is one."""
    if options.epsilon is not None:
        mechanism = replace(mechanism, epsilon=_claim(mechanism, "epsilon", options.epsilon))
    if options.delta is not None:
        mechanism = replace(mechanism, delta=_claim(mechanism, "delta", options.delta))
    return mechanism


def _claim(mechanism: Mechanism, what: str, text: str) -> Expression:
    from synth.language.claim import read_claim

    try:
        return read_claim(mechanism, text, what)
    except ProgramError as error:
        raise UsageError(f"--{what} for {mechanism.name}: {error.message}") from None


@dataclass
class _Output:
    """Results on standard output (at once for people, at the end as JSON), errors on standard error."""

    json: bool
    with_files: bool
    destination: Destination | None = None
    reading: float = 0.0
    results: list[Result] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    report: Report | None = None
    claim_of: str = PROGRAM

    def outcome(self, mechanism: Mechanism, outcome: Outcome[Result]) -> None:
        """Print what became of a mechanism.  Raises TemplateError, which concerns all of them."""
        from synth.report.blank import blank

        match outcome:
            case Finished(value, seconds):
                effort = value.effort and value.effort.with_reading(self.reading)
                self._proved_or_not(replace(value, seconds=seconds, effort=effort))
            case Failed(TemplateError() as error):
                raise error
            case Failed(error):
                self.error(error)
            case _:
                self._result(blank(mechanism, outcome.reason, outcome.seconds))
                if outcome.cause is Cause.DEFECT:
                    self.error(outcome.error())

    def _proved_or_not(self, result: Result) -> None:
        """A result, and its certificate in its file if one is wanted.  It stands if that can't be written."""
        failed = None
        if self.destination is not None and result.proof is not None:
            try:
                result = replace(result, certificate=str(self.destination.write(result)))
            except OutputError as error:
                failed = error
        self._result(result)
        if failed is not None:
            self.error(failed)

    def _result(self, result: Result) -> None:
        result = result.claimed_by(self.claim_of)
        self.results.append(result)
        if not self.json:
            if len(self.results) > 1:
                self._people().console.print()
            self._people().result(result)
            sys.stdout.flush()

    def error(self, error: SynthError) -> None:
        """Print an error that concerns one file or mechanism."""
        self.failures.append(error.status)
        sys.stdout.flush()
        print(error_text(error, with_source=not self.json), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Print what comes at the end."""
        if self.json:
            print_json(self.results)
        elif len(self.results) > 1:
            self._people().console.print()
            self._people().summary(self.results)

    def status(self) -> int:
        """The worst of all."""
        return worst([item.status for item in self.results] + self.failures)

    def _people(self) -> Report:
        if self.report is None:
            from synth.report.console import Report, console

            self.report = Report(console(), self.with_files)
        return self.report


def print_json(results: Sequence[Result]) -> None:
    """The one object that ``--json`` prints."""
    print(json_text({"results": [item.json() for item in results]}), flush=True)
