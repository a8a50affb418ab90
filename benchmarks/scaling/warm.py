"""From the save of a file to the verdict of ``synth watch``, of a mechanism that was edited, or only moved.

    python benchmarks/scaling/warm.py [NAME...] [--saves N]

Of each mechanism of the suite that is to be proved, a copy of the file is watched; a remark is put into the
mechanism, or a line above it, and the file is saved.  The median of some saves counts, in seconds on the
clock, so it says little on a busy machine.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO

from cold import environment

from synth.app.benchmark.expectations import Expectation, read_list
from synth.app.benchmark.measuring import solver_import_seconds

HERE = Path(__file__).parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a Markdown table and the medians."""
    parser = argparse.ArgumentParser(description="From save to verdict.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all that are to be proved if left out")
    parser.add_argument("--saves", type=int, default=3)
    options = parser.parse_args(arguments)
    listed = [item for item in read_list(HERE.parent / "expected.toml") if item.verdict == "proved"]
    chosen = [item for item in listed if not options.names or item.name in options.names]
    print(f"import of the solvers: {solver_import_seconds():.2f} s\n")
    print("| mechanism | edited, s | moved, s |\n|---|---:|---:|")
    edits, moves = [], []
    for item in chosen:
        edits.append(_saved(item, options.saves, _with_remark))
        moves.append(_saved(item, options.saves, _with_line_above))
        print(f"| `{item.name}` | {edits[-1]:.2f} | {moves[-1]:.2f} |", flush=True)
    print(f"\n{len(chosen)} mechanisms: median {median(edits):.2f} s edited, {median(moves):.2f} s moved")
    return 0


Edit = Callable[[str, str, int], str]
"""A text, the name of a mechanism and a number, to the text that is saved."""


def _with_remark(text: str, name: str, number: int) -> str:
    (function,) = (
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    lines = text.splitlines(keepends=True)
    lines.insert(function.body[0].lineno - 1, f"    # remark {number}\n")
    return "".join(lines)


def _with_line_above(text: str, _name: str, number: int) -> str:
    return f"# line {number}\n{text}"


def _saved(item: Expectation, saves: int, edit: Edit) -> float:
    """The median of the seconds from a save to its verdict, the first proof aside."""
    text = Path(item.file).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "watched.py"
        program.write_text(text, encoding="utf-8")
        with _watching(f"{program}::{item.name}", Path(folder) / "cache") as output:
            _verdict(output)
            spent = []
            for number in range(saves):
                time.sleep(1.0)
                started = time.perf_counter()
                program.write_text(edit(text, item.name, number), encoding="utf-8")
                _verdict(output)
                spent.append(time.perf_counter() - started)
    return median(spent)


@contextmanager
def _watching(target: str, cache: Path) -> Iterator[IO[str]]:
    command = [sys.executable, "-m", "synth", "watch", target, "--output-format=jsonl"]
    kept = {**environment(), "SYNTH_CACHE": str(cache)}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=kept,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()


def _verdict(output: IO[str]) -> None:
    """Wait for the next verdict."""
    if not any("verdict" in json.loads(line) for line in output):
        raise SystemExit("synth watch has ended")


if __name__ == "__main__":
    sys.exit(main())
