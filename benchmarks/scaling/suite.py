"""The suite in cold processes by processor time, where ``synth bench`` gives wall time.

    python benchmarks/scaling/suite.py [--repeat N] [--output FILE]

Only what is to be proved; refuting has limits of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from cold import prove_cold

from synth.app.benchmark.expectations import Expectation, read_list

HERE = Path(__file__).parent
TIMEOUT = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all, print a Markdown table and the totals, and write the rows."""
    parser = argparse.ArgumentParser(description="The suite by processor time.")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the fastest counts")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "suite.json")
    options = parser.parse_args(arguments)
    chosen = [item for item in read_list(HERE.parent / "expected.toml") if item.verdict == "proved"]
    print("| mechanism | verdict | s | checking / finding | MB |\n|---|---|---:|---:|---:|")
    rows = []
    for item in chosen:
        rows.append(_row(item, options.repeat))
        print(_line(rows[-1]), flush=True)
    times = [float(row["processor"]) for row in rows]
    ratios = [float(row["checking"]) for row in rows if row["checking"] is not None]
    most = max(row["megabytes"] for row in rows)
    slowest = max(times)
    print(f"\n{len(rows)} rows: {sum(times):.1f} s, median {median(times):.2f} s, longest {slowest:.2f} s")
    print(
        f"checking / finding: median {median(ratios):.2f}, most {max(ratios):.2f}; most memory: {most:.0f} MB"
    )
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def _row(item: Expectation, repeat: int) -> dict[str, Any]:
    best: dict[str, Any] = {}
    for _ in range(repeat):
        results, cost = prove_cold(f"{item.file}::{item.name}", TIMEOUT)
        if best and best["processor"] <= cost.processor:
            continue
        result = results[0] if results else {}
        checking = result.get("seconds_checking")
        best = {
            "mechanism": item.name,
            "verdict": result.get("verdict", "error"),
            "processor": cost.processor,
            "wall": cost.wall,
            "megabytes": cost.megabytes,
            "checking": None if checking is None else round(checking / (result["seconds"] - checking), 3),
        }
    return best


def _line(row: dict[str, Any]) -> str:
    checking = "–" if row["checking"] is None else f"{row['checking']:.0%}"
    said = f"| `{row['mechanism']}` | {row['verdict']} | {row['processor']:.2f} | {checking} "
    return f"{said}| {row['megabytes']:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
