"""Where the time of a cold proof goes: processor milliseconds by phase.

    python benchmarks/scaling/phases.py FILE::NAME... [--repeat N]

Each run is a fresh process; the least time of each phase counts.  The phases are those that
``synth prove`` goes through, in one process and without its worker.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from cold import environment

PHASES = (
    "interpreter",
    "command line",
    "reading",
    "loading solvers",
    "templates",
    "obligations",
    "tests",
    "strategies",
    "invariants",
    "certificate",
    "kernel",
    "report",
)
T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each target and print a Markdown table."""
    parser = argparse.ArgumentParser(description="Processor milliseconds of a cold proof by phase.")
    parser.add_argument("targets", nargs="+", metavar="FILE::NAME")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.inside:
        path, _, name = options.targets[0].rpartition("::")
        print(json.dumps(_phases(Path(path), name)))
        return 0
    names = [item.rpartition("::")[2] for item in options.targets]
    print(f"| phase | {' | '.join(f'`{name}`' for name in names)} |")
    print(f"|---|{'---:|' * len(options.targets)}")
    columns = [_least(item, options.repeat) for item in options.targets]
    for phase in (*PHASES, "sum"):
        print(f"| {phase} | {' | '.join(f'{column[phase] * 1000:.0f}' for column in columns)} |")
    return 0


def _least(target: str, repeat: int) -> dict[str, float]:
    runs = []
    for _ in range(repeat):
        command = [sys.executable, __file__, target, "--inside"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
        runs.append(json.loads(done.stdout))
    least = {phase: min(run.get(phase, 0.0) for run in runs) for phase in PHASES}
    return {**least, "sum": sum(least.values())}


class _Clock:
    """Adds up processor time by phase; phases within phases are taken out of those around them."""

    def __init__(self, before: float) -> None:
        self.spent = {"interpreter": before}
        self.phase = "command line"
        self.since = before

    def enter(self, phase: str) -> str:
        """Go over to a phase; gives the one before."""
        now, before = time.process_time(), self.phase
        self.spent[before] = self.spent.get(before, 0.0) + now - self.since
        self.phase, self.since = phase, now
        return before

    def around(self, phase: str, function: Callable[..., T]) -> Callable[..., T]:
        """The function, with its time in a phase of its own."""

        def timed(*arguments: object, **keywords: object) -> T:
            before = self.enter(phase)
            try:
                return function(*arguments, **keywords)
            finally:
                self.enter(before)

        return timed


_STAGES = {"check": "certificate"}


def _phases(path: Path, name: str) -> dict[str, float]:
    clock = _Clock(time.process_time())
    import synth.cli
    import synth.commands.prove
    import synth.report.progress  # noqa: F401

    clock.enter("reading")
    from synth.targets import Target, read_target

    (mechanism,) = read_target(Target(path, name)).mechanisms
    clock.enter("loading solvers")
    import synth.prove as proving
    from synth.couplings.templates import load_templates
    from synth.report.proof import result_of, with_short_invariants

    clock.enter("templates")
    templates = load_templates(())
    names = vars(proving)
    names["check"] = clock.around("kernel", names["check"])
    clock.enter("obligations")
    found = proving.prove(mechanism, templates, lambda stage: _entered(clock, stage))
    clock.enter("report")
    result = result_of(mechanism, found)
    if isinstance(found, proving.Proved):
        result = with_short_invariants(result, found)
    result.json()
    clock.enter("")
    return clock.spent


def _entered(clock: _Clock, stage: str) -> None:
    clock.enter(_STAGES.get(stage, stage))


if __name__ == "__main__":
    sys.exit(main())
