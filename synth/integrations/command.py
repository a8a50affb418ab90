"""``synth prove`` about one mechanism, in a process of its own: its exit status and what it prints."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROVED, REFUTED, WRONG_USAGE, UNKNOWN, UNREADABLE = range(5)
"""Exit statuses of ``synth prove``."""


@dataclass(frozen=True)
class Said:
    """The exit status of the command, and what it printed for people."""

    status: int
    text: str


def proved(target: str, options: Sequence[str] = (), folder: Path | None = None) -> Said:
    """Say what becomes of ``FILE::NAME``; names are relative to the folder (None: the working folder)."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "synth", "prove", "--output-format=full", *options, "--", target],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        encoding="utf-8",
        errors="replace",
    )
    return Said(done.returncode, done.stdout.strip())
