"""``synth prove``: prints what becomes of each mechanism of the target."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.commands.destination import Destination
from synth.app.jobs import Options as ProofOptions
from synth.app.proving import Answer, answers, read_claimed
from synth.app.statuses import status_of, worst
from synth.app.targets import Target
from synth.support.display import json_text
from synth.trusted.errors import OutputError, SynthError, UsageError
from synth.views.console.errors import error_text, refusals
from synth.views.results import Result

if TYPE_CHECKING:
    from synth.views.console.results import Report


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    target: str | Target
    proof: ProofOptions
    certificate: Path | None
    json: bool


def run(options: Options) -> int:
    """Prove and print; the exit status.  Raises UsageError, TemplateError."""
    if options.proof.cluster is not None and options.proof.workers is not None:
        raise UsageError("--workers is for this machine: a cluster has the workers that were started")
    claimed = read_claimed(options.target, options.proof)
    mechanisms = claimed.mechanisms
    several = len(mechanisms) > 1 or (options.certificate is not None and os.path.isdir(options.certificate))
    destination = Destination.of(options.certificate, several)
    output = _Output(options.json, len({item.path for item in mechanisms}) > 1, destination)
    for error in claimed.programs.errors:
        output.error(error)
    with closing(answers(claimed, options.proof)) as found:
        for answer in found:
            output.answer(answer)
    output.close()
    return output.status()


@dataclass
class _Output:
    """Results on standard output (at once for people, at the end as JSON), errors on standard error."""

    json: bool
    with_files: bool
    destination: Destination | None = None
    results: list[Result] = field(default_factory=list)
    errors: list[SynthError] = field(default_factory=list)
    report: Report | None = None

    def answer(self, answer: Answer) -> None:
        """Print what became of a mechanism."""
        if answer.result is not None:
            self._result(answer.result)
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

    def error(self, error: SynthError) -> None:
        """Print an error that concerns one file or mechanism."""
        self.errors.append(error)
        sys.stdout.flush()
        print(error_text(error, with_source=not self.json), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Print what comes at the end."""
        if self.json:
            print_json(self.results, self.errors)
        elif len(self.results) > 1:
            self._people().console.print()
            self._people().summary(self.results)

    def status(self) -> int:
        """The worst of all."""
        return worst([item.status for item in self.results] + [status_of(item) for item in self.errors])

    def _people(self) -> Report:
        if self.report is None:
            from synth.views.console.results import Report, console

            self.report = Report(console(), self.with_files)
        return self.report


def print_json(results: Sequence[Result], errors: Sequence[SynthError] = ()) -> None:
    """The one object that ``--json`` prints."""
    print(json_text({"results": [item.json() for item in results], **refusals(errors)}), flush=True)
