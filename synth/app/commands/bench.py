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

from synth.app.benchmark.counts import Counts, Growth, counts_of, grown, read_counts, record
from synth.app.benchmark.expectations import Expectation, find_list, read_list
from synth.app.benchmark.measuring import measure, solver_import_seconds
from synth.app.benchmark.verdicts import CLASSES, ERROR, WRONG, Row, row_for
from synth.app.statuses import DEFECT, UNREADABLE
from synth.support.files import write_output
from synth.trusted.errors import UsageError
from synth.views.console.progress import Progress

if TYPE_CHECKING:
    from synth.app.benchmark.table import Table


@dataclass(frozen=True)
class Options:
    """What the command line said; ``recording`` says that ``counts`` is written, and not compared with."""

    path: Path | None
    pattern: str | None
    workers: int
    json: bool
    markdown: Path | None
    counts: Path | None = None
    recording: bool = False


def run(options: Options) -> int:
    """Run, print, and write the Markdown table if one is wanted.  Raises UsageError."""
    path = options.path or find_list(Path.cwd())
    chosen = [item for item in read_list(path) if _matches(item, options.pattern)]
    if not chosen:
        raise UsageError(f"no program of {path} matches '{options.pattern}'")
    if options.recording and options.counts is None:
        raise UsageError("--record goes with --counts: it says where to")
    recorded = read_counts(options.counts) if options.counts is not None and not options.recording else {}
    importing = solver_import_seconds()
    if options.json:
        rows = _rows(chosen, options.workers, None)
        growth = _growth(recorded, rows)
        content = {
            "results": [_json(row) for row in rows],
            "totals": _totals(rows, importing),
            "growth": [asdict(item) for item in growth],
        }
        print(json.dumps(content, indent=2))
    else:
        from synth.app.benchmark.table import Table

        table = Table.for_names([item.name for item in chosen])
        rows = _rows(chosen, options.workers, table)
        growth = _growth(recorded, rows)
        table.totals(rows, importing, growth)
    if options.markdown is not None:
        from synth.app.benchmark.table import markdown

        write_output(options.markdown, markdown(rows, importing))
    if options.counts is not None and options.recording:
        record(options.counts, counts_of(rows))
    return _status(rows) or int(bool(growth))


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


def _growth(recorded: Counts, rows: Sequence[Row]) -> list[Growth]:
    return sorted(grown(recorded, counts_of(rows)), key=str)


def _json(row: Row) -> dict[str, object]:
    return {**asdict(row), "calls": row.calls}


def _totals(rows: Sequence[Row], importing: float) -> dict[str, float]:
    counts = Counter(row.outcome for row in rows)
    return {
        **{name: counts[name] for name in CLASSES},
        "seconds": round(sum(row.seconds for row in rows), 3),
        "longest": max(row.seconds for row in rows),
        "megabytes": max(row.megabytes for row in rows),
        "solver_import_seconds": round(importing, 3),
    }


def _status(rows: Sequence[Row]) -> int:
    outcomes = {row.outcome for row in rows}
    if any(row.status == DEFECT for row in rows):
        return DEFECT
    if outcomes & WRONG:
        return 1
    return UNREADABLE if ERROR in outcomes else 0
