"""``python -m tests.soundness --hours 8``: all hunts in turns, and their counts; 1 if one failed."""

from __future__ import annotations

import argparse
import datetime
import signal
import sys
from pathlib import Path

from .hunts.hunting import Broken, Count, attempt, report, run, written
from .hunts.hunts import HUNTS

OUTPUT = Path("hunt-failures")


def main() -> int:
    """The command line."""
    arguments = _parser().parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the counts are printed then, too
    if arguments.case is not None:
        return _again(arguments.case)
    chosen = [hunt for hunt in HUNTS.values() if not arguments.only or hunt.name in arguments.only]
    seconds = arguments.seconds if arguments.seconds is not None else arguments.hours * 3600
    print(f"seed {arguments.seed}, {seconds:g} seconds", flush=True)

    def failed(case: str, broken: Broken) -> None:
        print(
            f"FAILED {case}: {broken.message.splitlines()[0]} ({written(case, broken, arguments.output)})",
            flush=True,
        )

    counts = run(chosen, arguments.seed, seconds, failed)
    print(report(counts))
    return 1 if any(count.failures for count in counts.values()) else 0


def _again(case: str) -> int:
    """One case once more."""
    hunt, count = HUNTS[case.split("/")[1]], Count()
    broken = attempt(hunt, case, count)
    print(report({hunt.name: count}))
    if broken is not None:
        print(broken)
    return 1 if broken is not None else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.soundness", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--hours", type=float, default=1 / 12, help="how long (5 minutes, if nothing is said)"
    )
    length.add_argument("--seconds", type=float, help="how long, in seconds")
    today = int(datetime.date.today().strftime("%Y%m%d"))
    parser.add_argument("--seed", type=int, default=today, help="another one than today's date")
    parser.add_argument("--only", action="append", choices=sorted(HUNTS), help="this hunt; may be repeated")
    parser.add_argument("--case", help="one case again, such as 20261122/reader/17")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder for failures")
    return parser


if __name__ == "__main__":
    sys.exit(main())
