"""A folder of mechanisms on one Dask worker, on two, and without a cluster.

    python benchmarks/scaling/cluster.py [--mechanisms N] [--workers 1,2]

The folder has the smallest members of ten families, one file each, again and again under other names.  All
processes are on this machine, so no more workers help than it has cores; the client checks what they send.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cold import environment
from families import FAMILIES, program

CHOSEN = 10
SECONDS_TO_START = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a Markdown table."""
    parser = argparse.ArgumentParser(description="A folder on a cluster.")
    parser.add_argument("--mechanisms", type=int, default=200)
    parser.add_argument("--workers", type=lambda text: [int(item) for item in text.split(",")], default=[1, 2])
    options = parser.parse_args(arguments)
    print("| where | mechanisms | verdicts | s |\n|---|---:|---|---:|")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder)
        _write(library, options.mechanisms)
        for number in options.workers:
            print(_line(f"`--workers {number}`", library, "--workers", str(number)), flush=True)
        for number in options.workers:
            with _cluster(library, number) as address:
                print(_line(f"a cluster of {number}", library, "--cluster", address), flush=True)
    return 0


def _write(folder: Path, mechanisms: int) -> None:
    for number in range(mechanisms):
        family = FAMILIES[number % CHOSEN]
        (folder / f"{family.name}_{number}.py").write_text(program(family, 1), encoding="utf-8")


def _line(where: str, library: Path, *options: str) -> str:
    command = [sys.executable, "-m", "synth", "prove", str(library), "--json", "--no-cache", *options]
    started = time.perf_counter()
    finished = subprocess.run(command, capture_output=True, env=environment(), check=False)
    seconds = time.perf_counter() - started
    results = json.loads(finished.stdout)["results"]
    verdicts = Counter(item["verdict"] for item in results)
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    return f"| {where} | {len(results)} | {said} | {seconds:.1f} |"


@contextmanager
def _cluster(folder: Path, workers: int) -> Iterator[str]:
    """The address of a scheduler with that many workers of one thread each, on this machine."""
    told = folder / "scheduler.json"
    with ExitStack() as running:
        running.callback(told.unlink, missing_ok=True)
        running.enter_context(_dask("scheduler", "--scheduler-file", str(told), "--port", "0", "--no-dashboard"))
        address = _address(told)
        for _ in range(workers):
            running.enter_context(_dask("worker", address, "--nthreads", "1", "--no-dashboard"))
        yield address


@contextmanager
def _dask(*arguments: str) -> Iterator[None]:
    command = [sys.executable, "-m", "dask", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _address(told: Path) -> str:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if told.exists() and (text := told.read_text(encoding="utf-8")):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise SystemExit("dask scheduler doesn't start")


if __name__ == "__main__":
    sys.exit(main())
