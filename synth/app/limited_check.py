"""Checks of documents in a process that can be killed, and the files that hold them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from synth.app.alone import ended
from synth.app.asker import Asker
from synth.app.checking import Program, Question, Row, checked
from synth.app.targets import parse_target, read_one
from synth.app.workers import Cause, Channel, Failed, Finished, JobCrashed, restrict
from synth.trusted.errors import CertificateError, UsageError

T = TypeVar("T")

_MAX_FILE_BYTES = 32_000_000

LIMITS = "Limits"
"""What is named instead of a rule where the check was ended."""


@dataclass(frozen=True)
class Limits:
    """What a check may take: seconds by the clock, MiB of memory beyond the checker's own.

    Without ``timeout`` it is processor time that counts: 10 s, and 1 s for each kB of the document past 10.
    """

    timeout: float | None = None
    memory: int = 1024
    asker: Asker = Asker.COMMAND_LINE

    def processor(self, size: int) -> float:
        """Seconds of processor time for a document of that size."""
        return self.timeout or min(max(10.0, size / 1000), 3600.0)

    def clock(self, size: int) -> float:
        """Seconds by the clock; more where others keep the processor busy."""
        return self.timeout or 6 * self.processor(size)

    def exceeded(self, crash: JobCrashed, size: int) -> str:
        """Which limit ended the check.  Raises InternalError if it was none."""
        timeout, memory = (f"({self.asker.option(name)})" for name in ("timeout", "memory"))
        match crash.cause:
            case Cause.TIME:
                what = "of processor time" if self.timeout is None else "by the clock"
                return f"no verdict within {self.processor(size):g} s {what}, the limit of time {timeout}"
            case Cause.MEMORY:
                return f"needs more than {self.memory:,} MiB, the limit of memory {memory}"
            case Cause.DEPTH:
                return "nested too deeply for the checker, the limit of depth"
            case Cause.SIGNAL:
                return f"ended by the system; it may need more than {self.memory:,} MiB {memory}"
        raise crash.error()


def read_program(target: str, asker: Asker = Asker.COMMAND_LINE) -> Program:
    """What a certificate must be about: ``FILE`` or ``FILE::NAME``.  Raises ProgramError, UsageError."""
    found = parse_target(target)
    if found.path.is_dir():
        raise UsageError(f"{asker.option('program')} {found.path}: it is a folder")
    file = read_one(found.path)
    for error in file.refused:
        if error.function == found.name:
            raise error
    return Program(file, found.name)


def read_proof(path: Path) -> str:
    """The text of a file that may hold a proof.  Raises CertificateError, also for a witness."""
    text = read_file(path)
    refuse_witness(path, text)
    return text


def refuse_witness(path: Path, text: str) -> None:
    """Raises CertificateError for a document that is a witness."""
    from synth.trusted.json_reader import JsonError
    from synth.trusted.witness.check import read_witness

    with suppress(JsonError):
        if read_witness(text) is not None:
            raise CertificateError(f"{path}: a witness against a claim, and no proof (see synth check)")


def read_file(path: Path) -> str:
    """The text of a certificate file.  Raises CertificateError."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CertificateError(f"{path}: can't be read: {error.strerror or error}") from None
    if len(data) > _MAX_FILE_BYTES:
        raise CertificateError(f"{path}: larger than {_MAX_FILE_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CertificateError(f"{path}: not UTF-8 text") from None


def check(path: Path, text: str, question: Question, limits: Limits) -> Row:
    """The verdict on a document, within limits; ``path`` is for messages.

    Raises CertificateError, UsageError, and InternalError.
    """
    return within(limits, path, text, question, lambda: checked(path, text, question))


def within(limits: Limits, path: Path, text: str, question: Question, work: Callable[[], T]) -> T | Row:
    """What work on a document gives; where a limit ends it, a row that says so.

    Raises the errors of the work, and InternalError.
    """
    size = len(text)

    def limited(channel: Channel) -> T:
        channel.stage("checking the certificate")
        _load()
        restrict(limits.processor(size), limits.memory << 20)
        return work()

    match ended(limited, path.name, limits.clock(size)):
        case Finished(found):
            return found
        case Failed(error):
            raise error
        case crash:
            return Row(
                certificate=str(path),
                verdict="incomplete",
                rule=LIMITS,
                place="document",
                reason=limits.exceeded(crash, size),
                code=crash.code,
                solvers=question.solvers,
                seconds=round(crash.seconds, 3),
            )


def _load() -> None:
    """Import what a check needs, so that the limit of memory is about the document alone."""
    import cvc5  # noqa: F401
    import flint  # noqa: F401
    import z3  # noqa: F401

    import synth.trusted.kernel.check
    import synth.trusted.witness.check  # noqa: F401
