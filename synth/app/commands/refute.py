"""``synth refute``: prints a witness against each claim of the target, where one is found."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass, replace

from synth.app.proving import Answer
from synth.app.refuting import answers, read_claimed, search
from synth.app.stated import Stated
from synth.app.statuses import status_of, worst
from synth.app.targets import Target
from synth.trusted.errors import SynthError
from synth.views.console.errors import error_text
from synth.views.formats.run import Run, format_named
from synth.views.results import REFUTED, Result

FOUND, NONE = 0, 3
_SET = "--set"


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    stated: Stated
    settings: tuple[str, ...]
    timeout: float
    json: bool


def run(options: Options) -> int:
    """Look for witnesses and print; the exit status.  Raises UsageError."""
    from synth.app.assignments import read_assignments

    programs = read_claimed(options.target, options.stated, options.timeout)
    values = read_assignments(options.settings, _SET)
    work = search(programs.mechanisms, values, options.timeout, option=_SET, stated=options.stated)
    errors: list[SynthError] = list(programs.errors)
    statuses = [_said(error, options) for error in errors]
    results: list[Result] = []
    with closing(answers(work)) as found:
        for answer in found:
            if answer.result is not None:
                results.append(replace(answer.result, proof=None))  # no document is written
            if answer.error is not None:
                errors.append(answer.error)
            statuses += _shown(answer, options)
    status = worst(statuses)
    if options.json:
        format_named("json", False).end(Run(results, errors, status=status))
    return status


def _shown(answer: Answer, options: Options) -> list[int]:
    """Print what became of a mechanism; the exit statuses that it stands for."""
    statuses = []
    if answer.result is not None:
        statuses.append(FOUND if answer.result.verdict == REFUTED else NONE)
        if not options.json:
            people(answer.result)
    if answer.error is not None:
        statuses.append(_said(answer.error, options))
    return statuses


def _said(error: SynthError, options: Options) -> int:
    """Print an error; the exit status that it stands for."""
    print(error_text(error, with_source=not options.json), file=sys.stderr, flush=True)
    return status_of(error)


def people(result: Result) -> None:
    """Print for people."""
    from synth.views.console.results import Report, console

    Report(console()).result(result)
    sys.stdout.flush()
