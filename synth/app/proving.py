"""From targets to the results of its proofs, each as soon as it and those before are there."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.app.cache import Cache
from synth.app.documents import explained
from synth.app.jobs import Options, job, order_of
from synth.app.loading import load_proof
from synth.app.racing import is_refutable, raced
from synth.app.targets import Programs, Target, parse_target, read_targets
from synth.app.workers import Cause, Failed, Finished, Job, JobCrashed, Outcome, Pool, default_workers
from synth.trusted.errors import SynthError, TemplateError
from synth.views.blank import blank
from synth.views.console.progress import Progress
from synth.views.results import COMMAND_LINE, PROGRAM, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir


_ENDING_S = 5.0
"""Seconds that a race may take to end past its limit of time, which it keeps itself."""


MOST_WORKERS = 4
"""Mechanisms that are proved at a time, if there are cores."""

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


@dataclass
class Work:
    """How mechanisms are proved on this machine; with ``beside`` a counterexample is looked for as well."""

    options: Options
    cache: Cache | None
    beside: bool = False

    @staticmethod
    def of(options: Options) -> Work:
        """The cache is of this machine's proofs."""
        kept = options.cache and options.cluster is None
        return Work(options, Cache.of_user(options.templates) if kept else None)

    def pool(
        self, jobs: Sequence[Job[Result]], on_stage: Callable[[int, str], None], on_tick: Callable[[], None]
    ) -> Pool[Result]:
        """What does these jobs, and more if there are."""
        workers = self.options.workers or default_workers(MOST_WORKERS)
        return Pool(jobs, workers, self.options.timeout, on_stage, on_tick, jobs_each=_JOBS_EACH)

    def prepare(self, pool: Pool[Result], count: int) -> None:
        """Load once what all processes need, if there are more mechanisms than processes."""
        if count > pool.workers:
            load_proof()
        self.beside = self.options.workers is None and 2 * count <= default_workers(2 * count)
        pool.ending = _ENDING_S if self.beside else 0.0

    def job(self, mechanism: ir.Mechanism) -> Job[Result]:
        """The work on one of them."""
        kind = raced if self.beside and is_refutable(mechanism) else job
        return kind(mechanism, self.options, self.cache)

    def end(self) -> None:
        """All is done."""
        if self.cache is not None:
            self.cache.trim()


def answers(claimed: Claimed, options: Options) -> Generator[Answer]:
    """What becomes of the mechanisms, in their order; nothing outlives the generator.

    Raises TemplateError, which concerns all of them, and UsageError for a cluster that can't be used.
    """
    mechanisms = claimed.mechanisms
    progress = Progress.on_terminal([item.name for item in mechanisms])
    work = Work.of(options)
    with closing(_outcomes(mechanisms, work, progress)) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                yield answer_of(mechanism, outcome, work, claimed.seconds)
        finally:
            progress.clear()
    work.end()


def answer_of(mechanism: ir.Mechanism, outcome: Outcome[Result], work: Work, reading: float) -> Answer:
    """What became of a mechanism, which took so many seconds to read.  Raises TemplateError."""
    claim_of = PROGRAM if work.options.stated.nothing else COMMAND_LINE
    match outcome:
        case Finished(value, seconds):
            effort = value.effort and value.effort.with_reading(reading)
            return Answer(replace(value, seconds=seconds, effort=effort).claimed_by(claim_of))
        case Failed(TemplateError() as error):
            raise error
        case Failed(error):
            return Answer(None, error)
        case JobCrashed(reason, seconds):
            ended = explained(blank(mechanism, reason, seconds, outcome.code))
            return Answer(
                ended.claimed_by(claim_of), outcome.error() if outcome.cause is Cause.DEFECT else None
            )


def _outcomes(
    mechanisms: Sequence[ir.Mechanism], work: Work, progress: Progress
) -> Generator[Outcome[Result]]:
    """What becomes of the mechanisms, in their order, here or on a cluster."""
    options = work.options
    if options.cluster is not None and mechanisms:
        from synth.app.cluster import Cluster

        orders, at_once = [order_of(item, options) for item in mechanisms], default_workers(len(mechanisms))
        return Cluster(options.cluster, orders, at_once, progress.stage, progress.draw).outcomes()
    jobs: list[Job[Result]] = []
    pool = work.pool(jobs, progress.stage, progress.draw)
    work.prepare(pool, len(mechanisms))
    jobs += map(work.job, mechanisms)
    return pool.outcomes()
