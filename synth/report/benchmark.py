"""The table of the benchmark: line by line on a terminal, or as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.text import Text

from synth.benchmark.verdicts import CLASSES, CORRECT, ERROR, UNDECIDED, WRONG, Row
from synth.report.console import console
from synth.results import PROVED, REFUTED

_STYLES = {CORRECT: "green", UNDECIDED: "yellow", WRONG: "bold red", ERROR: "red"}
_BOUND = 18


@dataclass(frozen=True)
class Table:
    """Prints rows as they come; ``width`` is that of the longest name."""

    console: Console
    width: int

    @staticmethod
    def for_names(names: Sequence[str]) -> Table:
        """A table on standard output, with its header printed."""
        table = Table(console(), max(map(len, names)))
        header = f"{'mechanism':{table.width}}  {'verdict':8}  {'bound':{_BOUND}}  {'result':8}"
        header += f" {'seconds':>8} {'MB':>5} {'check':>5}"
        table.console.print(Text(header, "dim"), soft_wrap=True)
        return table

    def row(self, row: Row) -> None:
        """One program."""
        line = Text(f"{row.mechanism:{self.width}}  {row.verdict or '-':8}  {row.epsilon or '-':{_BOUND}}  ")
        line.append(f"{row.outcome:8}", _STYLES[row.outcome])
        line.append(f" {row.seconds:8.2f} {row.megabytes:5.0f} {_percent(row):>5}")
        for part in _remarks(row):
            line.append(f"  {part}", "dim")
        self.console.print(line, soft_wrap=True)

    def totals(self, rows: Sequence[Row]) -> None:
        """The last line."""
        self.console.print()
        self.console.print(totals_text(rows), soft_wrap=True)


def _percent(row: Row) -> str:
    """What checking took, in per cent of finding."""
    return "-" if row.checking is None else f"{row.checking:.0%}"


def totals_text(rows: Sequence[Row]) -> str:
    """How many of which outcome, and the times and memory at the most."""
    counts = Counter(row.outcome for row in rows)
    false = sum(row.outcome == UNDECIDED and row.expected == REFUTED for row in rows)
    parts = [f"{counts[name]} {name}" for name in CLASSES]
    if false:
        parts[CLASSES.index(UNDECIDED)] += f" ({false} of them false claims)"
    total, longest = sum(row.seconds for row in rows), max(row.seconds for row in rows)
    ratios = [row.checking for row in rows if row.checking is not None]
    checking = f"; checking takes {median(ratios):.0%} of finding" if ratios else ""
    return (
        f"{len(rows)} programs: {', '.join(parts)}; {total:.1f} s in all, {longest:.2f} s and "
        f"{max(row.megabytes for row in rows):.0f} MB at the most{checking}"
    )


def _remarks(row: Row) -> Iterator[str]:
    if row.outcome == WRONG:
        yield f"expected: {row.expected} {row.expected_bound}"
    elif row.expected == REFUTED:
        yield f"false claim: {row.expected_bound}"
    if row.reason is not None and row.outcome in (UNDECIDED, ERROR) and row.expected == PROVED:
        yield row.reason


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "| mechanism | verdict | bound | seconds | MB | checking / finding |",
        "|---|---|---|---:|---:|---:|",
    ]
    for row in rows:
        verdict = row.verdict or ERROR
        if row.expected == REFUTED:
            verdict += f" (false claim `{row.expected_bound}`)"
        if row.outcome == WRONG:
            verdict += " **wrong**"
        bound = f"`{row.epsilon}`" if row.epsilon is not None and row.verdict == PROVED else ""
        numbers = f"{row.seconds:.2f} | {row.megabytes:.0f} | {_percent(row)}"
        lines.append(f"| `{row.mechanism}` | {verdict} | {bound} | {numbers} |")
    return "\n".join([*lines, "", totals_text(rows) + ".", ""])
