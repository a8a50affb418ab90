"""The table of the benchmark: line by line on a terminal, or as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.text import Text

from synth.app.benchmark.counts import Growth
from synth.app.benchmark.verdicts import CLASSES, CORRECT, ERROR, UNDECIDED, WEAK_PROOF, WRONG, Phases, Row
from synth.support.display import shown
from synth.views.console.results import console, line_of
from synth.views.results import PROVED, REFUTED

_BOUND = 18
_CLASS = max(map(len, CLASSES))
_NUMBERS = (
    ("seconds", 8),
    ("start-up", 8),
    ("search", 7),
    ("invariants", 10),
    ("kernel", 7),
    ("refuting", 8),
    ("calls", 6),
    ("MB", 5),
    ("ratio", 6),
)
"""Columns of numbers with their widths; "calls" are those of solvers, "ratio" is synthesis to checking."""


@dataclass(frozen=True)
class Table:
    """Prints rows as they come; ``width`` is that of the longest name."""

    console: Console
    width: int

    @staticmethod
    def for_names(names: Sequence[str]) -> Table:
        """A table on standard output, with its header printed."""
        table = Table(console(), max(map(len, names)))
        header = f"{'mechanism':{table.width}}  {'verdict':8}  {'bound':{_BOUND}}  {'result':{_CLASS}}"
        header += "".join(f" {name:>{width}}" for name, width in _NUMBERS)
        table.console.print(Text(header, "dim"), soft_wrap=True)
        return table

    def row(self, row: Row) -> None:
        """One program."""
        start = f"{row.mechanism:{self.width}}  {row.verdict or '-':8}  {row.epsilon or '-':{_BOUND}}  "
        line = line_of(start)
        line.append(f"{row.outcome:{_CLASS}}", _style(row))
        numbers = zip(_numbers(row), _NUMBERS, strict=True)
        line.append("".join(f" {text:>{width}}" for text, (_, width) in numbers))
        for part in _remarks(row):
            line.append(shown(f"  {part}"), "dim")
        self.console.print(line, soft_wrap=True)

    def totals(self, rows: Sequence[Row], importing: float, growth: Sequence[Growth]) -> None:
        """The last lines; what is wrong, and which counts have grown, stands out."""
        self.console.print()
        self.console.print(totals_text(rows, importing), soft_wrap=True)
        for row in rows:
            if row.outcome in WRONG:
                self.console.print(
                    line_of(f"{row.outcome}: {row.file}::{row.mechanism}", "bold red"), soft_wrap=True
                )
        for item in growth:
            self.console.print(line_of(shown(f"grown by a fifth: {item}"), "bold red"), soft_wrap=True)


def _style(row: Row) -> str:
    if row.outcome in WRONG:
        return "bold yellow" if row.outcome == WEAK_PROOF else "bold red"
    if row.as_expected:
        return "green"
    return "red" if row.outcome == ERROR else "yellow"


def _numbers(row: Row) -> tuple[str, ...]:
    """The columns of numbers, a dash where there is none."""
    spent = row.phases or Phases(*[0.0] * 7)
    parts = (spent.startup, spent.search, spent.invariants, spent.kernel, spent.refutation)
    return (
        f"{row.seconds:.2f}",
        *(f"{part:.2f}" if part else "-" for part in parts),
        "-" if row.calls is None else str(row.calls),
        f"{row.megabytes:.0f}",
        "-" if row.synthesis_to_checking is None else f"{row.synthesis_to_checking:.1f}",
    )


def totals_text(rows: Sequence[Row], importing: float) -> str:
    """How many of which class, and the times and memory at the most.

    ``importing`` is how long the import of the solvers took in the same run, in seconds.
    """
    counts = Counter(row.outcome for row in rows)
    false = sum(row.outcome == UNDECIDED and row.expected == REFUTED for row in rows)
    parts = [
        _counted(counts[name], name) for name in CLASSES if counts[name] or name in (*CORRECT, UNDECIDED)
    ]
    if false:
        parts = [f"{part} ({false} of them false claims)" if UNDECIDED in part else part for part in parts]
    total, longest = sum(row.seconds for row in rows), max(row.seconds for row in rows)
    ratios = [row.synthesis_to_checking for row in rows if row.synthesis_to_checking is not None]
    proofs = [row.seconds for row in rows if row.verdict == PROVED]
    middle = (
        f"; the median proof takes {median(proofs) / importing:.1f} times the import of the solvers, "
        f"{importing:.2f} s"
        if proofs
        else ""
    )
    checking = f"; finding takes {median(ratios):.1f} times as long as checking" if ratios else ""
    return (
        f"{len(rows)} programs: {', '.join(parts)}; {total:.1f} s in all, {longest:.2f} s and "
        f"{max(row.megabytes for row in rows):.0f} MB at the most{checking}{middle}"
    )


def _counted(number: int, name: str) -> str:
    plural = number != 1 and name not in (UNDECIDED,)
    return f"{number} {name}{'s' if plural else ''}"


def _remarks(row: Row) -> Iterator[str]:
    if row.outcome in WRONG:
        yield f"expected: {row.expected} {row.expected_bound}"
    elif row.expected == REFUTED:
        yield f"false claim: {row.expected_bound}"
    if row.reason is not None and row.outcome in (UNDECIDED, ERROR) and row.expected == PROVED:
        yield row.reason


def markdown(rows: Sequence[Row], importing: float) -> str:
    """The rows as a Markdown table."""
    names = [name for name, _ in _NUMBERS]
    lines = [
        f"| mechanism | bound | result | {' | '.join(names)} | certificate kB |",
        f"|---|---|---|{'---:|' * (len(names) + 1)}",
    ]
    for row in rows:
        result = f"{row.outcome}"
        if row.expected == REFUTED:
            result += f" (false claim `{row.expected_bound}`)"
        if row.outcome in WRONG:
            result = f"**{result}**"
        bound = f"`{row.epsilon}`" if row.epsilon is not None and row.verdict == PROVED else ""
        size = "-" if row.certificate_bytes is None else f"{row.certificate_bytes / 1000:.1f}"
        lines.append(f"| `{row.mechanism}` | {bound} | {result} | {' | '.join(_numbers(row))} | {size} |")
    return "\n".join([*map(shown, lines), "", totals_text(rows, importing) + ".", ""])
