"""``synth bench --suite real`` and ``public``: others' mechanisms, what can't be read, what is true."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path

from rich.text import Text

from synth.app.benchmark.measuring import measure
from synth.app.benchmark.real import NOT_READ, OUTCOMES, RealRow, in_the_way, real_row, summary
from synth.app.benchmark.truths import PUBLIC, REAL, Truth, find_truths, read_truths
from synth.app.benchmark.verdicts import CORRECT, WRONG
from synth.app.commands.bench import Options
from synth.app.statuses import DEFECT
from synth.support.display import shown
from synth.support.files import write_output
from synth.trusted.errors import UsageError
from synth.views.console.progress import Progress
from synth.views.console.results import console, line_of

_SHOWN = 3
"""How many obstacles of a function are printed; the JSON object has all."""


def run(options: Options, suite: Path = REAL) -> int:
    """Run, print, and write the Markdown table if one is wanted.  Raises UsageError."""
    folder = options.path or find_truths(Path.cwd(), suite)
    chosen = [item for item in read_truths(folder) if _matches(item, options.pattern)]
    if not chosen:
        raise UsageError(f"no function of {folder} matches '{options.pattern}'")
    rows = []
    for row in _rows(chosen, options.workers):
        rows.append(row)
        if not options.json:
            _print(row, max(len(item.function) for item in chosen))
    if options.json:
        print(json.dumps(_json(rows), indent=2))
    else:
        _print_totals(rows)
    if options.markdown is not None:
        write_output(options.markdown, (side_by_side if suite == PUBLIC else markdown)(rows))
    return _status(rows)


def _matches(item: Truth, pattern: str | None) -> bool:
    texts = (item.function, *item.function.split("::"), item.origin)
    return pattern is None or any(fnmatchcase(text, pattern) for text in texts)


def _rows(chosen: Sequence[Truth], workers: int) -> Iterator[RealRow]:
    progress = Progress.on_terminal([item.function for item in chosen])
    commands = [item.command for item in chosen]
    with closing(measure(commands, workers, progress.stage, progress.draw)) as results:
        try:
            for number, (item, measured) in enumerate(zip(chosen, results, strict=True)):
                progress.done(number)
                progress.clear()
                yield real_row(item, measured)
        finally:
            progress.clear()


def _print(row: RealRow, width: int) -> None:
    line = line_of(f"{row.function:{width}}  ")
    line.append(f"{row.outcome:18}", _style(row))
    line.append(shown(f"  {_truth(row)}"), "dim")
    if row.outcome != NOT_READ and row.reason is not None and row.outcome not in CORRECT:
        line.append(shown(f"  {row.reason}"), "dim")
    console().print(line, soft_wrap=True)
    for item in row.obstacles[:_SHOWN]:
        place = ":".join(str(part) for part in (item.line, item.column) if part is not None)
        console().print(Text(shown(f"    {place:8} {item.message}"), "dim"), soft_wrap=True)
    if len(row.obstacles) > _SHOWN:
        console().print(Text(f"    and {len(row.obstacles) - _SHOWN} more", "dim"), soft_wrap=True)


def _truth(row: RealRow) -> str:
    """The claim, and what is true of it."""
    if row.holds:
        return f"{row.claim}: true"
    return f"{row.claim}: false" + (f", least {row.least}" if row.least is not None else "")


def _style(row: RealRow) -> str:
    if row.outcome in WRONG:
        return "bold red"
    return "green" if row.outcome in CORRECT else "yellow"


def _print_totals(rows: Sequence[RealRow]) -> None:
    found = in_the_way(rows)
    if found:
        console().print(Text("\nobstacles: of how many functions, and of how many the only one", "dim"))
    for kind, count, alone in found:
        console().print(line_of(f"{count:4} {alone:4}  {shown(kind)}"), soft_wrap=True)
    console().print()
    console().print(summary(rows), soft_wrap=True)
    for row in rows:
        if row.outcome in WRONG:
            console().print(line_of(f"{row.outcome}: {row.function}", "bold red"), soft_wrap=True)


def _json(rows: Sequence[RealRow]) -> dict[str, object]:
    counts = Counter(row.outcome for row in rows)
    kinds = [{"message": kind, "functions": count, "alone": alone} for kind, count, alone in in_the_way(rows)]
    return {
        "results": [asdict(row) for row in rows],
        "obstacles": kinds,
        "totals": {name: counts[name] for name in OUTCOMES},
    }


def markdown(rows: Sequence[RealRow]) -> str:
    """The rows as a Markdown table."""
    lines = ["| function | claim | true | result | obstacles |", "|---|---|---|---|---:|"]
    for row in rows:
        true = "yes" if row.holds else "no" if row.least is None else f"no: `{row.least}`"
        result = f"**{row.outcome}**" if row.outcome in WRONG else row.outcome
        lines.append(f"| `{row.function}` | `{row.claim}` | {true} | {result} | {len(row.obstacles) or ''} |")
    return "\n".join([*map(shown, lines), "", summary(rows) + ".", ""])


def side_by_side(rows: Sequence[RealRow]) -> str:
    """The rows as a Markdown table, with what other tools say of them."""
    lines = ["| mechanism | claim | true | here | seconds | theirs |", "|---|---|---|---|---:|---|"]
    for row in rows:
        here = f"**{row.outcome}**" if row.outcome in WRONG else row.verdict or row.outcome
        true = "yes" if row.holds else "no"
        lines.append(
            f"| `{row.function}` | `{row.claim}` | {true} | {here} "
            f"| {row.seconds:.1f} | {row.theirs or '–'} |"
        )
    return "\n".join([*map(shown, lines), "", summary(rows) + ".", ""])


def _status(rows: Sequence[RealRow]) -> int:
    if any(row.status == DEFECT for row in rows):
        return DEFECT
    return 1 if any(row.outcome in WRONG for row in rows) else 0
