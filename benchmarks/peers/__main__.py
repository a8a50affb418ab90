"""synth beside other tools, on the rows that both are asked about, in one run.

    python -m benchmarks.peers --installed PEERS.toml [--peer NAME ...] [--row GLOB ...]
        [--limit SECONDS] [--output FOLDER]

PEERS.toml says where the tools are on this machine, each built as its own documentation says, outside of synth's environment:

    [statdp]
    command = ["/opt/peers/statdp/bin/python"]
    sources = "/opt/peers/statdp"
    version = "commit d1f1e8f"

Each row is asked of synth in a cold process, then of the tool; one process at a time. After each row, peers.json
and peers.md are written anew.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.peers.running import HERE, Installed, Peer, ask, read_installed, read_peers
from benchmarks.peers.table import Line, markdown
from benchmarks.scaling.cold import prove_cold

PROGRAMS = HERE.parent / "public"
SYNTH_LIMIT = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and write the tables."""
    options = _options(arguments)
    peers = read_peers()
    try:
        installed = read_installed(options.installed)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    chosen = options.peer or [key for key in peers if key in installed]
    if missing := [key for key in chosen if key not in peers or key not in installed]:
        print(f"not known here: {', '.join(missing)}", file=sys.stderr)
        return 2
    lines: list[Line] = []
    asked = {key: _with_rows(peers[key], options.row or ["*"]) for key in chosen}
    if not any(peer.rows for peer in asked.values()):
        print("no row is asked for", file=sys.stderr)
        return 2
    for line in _lines(asked, installed, options.limit):
        lines.append(line)
        print(f"{line.peer} {line.row}: {line.words}, ratio {line.ratio:.2g}", flush=True)
        _write(options.output, lines, peers, installed)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description="synth beside other tools.")
    parser.add_argument("--installed", type=Path, required=True, help="where the tools are (TOML)")
    parser.add_argument("--peer", action="append", help="a tool, by its key in peers.toml; else all that are there")
    parser.add_argument("--row", action="append", help="mechanisms of benchmarks/public, as FILE::NAME; * for any")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each answer of a tool")
    parser.add_argument("--output", type=Path, default=Path("peers-results"))
    return parser.parse_args(arguments)


def _with_rows(peer: Peer, patterns: Sequence[str]) -> Peer:
    kept = {row: told for row, told in peer.rows.items() if any(fnmatch(row, pattern) for pattern in patterns)}
    return replace(peer, rows=kept)


def _lines(peers: Mapping[str, Peer], installed: Mapping[str, Installed], limit: float) -> Iterator[Line]:
    truth = _truth()
    for key, peer in peers.items():
        for row in peer.rows:
            load = os.getloadavg()[0]
            results, cost = prove_cold(str(PROGRAMS / row), SYNTH_LIMIT)
            said = str(results[0]["verdict"]) if results else "error"
            answer = ask(peer, installed[key], row, limit)
            yield Line(
                key,
                row,
                truth[row],
                said,
                cost.wall,
                cost.processor,
                answer.words,
                answer.seconds,
                answer.processor,
                limit,
                load,
            )


def _truth() -> Mapping[str, bool]:
    table = tomllib.loads((PROGRAMS / "truth.toml").read_text(encoding="utf-8"))
    return {row["function"]: row["holds"] for row in table["mechanism"]}


def _write(
    folder: Path, lines: Sequence[Line], peers: Mapping[str, Peer], installed: Mapping[str, Installed]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    keys = list(dict.fromkeys(line.peer for line in lines))
    records = {
        "date": date.today().isoformat(),
        "versions": {key: installed[key].version for key in keys},
        "rows": [{**asdict(line), "ratio": round(line.ratio, 3)} for line in lines],
    }
    loads = [line.load for line in lines]
    parts = [f"On {records['date']}, at load {min(loads):.1f} to {max(loads):.1f}.\n"]
    for key in keys:
        parts.append(f"### {peers[key].name}\n\nAt {installed[key].version}. An answer is {peers[key].meaning}\n")
        parts.append(markdown([line for line in lines if line.peer == key]))
    (folder / "peers.json").write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "peers.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
