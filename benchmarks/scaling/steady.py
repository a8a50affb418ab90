"""Whether the verdicts and bounds of the suite stay the same on a busy machine.

    python benchmarks/scaling/steady.py [NAME...] [--runs N] [--load N]

Runs the mechanisms again and again, each in a cold process, while as many processes as there are cores
do nothing but compute.  Prints what differs between the runs.  Exit status 1 if a verdict or a bound does, or
is not what is expected; other sizes of certificates or witnesses are only noted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from synth.app.benchmark.expectations import Expectation, read_list
from synth.app.benchmark.measuring import measure
from synth.app.benchmark.verdicts import Row, row_for

HERE = Path(__file__).parent
USUAL = (
    "above_threshold",
    "report_noisy_max",
    "svt_1",
    "smart_sum",
    "noisy_and_sum",
    "rappor",
    "gaussian_tight",
    "svt_4_claim_eps",
)
"""Fast and different: counted and budgeted costs, guards, lists, chances, a delta, a counterexample."""

BUSY = "while True: pass"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and print a table and the differences."""
    parser = argparse.ArgumentParser(description="The same rows on a busy machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", default=USUAL)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--load", type=int, default=os.cpu_count() or 1, help="busy processes")
    options = parser.parse_args(arguments)
    listed = read_list(HERE.parent / "expected.toml")
    chosen = [item for item in listed if item.name in options.names]
    with load(options.load):
        runs = [_run(chosen, number) for number in range(options.runs)]
    steady = True
    print("| mechanism | rows | sizes | verdict | bound | s, least | s, most |")
    print("|---|---:|---:|---|---|---:|---:|")
    for place, item in enumerate(chosen):
        rows = [run[place] for run in runs]
        kinds = list(dict.fromkeys(map(_said, rows)))
        steady = steady and len(kinds) == 1 and rows[0].as_expected
        print(_line(item, rows))
        for kind in kinds[1:]:
            numbers = [number for number, row in enumerate(rows, start=1) if _said(row) == kind]
            print(f"    differs from the first in runs {numbers}: {kind}")
    print(f"\n{len(runs)} runs of {len(chosen)} mechanisms beside {options.load} busy processes: ", end="")
    print("the same rows" if steady else "not the same rows, or not those that are expected")
    return 0 if steady else 1


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep that many cores busy."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _run(chosen: Sequence[Expectation], number: int) -> list[Row]:
    print(f"run {number + 1}", file=sys.stderr, flush=True)
    with closing(measure([item.command for item in chosen], 1, lambda *_: None, lambda: None)) as results:
        return [row_for(item, measured) for item, measured in zip(chosen, results, strict=True)]


def _said(row: Row) -> tuple[object, ...]:
    """What must be the same in all runs."""
    return row.outcome, row.verdict, row.epsilon


def _line(item: Expectation, rows: Sequence[Row]) -> str:
    first, seconds = rows[0], [row.seconds for row in rows]
    sizes = {row.certificate_bytes for row in rows}
    bound = f"`{first.epsilon}`" if first.epsilon else "–"
    return (
        f"| `{item.name}` | {len(set(map(_said, rows)))} | {len(sizes)} | {first.verdict} | {bound} "
        f"| {min(seconds):.2f} | {max(seconds):.2f} |"
    )


if __name__ == "__main__":
    sys.exit(main())
