"""How much of public code is read, and what the verdicts on it are worth."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from synth.app.benchmark.measuring import Measured
from synth.app.benchmark.truths import Truth
from synth.app.benchmark.verdicts import (
    CORRECT_PROOF,
    CORRECT_REFUTATION,
    ERROR,
    UNDECIDED,
    WRONG_ALARM,
    WRONG_PROOF,
)
from synth.bounds.rational_reading import is_evidently_larger, same_bound
from synth.views.results import PROVED, REFUTED

NOT_READ = "not read"
_OWN_NAME = re.compile(r"(\b(?:of|parameter) )'[^']*'")
OUTCOMES = (
    CORRECT_PROOF,
    CORRECT_REFUTATION,
    WRONG_PROOF,
    WRONG_ALARM,
    UNDECIDED,
    NOT_READ,
    ERROR,
)


@dataclass(frozen=True)
class Obstacle:
    """What keeps a function from being read, with its place in the file or the specification."""

    code: str
    message: str
    file: str
    line: int | None
    column: int | None


@dataclass(frozen=True)
class RealRow:
    """One mechanism: what is true of it, and what stands in the way or was found.

    ``outcome`` is one of :data:`OUTCOMES`.  ``claim`` is the epsilon that its specification claims.
    """

    function: str
    origin: str
    claim: str
    holds: bool
    least: str | None
    outcome: str
    verdict: str | None
    epsilon: str | None
    reason: str | None
    obstacles: tuple[Obstacle, ...]
    seconds: float
    megabytes: float
    status: int
    theirs: str | None = None


def real_row(truth: Truth, measured: Measured) -> RealRow:
    """What one run of ``synth prove`` says of a mechanism."""
    printed = _printed(measured)
    result = _only(printed.get("results"))
    obstacles = tuple(_obstacles(printed.get("errors")))
    verdict, epsilon = result.get("verdict"), result.get("epsilon")
    return RealRow(
        truth.function,
        truth.origin,
        truth.claim,
        truth.holds,
        truth.least,
        _outcome(truth, verdict, epsilon, obstacles),
        verdict,
        epsilon,
        result.get("reason") if result else None if obstacles else _last_line(measured),
        obstacles,
        round(measured.seconds, 3),
        round(measured.megabytes, 1),
        measured.status,
        truth.theirs,
    )


def in_the_way(rows: Sequence[RealRow]) -> list[tuple[str, int, int]]:
    """Each kind of obstacle: of how many mechanisms it is one, and of how many the only one."""
    kinds = [{_kind(row, item) for item in row.obstacles} for row in rows if row.outcome == NOT_READ]
    counts = Counter(kind for found in kinds for kind in found)
    alone = Counter(kind for found in kinds if len(found) == 1 for kind in found)
    return sorted(
        ((kind, counts[kind], alone[kind]) for kind in counts), key=lambda item: (-item[1], item[0])
    )


def _kind(row: RealRow, obstacle: Obstacle) -> str:
    """The message without the names that are the function's own: what others may have, too."""
    message = obstacle.message.replace(row.function.partition("::")[2], "…").partition(" in /")[0]
    return _OWN_NAME.sub(r"\1'…'", message)


def summary(rows: Sequence[RealRow]) -> str:
    """One sentence: how many are read, and how many verdicts are right."""
    counts = Counter(row.outcome for row in rows)
    read = [row for row in rows if row.outcome not in (NOT_READ, ERROR)]
    true, false = (sum(row.holds is holds for row in read) for holds in (True, False))
    wrong = counts[WRONG_PROOF] + counts[WRONG_ALARM]
    origins = len({row.origin for row in rows})
    return (
        f"{len(rows)} mechanism{'s' * (len(rows) != 1)} of {origins} origin{'s' * (origins != 1)}: "
        f"{len(read)} read; "
        f"{counts[CORRECT_PROOF]} of {true} true claims proved, "
        f"{counts[CORRECT_REFUTATION]} of {false} false claims refuted, {wrong} wrong"
        + (f", {counts[ERROR]} without a verdict" if counts[ERROR] else "")
        + f"; {sum(row.seconds for row in rows):.1f} s in all"
    )


def _outcome(truth: Truth, verdict: str | None, epsilon: str | None, obstacles: tuple[Obstacle, ...]) -> str:
    match verdict:
        case None:
            return NOT_READ if obstacles else ERROR
        case _ if verdict == PROVED:
            return CORRECT_PROOF if truth.holds and not _too_small(epsilon, truth.least) else WRONG_PROOF
        case _ if verdict == REFUTED:
            return WRONG_ALARM if truth.holds else CORRECT_REFUTATION
        case _:
            return UNDECIDED


def _too_small(epsilon: str | None, least: str | None) -> bool:
    """Whether a bound is evidently below the least one."""
    if epsilon is None or least is None or same_bound(epsilon, least):
        return False
    return is_evidently_larger(least, epsilon)


def _printed(measured: Measured) -> dict[str, Any]:
    try:
        printed = json.loads(measured.output)
    except ValueError:
        return {}
    return printed if isinstance(printed, dict) else {}


def _only(results: object) -> dict[str, Any]:
    return results[0] if isinstance(results, list) and len(results) == 1 else {}


def _obstacles(errors: object) -> Iterator[Obstacle]:
    for item in errors if isinstance(errors, list) else []:
        yield Obstacle(
            str(item.get("code")),
            str(item.get("message")),
            str(item.get("file")),
            item.get("line"),
            item.get("column"),
        )


def _last_line(measured: Measured) -> str:
    lines = measured.errors.strip().splitlines()
    return lines[-1] if lines else f"ended with status {measured.status} and no result"
