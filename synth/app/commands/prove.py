"""``synth prove``: each mechanism of the target in a process of its own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING

from synth.app.cache import Cache
from synth.app.commands.destination import Destination
from synth.app.jobs import Options as Options
from synth.app.jobs import job, order_of, with_options_claim
from synth.app.statuses import status_of, worst
from synth.app.targets import parse_target, read_target
from synth.app.workers import (
    Cause,
    Failed,
    Finished,
    Outcome,
    Pool,
    default_workers,
)
from synth.support.display import json_text
from synth.trusted.errors import OutputError, SynthError, TemplateError, UsageError
from synth.views.console.errors import error_text
from synth.views.console.progress import Progress
from synth.views.results import COMMAND_LINE, PROGRAM, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir
    from synth.views.console.results import Report


def run(options: Options) -> int:
    """Prove and print; the exit status.  Raises UsageError, TemplateError."""
    if options.cluster is not None and options.workers is not None:
        raise UsageError("--workers is for this machine: a cluster has the workers that were started")
    started = time.monotonic()
    programs = read_target(parse_target(options.target), options.timeout)
    reading = time.monotonic() - started
    mechanisms = [with_options_claim(item, options) for item in programs.mechanisms]
    several = len(mechanisms) > 1 or (options.certificate is not None and os.path.isdir(options.certificate))
    destination = Destination.of(options.certificate, several)
    output = _Output(options.json, len({item.path for item in mechanisms}) > 1, destination, reading)
    output.claim_of = PROGRAM if options.epsilon is options.delta is None else COMMAND_LINE
    for error in programs.errors:
        output.error(error)
    progress = Progress.on_terminal([item.name for item in mechanisms])
    cache = Cache.of_user(options.templates) if options.cache and options.cluster is None else None
    with closing(_outcomes(mechanisms, options, cache, progress)) as outcomes:
        try:
            for number, (mechanism, outcome) in enumerate(zip(mechanisms, outcomes, strict=True)):
                progress.done(number)
                progress.clear()
                output.outcome(mechanism, outcome)
        finally:
            progress.clear()
    output.close()
    if cache is not None:
        cache.trim()
    return output.status()


def _outcomes(
    mechanisms: Sequence[ir.Mechanism], options: Options, cache: Cache | None, progress: Progress
) -> Generator[Outcome[Result]]:
    """What becomes of the mechanisms, in their order, here or on a cluster."""
    if options.cluster is not None and mechanisms:
        from synth.app.cluster import Cluster

        orders, at_once = [order_of(item, options) for item in mechanisms], default_workers(len(mechanisms))
        return Cluster(options.cluster, orders, at_once, progress.stage, progress.draw).outcomes()
    jobs = [job(item, options, cache) for item in mechanisms]
    workers = options.workers or default_workers(len(mechanisms))
    if len(mechanisms) > workers:
        _preload()
    return Pool(jobs, workers, options.timeout, progress.stage, progress.draw).outcomes()


def _preload() -> None:
    """Import once what each process needs; that starts no solver, and so no thread that a fork would lose."""
    for name in ("synth.prover.prove", "synth.views.proof.proof", "z3", "cvc5"):
        import_module(name)


@dataclass
class _Output:
    """Results on standard output (at once for people, at the end as JSON), errors on standard error."""

    json: bool
    with_files: bool
    destination: Destination | None = None
    reading: float = 0.0
    results: list[Result] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    report: Report | None = None
    claim_of: str = PROGRAM

    def outcome(self, mechanism: ir.Mechanism, outcome: Outcome[Result]) -> None:
        """Print what became of a mechanism.  Raises TemplateError, which concerns all of them."""
        from synth.views.blank import blank

        match outcome:
            case Finished(value, seconds):
                effort = value.effort and value.effort.with_reading(self.reading)
                self._proved_or_not(replace(value, seconds=seconds, effort=effort))
            case Failed(TemplateError() as error):
                raise error
            case Failed(error):
                self.error(error)
            case _:
                self._result(blank(mechanism, outcome.reason, outcome.seconds))
                if outcome.cause is Cause.DEFECT:
                    self.error(outcome.error())

    def _proved_or_not(self, result: Result) -> None:
        """A result, and its certificate in its file if one is wanted.  It stands if that can't be written."""
        failed = None
        if self.destination is not None and result.proof is not None:
            try:
                result = replace(result, certificate=str(self.destination.write(result)))
            except OutputError as error:
                failed = error
        self._result(result)
        if failed is not None:
            self.error(failed)

    def _result(self, result: Result) -> None:
        result = result.claimed_by(self.claim_of)
        self.results.append(result)
        if not self.json:
            if len(self.results) > 1:
                self._people().console.print()
            self._people().result(result)
            sys.stdout.flush()

    def error(self, error: SynthError) -> None:
        """Print an error that concerns one file or mechanism."""
        self.failures.append(status_of(error))
        sys.stdout.flush()
        print(error_text(error, with_source=not self.json), file=sys.stderr, flush=True)

    def close(self) -> None:
        """Print what comes at the end."""
        if self.json:
            print_json(self.results)
        elif len(self.results) > 1:
            self._people().console.print()
            self._people().summary(self.results)

    def status(self) -> int:
        """The worst of all."""
        return worst([item.status for item in self.results] + self.failures)

    def _people(self) -> Report:
        if self.report is None:
            from synth.views.console.results import Report, console

            self.report = Report(console(), self.with_files)
        return self.report


def print_json(results: Sequence[Result]) -> None:
    """The one object that ``--json`` prints."""
    print(json_text({"results": [item.json() for item in results]}), flush=True)
