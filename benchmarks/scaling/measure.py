"""Prove the members of each family in cold processes; fit exponents and draw plots.

    python benchmarks/scaling/measure.py [--family F]... [--sizes 1,2,4] [--timeout S] [--repeat N]

Times are processor seconds of the command and its workers, so that what else runs on the machine
counts little; wall seconds are recorded too.  Each member is run ``--repeat`` times, and the least
time counts.  A family is left after its first member that is not proved within the timeout.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cold import Cost, Results, prove_cold
from families import FAMILIES, NAME, Family, find, program
from fitting import FLOOR, exponent, last_exponent
from plotting import Point, plot

HERE = Path(__file__).parent
OTHER_BOUND = "other bound"
"""The verdict where a bound is proved that is not the least one."""


@dataclass(frozen=True)
class Run:
    """One member: seconds are the least of all repetitions."""

    size: int
    verdict: str
    epsilon: str | None
    wall: float
    processor: float
    megabytes: float
    reason: str | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the command line says; the exit status."""
    options = _parser().parse_args(arguments)
    families = [find(name) for name in options.family] or list(FAMILIES)
    options.output.mkdir(parents=True, exist_ok=True)
    start = min(_once(_EMPTY, NAME, options.timeout)[1].processor for _ in range(3))
    print(f"a mechanism that only returns 0: {start:.2f} s")
    for family in families:
        runs = []
        for item in _measured(family, options.sizes or family.sizes, options.timeout, options.repeat):
            print(_line(family, item), flush=True)
            runs.append(item)
        result = _result(family, start, runs)
        _write(options.output, family, result, runs)
        print(f"{family.name}: exponent {_shown(result['exponent'])}, last step {_shown(result['last'])}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure how proofs grow with the size of programs.")
    names = [item.name for item in FAMILIES]
    parser.add_argument("--family", action="append", choices=names, default=[], help="repeatable; else all")
    parser.add_argument("--sizes", type=_sizes, help="such as 1,2,4 (else those of the family)")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds per mechanism")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each member; the fastest counts")
    parser.add_argument("--output", type=Path, default=HERE / "results", help="folder for JSON and SVG files")
    return parser


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(item) for item in text.split(",")}))


# --- runs -----------------------------------------------------------------------------------

_EMPTY = (
    '"""Nothing to prove."""\n\nfrom synth.lang import *\n\n\n'
    f'@mechanism(adjacent={{"x": absolute_distance(1)}})\ndef {NAME}(x: int):\n    return 0\n'
)
_LONG = 10.0
"""A run of so many seconds is not repeated."""


def _measured(family: Family, sizes: Sequence[int], timeout: float, repeat: int) -> Iterator[Run]:
    for size in sizes:
        text = program(family, size)
        name = None if family.whole_file else NAME
        runs: list[Run] = []
        while len(runs) < repeat and (not runs or runs[-1].wall < _LONG):
            runs.append(_run_of(family, size, *_once(text, name, timeout)))
        best = min(runs, key=lambda item: item.processor)
        yield best
        if best.verdict != "proved" and best.verdict != OTHER_BOUND:
            return


def _once(text: str, name: str | None, timeout: float) -> tuple[Results, Cost]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "member.py"
        path.write_text(text, encoding="utf-8")
        return prove_cold(str(path) if name is None else f"{path}::{name}", timeout)


def _run_of(family: Family, size: int, results: Results, cost: Cost) -> Run:
    """The run with its verdict: that of the mechanism, or the first one of a file that is not proved."""
    expected = size if family.whole_file else 1
    odd = next((item for item in results if item["verdict"] != "proved"), None)
    verdict: str
    epsilon: str | None
    reason: str | None
    if len(results) != expected:
        verdict, epsilon, reason = "error", None, f"{len(results)} results for {expected} mechanisms"
    elif odd is not None:
        verdict, epsilon, reason = odd["verdict"], odd.get("epsilon"), odd.get("reason")
    else:
        epsilon, reason = str(results[0]["epsilon"]), None
        verdict = "proved" if _same(epsilon, family.epsilon(size)) else OTHER_BOUND
    return Run(size, verdict, epsilon, cost.wall, cost.processor, cost.megabytes, reason)


def _same(first: str, second: str) -> bool:
    from synth.bounds.rational_reading import same_bound

    return bool(same_bound(first, second))


# --- what comes of them ---------------------------------------------------------------------


def _result(family: Family, start: float, runs: Sequence[Run]) -> dict[str, Any]:
    proved = [(item.size, item.processor - start) for item in runs if item.verdict == "proved"]
    return {
        "family": family.name,
        "about": family.about,
        "unit": family.unit,
        "target": family.target,
        "floor": FLOOR,
        "start": start,
        "exponent": exponent(proved),
        "last": last_exponent(proved),
        "runs": [asdict(item) for item in runs],
    }


def _write(folder: Path, family: Family, result: dict[str, Any], runs: Sequence[Run]) -> None:
    text = json.dumps(result, indent=1) + "\n"
    (folder / f"{family.name}.json").write_text(text, encoding="utf-8")
    points = [Point(item.size, item.processor, item.verdict == "proved") for item in runs]
    title = f"{family.name}: {family.about[:1].lower()}{family.about[1:]}"
    picture = plot(title, family.unit, points, result["exponent"], result["start"])
    (folder / f"{family.name}.svg").write_text(picture, encoding="utf-8")


def _line(family: Family, run: Run) -> str:
    said = f"{run.verdict} {run.epsilon or ''}".strip()
    return (
        f"{family.name:12} {run.size:5} {run.processor:8.2f} s {run.wall:8.2f} s wall "
        f"{run.megabytes:6.0f} MB  {said}{f' ({run.reason})' if run.reason else ''}"
    )


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    sys.exit(main())
