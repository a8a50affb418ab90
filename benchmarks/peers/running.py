"""A peer's command on one of its own programs: what it says, in the words of the table, and how long it takes."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Peer:
    """A tool: what its answers mean, how it is asked, and the mechanisms that it and synth are both asked about."""

    name: str
    meaning: str
    arguments: Sequence[str]
    says: Sequence[tuple[str, str]]
    rows: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Installed:
    """Where a peer is on this machine: the command, the folder of its programs, and which version that is."""

    command: Sequence[str]
    sources: str
    version: str


@dataclass(frozen=True)
class Answer:
    """What a peer said, and its seconds on the clock and of the processor; None if the time ran out."""

    words: str
    seconds: float | None
    processor: float | None


def read_peers(path: Path = HERE / "peers.toml") -> Mapping[str, Peer]:
    """All peers that rows are known of."""
    return {key: _peer(table) for key, table in _tables(path).items()}


def read_installed(path: Path) -> Mapping[str, Installed]:
    """The peers on this machine.

    Raises:
        ValueError: if a table lacks a key, or has one that means nothing.
    """
    found = {}
    for key, table in _tables(path).items():
        try:
            found[key] = Installed(**table)
        except TypeError:
            raise ValueError(f"{path}: [{key}] has the keys command, sources and version") from None
    return found


def ask(peer: Peer, installed: Installed, row: str, limit: float) -> Answer:
    """Runs the peer alone, in an empty folder, and ends it and all that it started after ``limit`` seconds."""
    places = {"sources": installed.sources, "here": str(HERE.resolve())}
    command = [*installed.command, *(text.format(**places) for text in [*peer.arguments, *peer.rows[row]])]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as output:
        started, used = time.perf_counter(), _processor()
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            return Answer("no answer", None, None)
        finally:
            seconds = time.perf_counter() - started
            _end(process)
        output.seek(0)
        said = output.read().decode("utf-8", errors="replace")
    return Answer(verdict(peer, said), round(seconds, 2), round(_processor() - used, 2))


def verdict(peer: Peer, output: str) -> str:
    """The table's words for what a peer printed; its last line if it is none that is known."""
    for pattern, words in peer.says:
        if found := re.search(pattern, output, re.MULTILINE):
            return found.expand(words)
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return f"error: {lines[-1]}" if lines else "error: no output"


def _processor() -> float:
    """Processor seconds of all processes that ended below this one."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _peer(table: Mapping[str, Any]) -> Peer:
    says = [(pattern, words) for pattern, words in table["says"]]
    return Peer(table["name"], table["meaning"], table["arguments"], says, table["rows"])


def _tables(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
