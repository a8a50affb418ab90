"""One piece of work in a process that can be killed, with its progress on the terminal."""

from __future__ import annotations

from contextlib import closing
from typing import TypeVar

from synth.errors import SynthError
from synth.report.progress import Progress
from synth.workers import Failed, Finished, Job, Pool

T = TypeVar("T")


def alone(work: Job[T], name: str, seconds: float) -> T:
    """The work's result.  Raises its error, and SynthError when it is too slow or crashes."""
    progress = Progress.on_terminal([name])
    pool = Pool([work], 1, seconds, progress.stage, progress.draw)
    with closing(pool.outcomes()) as outcomes:
        try:
            outcome = next(outcomes)
        finally:
            progress.clear()
    match outcome:
        case Finished(value):
            return value
        case Failed(error):
            raise error
        case _:
            raise SynthError(outcome.reason)
