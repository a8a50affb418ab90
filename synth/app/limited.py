"""Work on what somebody else wrote, in a process with limits of time and memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from synth.app.alone import ended
from synth.app.asker import Asker
from synth.app.workers import Cause, Channel, Failed, Finished, JobCrashed, Outcome, restrict
from synth.trusted.errors import UnfinishedError

T = TypeVar("T")

_LONGEST_S = 3600.0


@dataclass(frozen=True)
class Limits:
    """What the work on a document may take: seconds by the clock, MiB of memory beyond the program's own.

    Without ``timeout`` it is processor time that counts: 10 s, and 1 s for each kB of the document past 10.
    """

    timeout: float | None = None
    memory: int = 1024
    asker: Asker = Asker.COMMAND_LINE

    def processor(self, size: int) -> float:
        """Seconds of processor time for a document of that size."""
        return self.timeout or min(max(10.0, size / 1000), _LONGEST_S)

    def clock(self, size: int) -> float:
        """Seconds by the clock; more where others keep the processor busy."""
        return self.timeout or 6 * self.processor(size)

    def exceeded(self, crash: JobCrashed, size: int) -> str:
        """Which limit ended the work.  Raises InternalError if it was none."""
        timeout, memory = (f"({self.asker.option(name)})" for name in ("timeout", "memory"))
        match crash.cause:
            case Cause.TIME:
                what = "of processor time" if self.timeout is None else "by the clock"
                return f"not done within {self.processor(size):g} s {what}, the limit of time {timeout}"
            case Cause.MEMORY:
                return f"needs more than {self.memory:,} MiB, the limit of memory {memory}"
            case Cause.DEPTH:
                return "nested too deeply, the limit of depth"
            case Cause.SIGNAL:
                return f"ended by the system; it may need more than {self.memory:,} MiB {memory}"
        raise crash.error()


def outcome(limits: Limits, name: str, size: int, stage: str, work: Callable[[], T]) -> Outcome[T]:
    """What becomes of the work on a document of that size; ``name`` and ``stage`` are for the terminal."""

    def job(channel: Channel) -> T:
        channel.stage(stage)
        _load()
        restrict(limits.processor(size), limits.memory << 20)
        return work()

    return ended(job, name, limits.clock(size))


def limited(limits: Limits, path: Path, size: int, stage: str, work: Callable[[], T]) -> T:
    """The result of the work, or its error; ``path`` is for messages.

    Raises UnfinishedError where a limit ends it, and InternalError.
    """
    match outcome(limits, path.name, size, stage, work):
        case Finished(found):
            return found
        case Failed(error):
            raise error
        case crash:
            raise UnfinishedError(f"{path}: {limits.exceeded(crash, size)}")


def _load() -> None:
    """Import what documents need, so that the limit of memory is about the document alone."""
    import cvc5  # noqa: F401
    import flint  # noqa: F401
    import z3  # noqa: F401

    import synth.trusted.kernel.check
    import synth.trusted.witness.check  # noqa: F401
