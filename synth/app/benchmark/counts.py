"""Counts of what proofs took, held against recorded ones: unlike times they are the same on each machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synth.app.benchmark.verdicts import Row
from synth.support.files import MAX_TEXT_BYTES, read_bounded, write_output
from synth.trusted.errors import UsageError
from synth.views.results import PROVED

Counts = Mapping[str, Mapping[str, int]]
"""By mechanism and what is counted."""

_SLACK = 2
"""Small numbers may grow by so much, though that is more than a fifth."""


@dataclass(frozen=True)
class Growth:
    """A count of a mechanism that has grown by more than a fifth."""

    mechanism: str
    what: str
    recorded: int
    now: int

    def __str__(self) -> str:
        return f"{self.mechanism}: {self.now} {self.what}, recorded were {self.recorded}"


def counts_of(rows: Sequence[Row]) -> Counts:
    """What solvers were asked and the search tried for each proof.

    How long a counterexample is looked for depends on the clock, so other rows have no counts.
    """
    return {
        f"{Path(row.file).name}::{row.mechanism}": {**row.solver_calls, **row.search}
        for row in rows
        if row.verdict == PROVED and row.solver_calls is not None and row.search is not None
    }


def grown(recorded: Counts, now: Counts) -> Iterator[Growth]:
    """Which counts of mechanisms that are in both have grown by more than a fifth."""
    for mechanism in recorded.keys() & now.keys():
        before = recorded[mechanism]
        for what, number in now[mechanism].items():
            known = before.get(what, 0)
            if 5 * number > 6 * known and number > known + _SLACK:
                yield Growth(mechanism, what, known, number)


def read_counts(path: Path) -> Counts:
    """Recorded counts.  Raises UsageError."""
    try:
        content = json.loads(read_bounded(path, MAX_TEXT_BYTES))
    except OSError as error:
        raise UsageError(f"{path}: can't be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path}: no JSON") from None
    if not isinstance(content, dict) or not all(map(_is_counts, content.values())):
        raise UsageError(f"{path}: no counts, as bench --record writes them")
    return content


def record(path: Path, now: Counts) -> None:
    """Write counts, beside those of other mechanisms that the file has.  Raises UsageError, OutputError."""
    before = read_counts(path) if path.exists() else {}
    merged = {**before, **now}
    lines = [f"  {json.dumps(name)}: {json.dumps(merged[name], sort_keys=True)}" for name in sorted(merged)]
    write_output(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _is_counts(item: object) -> bool:
    return isinstance(item, dict) and all(type(number) is int for number in item.values())
