"""A folder of mechanisms, or one hard one, on one Dask worker, on two, and without a cluster.

    python benchmarks/scaling/cluster.py [--mechanisms N] [--per-file N] [--workers 1,2] [--only cluster]
    python benchmarks/scaling/cluster.py --hard FILE::NAME [--workers 1,2]

The folder has the smallest members of ten families, one file each, again and again under other names; with
``--per-file`` its files have so many mechanisms each.  All processes are on this machine, so no more workers
help than it has cores; the client checks what they send.  ``--hard`` tells what each shard of the search
takes; its counts are the same on each machine, however busy.
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
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from pathlib import Path

from cold import environment
from families import FAMILIES, NAME, program

from synth.app.targets import read_mechanism
from synth.prover.prove import Proved, prove
from synth.prover.search.shard import Shard
from synth.prover.templates.loading import load_templates
from synth.support.statistics import STRATEGIES, Stopwatch
from synth.trusted.program.syntax import Mechanism

CHOSEN = 10
SECONDS_TO_START = 60.0
SECONDS_TO_READ = 600.0
SEARCH = "search"
LOCAL, CLUSTER = PLACES = ("local", "cluster")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a Markdown table."""
    parser = argparse.ArgumentParser(description="A folder on a cluster.")
    parser.add_argument("--mechanisms", type=int, default=200)
    parser.add_argument("--per-file", type=int, default=1, metavar="N", help="mechanisms in each file")
    parser.add_argument("--hard", action="append", default=[], metavar="FILE::NAME", help="one mechanism")
    parser.add_argument(
        "--workers", type=lambda text: [int(item) for item in text.split(",")], default=[1, 2]
    )
    parser.add_argument("--only", choices=PLACES, action="append", help="only there")
    options = parser.parse_args(arguments)
    if options.hard:
        return _measure_shards(options.hard, options.workers)
    print("| where | mechanisms | verdicts | s |\n|---|---:|---|---:|")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder)
        _write(library, options.mechanisms, options.per_file)
        places = options.only or PLACES
        for number in options.workers if LOCAL in places else ():
            print(_line(f"`--workers {number}`", library, "--workers", str(number)), flush=True)
        for number in options.workers if CLUSTER in places else ():
            with _cluster(library, number) as address:
                print(_line(f"a cluster of {number}", library, "--cluster", address), flush=True)
    return 0


def _write(folder: Path, mechanisms: int, per_file: int) -> None:
    for number, first in enumerate(range(0, mechanisms, per_file)):
        places = range(first, min(first + per_file, mechanisms))
        head, *_ = _parts(0)
        text = "\n\n".join([head, *(_parts(place)[1].replace(NAME, f"{NAME}{place}") for place in places)])
        (folder / f"file{number}.py").write_text(text, encoding="utf-8")


def _parts(place: int) -> tuple[str, str]:
    """The imports, and the mechanism of that place in the folder."""
    head, separator, mechanism = program(FAMILIES[place % CHOSEN], 1).partition("@mechanism")
    return head, separator + mechanism


def _measure_shards(targets: Sequence[str], counts: Sequence[int]) -> int:
    print("| mechanism | shards | shard | verdict | bound | strategies | questions | processor s |")
    print("|---|---:|---:|---|---|---:|---:|---:|")
    for target in targets:
        mechanism = read_mechanism(target, seconds=SECONDS_TO_READ)
        for count in counts:
            for number in range(count):
                with ProcessPoolExecutor(1, get_context("fork")) as process:
                    said = process.submit(_of_shard, mechanism, number, count).result()
                cells = [mechanism.name, count, number, *said]
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return 0


def _of_shard(mechanism: Mechanism, number: int, count: int) -> tuple[object, ...]:
    """What a shard finds, strategies that it tries, questions to solvers, and processor seconds."""
    watch, started = Stopwatch(SEARCH), time.process_time()
    found = prove(mechanism, load_templates(()), shard=Shard(number, count))
    effort, seconds = watch.effort(), time.process_time() - started
    questions = sum(effort.solver_calls.values())
    verdict = "proved" if isinstance(found, Proved) and found.checked.within_claim else "unknown"
    return verdict, found.epsilon, effort.search.get(STRATEGIES, 0), questions, f"{seconds:.1f}"


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
        running.enter_context(
            _dask("scheduler", "--scheduler-file", str(told), "--port", "0", "--no-dashboard")
        )
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
