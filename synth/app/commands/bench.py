"""``synth bench``: every program of a list, each in a cold process, held against what is expected."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.benchmark.expectations import Expectation, find_list, read_list
from synth.app.benchmark.measuring import measure
from synth.app.benchmark.verdicts import CLASSES, ERROR, WRONG, Row, row_for
from synth.app.statuses import DEFECT, UNREADABLE
from synth.support.files import write_output
from synth.trusted.errors import UsageError
from synth.views.console.progress import Progress

if TYPE_CHECKING:
    from synth.app.benchmark.table import Table


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    path: Path | None
    pattern: str | None
    workers: int
    json: bool
    markdown: Path | None


def run(options: Options) -> int:
    """Run, print, and write the Markdown table if one is wanted.  Raises UsageError."""
    path = options.path or find_list(Path.cwd())
    chosen = [item for item in read_list(path) if _matches(item, options.pattern)]
    if not chosen:
        raise UsageError(f"no program of {path} matches '{options.pattern}'")
    if options.json:
        rows = _rows(chosen, options.workers, None)
        print(json.dumps({"results": [_json(row) for row in rows], "totals": _totals(rows)}, indent=2))
    else:
        from synth.app.benchmark.table import Table

        table = Table.for_names([item.name for item in chosen])
        rows = _rows(chosen, options.workers, table)
        table.totals(rows)
    if options.markdown is not None:
        from synth.app.benchmark.table import markdown

        write_output(options.markdown, markdown(rows))
    return _status(rows)


def _matches(item: Expectation, pattern: str | None) -> bool:
    """Whether a pattern fits the mechanism, its file, or both."""
    texts = (item.name, str(item.file), item.file.name, f"{item.file}::{item.name}")
    return pattern is None or any(fnmatchcase(text, pattern) for text in texts)


def _rows(chosen: Sequence[Expectation], workers: int, table: Table | None) -> list[Row]:
    progress = Progress.on_terminal([item.name for item in chosen])
    rows: list[Row] = []
    commands = [item.command for item in chosen]
    with closing(measure(commands, workers, progress.stage, progress.draw)) as results:
        try:
            for number, (item, measured) in enumerate(zip(chosen, results, strict=True)):
                progress.done(number)
                progress.clear()
                rows.append(row_for(item, measured))
                if table is not None:
                    table.row(rows[-1])
        finally:
            progress.clear()
    return rows


def _json(row: Row) -> dict[str, object]:
    return {**asdict(row), "calls": row.calls}


def _totals(rows: Sequence[Row]) -> dict[str, float]:
    counts = Counter(row.outcome for row in rows)
    return {
        **{name: counts[name] for name in CLASSES},
        "seconds": round(sum(row.seconds for row in rows), 3),
        "longest": max(row.seconds for row in rows),
        "megabytes": max(row.megabytes for row in rows),
    }


def _status(rows: Sequence[Row]) -> int:
    outcomes = {row.outcome for row in rows}
    if any(row.status == DEFECT for row in rows):
        return DEFECT
    if outcomes & WRONG:
        return 1
    return UNREADABLE if ERROR in outcomes else 0
