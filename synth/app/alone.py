"""One piece of work in a process that can be killed, with its progress on the terminal."""

from __future__ import annotations

from contextlib import closing
from typing import TypeVar

from synth.app.workers import Failed, Finished, Job, Outcome, Pool
from synth.views.console.progress import Progress

T = TypeVar("T")


def alone(work: Job[T], name: str, seconds: float) -> T:
    """The work's result.  Raises its error, UnfinishedError when it is too slow, and InternalError."""
    match ended(work, name, seconds):
        case Finished(value):
            return value
        case Failed(error):
            raise error
        case crash:
            raise crash.error()


def ended(work: Job[T], name: str, seconds: float) -> Outcome[T]:
    """What becomes of the work."""
    progress = Progress.on_terminal([name])
    pool = Pool([work], 1, seconds, progress.stage, progress.draw)
    with closing(pool.outcomes()) as outcomes:
        try:
            return next(outcomes)
        finally:
            progress.clear()
