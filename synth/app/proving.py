"""From targets to the results of its proofs, each as soon as it and those before are there."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.app.cache import Cache
from synth.app.jobs import Options, job, order_of
from synth.app.loading import load_proof
from synth.app.racing import is_refutable, raced
from synth.app.targets import Programs, Target, parse_target, read_targets
from synth.app.workers import Cause, Failed, Finished, JobCrashed, Outcome, Pool, default_workers
from synth.trusted.errors import SynthError, TemplateError
from synth.views.blank import blank
from synth.views.console.progress import Progress
from synth.views.results import COMMAND_LINE, PROGRAM, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir


_ENDING_S = 5.0
"""Seconds that a race may take to end past its limit of time, which it keeps itself."""


_JOBS_EACH = 50
"""Mechanisms that a process proves, one after the other: what solvers keep is let go of with it."""


@dataclass(frozen=True)
class Answer:
    """What became of a mechanism: a result, an error, or both where a defect leaves it unknown."""

    result: Result | None
    error: SynthError | None = None


@dataclass(frozen=True)
class Claimed:
    """The programs of a target, with the claims of the options, and the seconds that reading them took."""

    programs: Programs
    seconds: float

    @property
    def mechanisms(self) -> tuple[ir.Mechanism, ...]:
        """What is to be proved."""
        return self.programs.mechanisms


def read_claimed(targets: Sequence[str | Target], options: Options) -> Claimed:
    """Read the files of some ``FILE|DIR[::NAME]``.  Raises UsageError."""
    started = time.monotonic()
    programs = read_targets([parse_target(item) for item in targets], options.timeout, options.stated)
    return Claimed(programs, time.monotonic() - started)


def answers(claimed: Claimed, options: Options) -> Generator[Answer]:
    """What becomes of the mechanisms, in their order; nothing outlives the generator.

    Raises TemplateError, which concerns all of them, and UsageError for a cluster that can't be used.
    """
    mechanisms = claimed.mechanisms
    progress = Progress.on_terminal([item.name for item in mechanisms])
    cache = Cache.of_user(options.templates) if options.cache and options.cluster is None else None
    claim_of = PROGRAM if options.stated.nothing else COMMAND_LINE
    with closing(_outcomes(mechanisms, options, cache, progress)) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                yield _answer(mechanism, outcome, claim_of, claimed.seconds)
        finally:
            progress.clear()
    if cache is not None:
        cache.trim()


def _answer(mechanism: ir.Mechanism, outcome: Outcome[Result], claim_of: str, reading: float) -> Answer:
    """Raises TemplateError."""
    match outcome:
        case Finished(value, seconds):
            effort = value.effort and value.effort.with_reading(reading)
            return Answer(replace(value, seconds=seconds, effort=effort).claimed_by(claim_of))
        case Failed(TemplateError() as error):
            raise error
        case Failed(error):
            return Answer(None, error)
        case JobCrashed(reason, seconds):
            result = blank(mechanism, reason, seconds, outcome.code).claimed_by(claim_of)
            return Answer(result, outcome.error() if outcome.cause is Cause.DEFECT else None)


def _outcomes(
    mechanisms: Sequence[ir.Mechanism], options: Options, cache: Cache | None, progress: Progress
) -> Generator[Outcome[Result]]:
    """What becomes of the mechanisms, in their order, here or on a cluster."""
    if options.cluster is not None and mechanisms:
        from synth.app.cluster import Cluster

        orders, at_once = [order_of(item, options) for item in mechanisms], default_workers(len(mechanisms))
        return Cluster(options.cluster, orders, at_once, progress.stage, progress.draw).outcomes()
    workers = options.workers or default_workers(len(mechanisms))
    if len(mechanisms) > workers:
        load_proof()
    beside = options.workers is None and 2 * len(mechanisms) <= default_workers(2 * len(mechanisms))
    jobs = [
        raced(item, options, cache) if beside and is_refutable(item) else job(item, options, cache)
        for item in mechanisms
    ]
    ending = _ENDING_S if beside else 0.0
    stage, draw = progress.stage, progress.draw
    pool = Pool(jobs, workers, options.timeout, stage, draw, ending=ending, jobs_each=_JOBS_EACH)
    return pool.outcomes()
