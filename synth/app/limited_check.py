"""Checks of documents within limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from synth.app.asker import Asker
from synth.app.checking import Program, Question, Row, checked
from synth.app.limited import Limits, outcome
from synth.app.targets import Target, parse_target, read_one
from synth.app.workers import Failed, Finished
from synth.trusted.errors import UsageError

T = TypeVar("T")

LIMITS = "Limits"
"""What is named instead of a rule where the check was ended."""


def read_program(target: str | Target, asker: Asker = Asker.COMMAND_LINE) -> Program:
    """What a certificate must be about: ``FILE`` or ``FILE::NAME``.  Raises ProgramError, UsageError."""
    found = parse_target(target)
    if found.path.is_dir():
        raise UsageError(f"{asker.option('program')} {found.path}: it is a folder")
    file = read_one(found)
    for error in file.refused:
        if error.function == found.name:
            raise error
    return Program(file, found.name)


def check(path: Path, text: str, question: Question, limits: Limits) -> Row:
    """The verdict on a document, within limits; ``path`` is for messages.

    Raises CertificateError, UsageError, and InternalError.
    """
    return within(limits, path, text, question, lambda: checked(path, text, question))


def within(limits: Limits, path: Path, text: str, question: Question, work: Callable[[], T]) -> T | Row:
    """What work on a document gives; where a limit ends it, a row that says so.

    Raises the errors of the work, and InternalError.
    """
    match outcome(limits, path.name, len(text), "checking the certificate", work):
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
                reason=limits.exceeded(crash, len(text)),
                code=crash.code,
                solvers=question.solvers,
                seconds=round(crash.seconds, 3),
            )
