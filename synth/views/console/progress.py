"""One line on a terminal that says what is being worked on; nothing anywhere else."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from synth.support.display import shown

_CLEAR = "\r\x1b[2K"


@dataclass
class Progress:
    """The jobs by name, and the stages of those that run."""

    names: Sequence[str]
    stream: TextIO
    active: bool
    stages: dict[int, tuple[str, float]] = field(default_factory=dict)
    finished: int = 0
    line: str = ""

    @staticmethod
    def on_terminal(names: Sequence[str]) -> Progress:
        """Shown on standard error if that is a terminal."""
        capable = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        return Progress(names, sys.stderr, capable)

    def stage(self, number: int, stage: str) -> None:
        """Job ``number`` is at a new stage."""
        started = self.stages[number][1] if number in self.stages else time.monotonic()
        self.stages[number] = stage, started
        self.draw()

    def done(self, number: int) -> None:
        """Job ``number`` has ended."""
        self.stages.pop(number, None)
        self.finished += 1

    def draw(self) -> None:
        """Write the line again."""
        if not self.active or not self.stages:
            return
        now = time.monotonic()
        parts = [
            shown(f"{self.names[number]}: {stage} ({now - started:.0f} s)")
            for number, (stage, started) in sorted(self.stages.items())
        ]
        count = f"[{self.finished} of {len(self.names)}] " if len(self.names) > 1 else ""
        line = (count + " · ".join(parts))[: shutil.get_terminal_size().columns - 1]
        if line != self.line:
            self._write(line)

    def clear(self) -> None:
        """Take the line away, for other output."""
        if self.line:
            self._write("")

    def _write(self, line: str) -> None:
        self.stream.write(_CLEAR + line)
        self.stream.flush()
        self.line = line
