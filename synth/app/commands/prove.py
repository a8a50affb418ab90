"""``synth prove``: prints what becomes of each mechanism of the targets."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.arguing import explanation
from synth.app.commands.destination import Destination
from synth.app.jobs import Options as ProofOptions
from synth.app.proving import Answer
from synth.app.statuses import INTERRUPTED, UNFINISHED, status_of, worst
from synth.app.streaming import Proofs
from synth.app.targets import Programs, Target, says_nothing
from synth.support.display import shown
from synth.trusted.errors import OutputError, ProgramError, SynthError, UsageError
from synth.views.console.errors import error_text
from synth.views.formats.run import FOR_PEOPLE, Format, Run, format_named
from synth.views.results import Result

if TYPE_CHECKING:
    from synth.app.reports import Reports
    from synth.trusted.program import syntax as ir


@dataclass(frozen=True)
class Options:
    """What the command line said; ``form`` names a format, None the one that fits the targets.

    With ``if_any`` it is no error that no file has a mechanism; with ``explain`` people get the argument.
    ``at_end`` is told all results.
    """

    targets: tuple[Target, ...]
    proof: ProofOptions
    certificate: Path | None = None
    report: Path | None = None
    form: str | None = None
    if_any: bool = False
    explain: bool = False
    at_end: Callable[[Sequence[Result]], object] = lambda results: None

    @property
    def format(self) -> str:
        """A line for each mechanism of a folder or of several files, else all that there is to say."""
        return self.form or ("concise" if self.many and not self.explain else "full")

    @property
    def many(self) -> bool:
        """Whether there may be several files."""
        return len(self.targets) > 1 or any(os.path.isdir(item.path) for item in self.targets)


def run(options: Options) -> int:
    """Prove and print; the exit status.  Raises UsageError, TemplateError."""
    if options.proof.cluster is not None and options.proof.workers is not None:
        raise UsageError("--workers is for this machine: a cluster has the workers that were started")
    if options.explain and options.format not in FOR_PEOPLE:
        raise UsageError(f"--explain is for people, and doesn't go with --output-format {options.format}")
    reports = _reports(options)
    shown_in = format_named(options.format, options.many)
    output = _Output(shown_in, options.format in FOR_PEOPLE, reports=reports, explain=options.explain)
    read: list[Programs] = []

    def take(programs: Programs, begun: bool) -> None:
        read.append(programs)
        output.destination = _destination(programs, options)
        output.refusals(() if begun else _of_interest(programs, options))

    interrupted = False
    proofs = Proofs(options.targets, options.proof, take)
    try:
        with closing(proofs.found(whole=options.certificate is not None)) as found:
            for mechanism, answer in found:
                output.answer(mechanism, answer)
    except KeyboardInterrupt:
        interrupted = True
        of_all = f" of {len(read[0].mechanisms)}" if read else ""
        done = f"{len(output.results)}{of_all} mechanisms are done"
        print(f"synth: interrupted: {done}", file=sys.stderr, flush=True)
    programs = read[0] if read else Programs((), ())
    output.refusals(item for item in _of_interest(programs, options) if item not in output.errors)
    pages = output.index()
    options.at_end(output.results)
    nothing = UNFINISHED if programs.plain or not options.if_any else 0
    status = INTERRUPTED if interrupted else output.status(nothing)
    shown_in.end(Run(output.results, output.errors, programs.plain, programs.empty, status))
    if pages is not None and output.for_people:
        print(shown(f"pages: {pages}"))
    return status


def _destination(programs: Programs, options: Options) -> Destination | None:
    """Where certificates go.  Raises UsageError."""
    folder = options.certificate is not None and os.path.isdir(options.certificate)
    return Destination.of(options.certificate, len(programs.mechanisms) > 1 or folder)


def _reports(options: Options) -> Reports | None:
    """Where pages go, if they are wanted.  Raises UsageError."""
    if options.report is None:
        return None
    from synth.app.reports import Reports

    return Reports.into(options.report, ", ".join(str(item.path) for item in options.targets))


def _of_interest(programs: Programs, options: Options) -> list[ProgramError]:
    """What can't be read; that there is no mechanism is said otherwise where its functions are listed."""
    listed = programs.plain
    return [
        error
        for error in programs.errors
        if error not in listed and not ((listed or options.if_any) and says_nothing(error))
    ]


@dataclass
class _Output:
    """What has been found out so far; errors stand on standard error, too."""

    format: Format
    for_people: bool
    destination: Destination | None = None
    reports: Reports | None = None
    explain: bool = False
    results: list[Result] = field(default_factory=list)
    errors: list[SynthError] = field(default_factory=list)

    def refusals(self, errors: Iterable[ProgramError]) -> None:
        """Print what can't be read, with the number of obstacles where a function has several."""
        known = list(errors)
        obstacles = Counter((error.path, error.function or "") for error in known)
        for error in known:
            several_here = obstacles.pop((error.path, error.function or ""), 1)
            if error.function and several_here > 1 and self.for_people:
                heading = f"{error.path}::{error.function} can't be read: {several_here} obstacles"
                print(shown(heading), file=sys.stderr, flush=True)
            self.error(error)

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
        self.results.append(result)
        self.format.result(result)
        if self.explain and (text := explanation(result)):
            print(f"\n{text}", flush=True)
        if failed is not None:
            self.error(failed)

    def _page(self, mechanism: ir.Mechanism, result: Result) -> None:
        if self.reports is not None:
            try:
                self.reports.add(mechanism, result)
            except OutputError as error:
                self.error(error)

    def index(self) -> Path | None:
        """Write the list of pages, if there are pages."""
        if self.reports is None:
            return None
        try:
            return self.reports.close()
        except OutputError as error:
            self.error(error)
            return None

    def error(self, error: SynthError) -> None:
        """Print an error that concerns one file or mechanism."""
        self.errors.append(error)
        if self.reports is not None and isinstance(error, ProgramError):
            self.reports.refused(error)
        sys.stdout.flush()
        print(error_text(error, with_source=self.for_people), file=sys.stderr, flush=True)
        self.format.error(error)

    def status(self, nothing: int) -> int:
        """The worst of all; ``nothing`` where nothing was looked at."""
        if not self.results and not self.errors:
            return nothing
        return worst([item.status for item in self.results] + [status_of(item) for item in self.errors])
