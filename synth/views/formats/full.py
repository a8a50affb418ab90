"""All that there is to say about each mechanism, for people."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from synth.support.display import shown
from synth.trusted.errors import SynthError
from synth.views.console.results import Report, console
from synth.views.formats.run import Run
from synth.views.results import Result


@dataclass
class Shown:
    """Tables of couplings and invariants, each mechanism as soon as it is there."""

    with_files: bool
    report: Report = field(init=False)
    begun: bool = False

    def __post_init__(self) -> None:
        self.report = Report(console(), self.with_files)

    def result(self, item: Result) -> None:
        """Print a verdict with its table."""
        if self.begun:
            self.report.console.print()
        self.begun = True
        self.report.result(item)
        sys.stdout.flush()

    def error(self, error: SynthError) -> None:
        """It stands on standard error."""

    def end(self, run: Run) -> None:
        """Print how many there were, if there were several, and what was not looked at."""
        if len(run.results) > 1 or run.empty:
            self.report.console.print()
            self.report.console.print(run.summary())
        for error in run.plain:
            print(shown(f"{error.path}::{error.function} (line {error.line}) not looked at: {error.message}"))
