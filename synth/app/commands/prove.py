"""``synth prove``: prints what becomes of each mechanism of the target."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.commands.destination import Destination
from synth.app.jobs import Options as ProofOptions
from synth.app.proving import Answer, answers, read_claimed
from synth.app.statuses import UNFINISHED, status_of, worst
from synth.app.targets import Target
from synth.support.display import json_text, shown
from synth.trusted.errors import OutputError, ProgramError, Refusal, SynthError, UsageError
from synth.views.console.errors import error_text, refusals
from synth.views.results import Result

if TYPE_CHECKING:
    from synth.app.reports import Reports
    from synth.trusted.program import syntax as ir
    from synth.views.console.results import Report


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    proof: ProofOptions
    certificate: Path | None
    json: bool
    report: Path | None = None


def run(options: Options) -> int:
    """Prove and print; the exit status.  Raises UsageError, TemplateError."""
    if options.proof.cluster is not None and options.proof.workers is not None:
        raise UsageError("--workers is for this machine: a cluster has the workers that were started")
    reports = _reports(options)
    claimed = read_claimed(options.target, options.proof)
    mechanisms = claimed.mechanisms
    several = len(mechanisms) > 1 or (options.certificate is not None and os.path.isdir(options.certificate))
    destination = Destination.of(options.certificate, several)
    output = _Output(options.json, len({item.path for item in mechanisms}) > 1, destination, reports)
    plain = claimed.programs.plain
    errors = [e for e in claimed.programs.errors if e not in plain and not (plain and _says_nothing(e))]
    obstacles = Counter((error.path, error.function or "") for error in errors)
    for error in errors:
        several_here = obstacles.pop((error.path, error.function or ""), 1)
        if error.function and several_here > 1:
            output.heading(f"{error.path}::{error.function} can't be read: {several_here} obstacles")
        output.error(error)
    with closing(answers(claimed, options.proof)) as found:
        for mechanism, answer in zip(mechanisms, found, strict=True):
            output.answer(mechanism, answer)
    output.close(plain)
    return output.status()


def _reports(options: Options) -> Reports | None:
    """Where pages go, if they are wanted.  Raises UsageError."""
    if options.report is None:
        return None
    from synth.app.reports import Reports

    return Reports.into(options.report, _named(options.target))


def _named(target: str | Target) -> str:
    return target if isinstance(target, str) else str(target.path)


def _says_nothing(error: ProgramError) -> bool:
    """Whether an error only says that a file has no mechanism: its functions are listed."""
    return error.code is Refusal.NO_MECHANISM and error.function is None


@dataclass
class _Output:
    """Results on standard output (at once for people, at the end as JSON), errors on standard error."""

    json: bool
    with_files: bool
    destination: Destination | None = None
    reports: Reports | None = None
    results: list[Result] = field(default_factory=list)
    errors: list[SynthError] = field(default_factory=list)
    report: Report | None = None

    def answer(self, mechanism: ir.Mechanism, answer: Answer) -> None:
        """Print what became of a mechanism, and write its page."""
        if answer.result is not None:
            self._result(answer.result)
            self._page(mechanism, answer.result)
        if answer.error is not None:
            self.error(answer.error)

    def _result(self, result: Result) -> None:
        """A result, and its certificate in its file if one is wanted.  It stands if that can't be written."""
        failed = None
        if self.destination is not None and result.proof is not None:
            try:
                result = replace(result, certificate=str(self.destination.write(result)))
            except OutputError as error:
                failed = error
        self._print(result)
        if failed is not None:
            self.error(failed)

    def _print(self, result: Result) -> None:
        self.results.append(result)
        if not self.json:
            if len(self.results) > 1:
                self._people().console.print()
            self._people().result(result)
            sys.stdout.flush()

    def _page(self, mechanism: ir.Mechanism, result: Result) -> None:
        if self.reports is not None:
            try:
                self.reports.add(mechanism, result)
            except OutputError as error:
                self.error(error)

    def heading(self, text: str) -> None:
        """Say for people, on standard error, what the next errors are about."""
        if not self.json:
            sys.stdout.flush()
            print(shown(text), file=sys.stderr, flush=True)

    def error(self, error: SynthError) -> None:
        """Print an error that concerns one file or mechanism."""
        self.errors.append(error)
        if self.reports is not None and isinstance(error, ProgramError):
            self.reports.refused(error)
        sys.stdout.flush()
        print(error_text(error, with_source=not self.json), file=sys.stderr, flush=True)

    def close(self, plain: Sequence[ProgramError]) -> None:
        """Print what comes at the end, with the functions that are no mechanisms; write the list of pages."""
        written = self._index()
        if self.json:
            print_json(self.results, self.errors, plain)
            return
        if len(self.results) > 1:
            self._people().console.print()
            self._people().summary(self.results)
        for error in plain:
            print(shown(f"{error.path}::{error.function} (line {error.line}) not looked at: {error.message}"))
        if written is not None:
            print(shown(f"pages: {written}"))

    def _index(self) -> Path | None:
        if self.reports is None:
            return None
        try:
            return self.reports.close()
        except OutputError as error:
            self.error(error)
            return None

    def status(self) -> int:
        """The worst of all; where nothing was looked at, that nothing is known."""
        if not self.results and not self.errors:
            return UNFINISHED
        return worst([item.status for item in self.results] + [status_of(item) for item in self.errors])

    def _people(self) -> Report:
        if self.report is None:
            from synth.views.console.results import Report, console

            self.report = Report(console(), self.with_files)
        return self.report


def print_json(
    results: Sequence[Result], errors: Sequence[SynthError] = (), plain: Sequence[ProgramError] = ()
) -> None:
    """The one object that ``--json`` prints; ``plain`` are the functions that are no mechanisms."""
    said = {"results": [item.json() for item in results], **refusals(errors)}
    if plain:
        said["not_looked_at"] = [
            {"function": item.function, "file": item.path, "line": item.line} for item in plain
        ]
    print(json_text(said), flush=True)
