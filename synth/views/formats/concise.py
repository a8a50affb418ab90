"""One line for each mechanism, for people who look at many."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from synth.support.display import MAX_LETTERS, shown
from synth.trusted.errors import SynthError
from synth.views.assumptions import NOTHING_PRIVATE, OF_EVERY_PROOF
from synth.views.console.results import STYLES, claim_text, console, write
from synth.views.formats.run import Run
from synth.views.results import PROVED, REFUTED, Result


@dataclass
class Shown:
    """``file:line: name: verdict, what is known [code]``."""

    with_files: bool
    assumes: bool = False

    def result(self, item: Result) -> None:
        """Print a line."""
        line = Text.assemble(
            shown(f"{_place(item)}: {item.mechanism}: "), (item.verdict, STYLES[item.verdict])
        )
        line.append(shown(summed_up(item), MAX_LETTERS))
        if assumed(item):
            line.append(" *")
            self.assumes = True
        write(console(), line)

    def error(self, error: SynthError) -> None:
        """It stands on standard error."""

    def end(self, run: Run) -> None:
        """Print how many there were."""
        print(run.summary())
        if self.assumes:
            print("* what else is assumed than exact arithmetic and sampling: --output-format full")


def assumed(item: Result) -> str:
    """What a result assumes beside what each proof does, or that it says nothing; empty if neither."""
    remarks = [note for note in item.notes if note == NOTHING_PRIVATE]
    more = [] if item.assumptions in (None, OF_EVERY_PROOF) else [str(item.assumptions)]
    return " ".join((*(f"{note[0].upper()}{note[1:]}." for note in remarks), *more))


def _place(item: Result) -> str:
    if item.reason_line is None:
        return f"{item.file}:{item.line}"
    column = "" if item.reason_column is None else f":{item.reason_column}"
    return f"{item.file}:{item.reason_line}{column}"


def summed_up(item: Result) -> str:
    """What follows the verdict: the bound, or why there is none."""
    code = f" [{item.code}]" if item.code else ""
    if item.verdict == PROVED:
        return f", {item.bound}"
    if item.verdict == REFUTED:
        return f", the claim {claim_text(item.claim)} is false{code}"
    return f", {item.reason}{code}"
