"""Cold runs of ``synth``: what each prints, its wall time and its peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import IO

from synth.app.workers import die_with_parent, dying_cleanly

_PAUSE = 0.005
_IMPORTS = 5


@dataclass(frozen=True)
class Measured:
    """One run: exit status, output, seconds, and megabytes at the most."""

    status: int
    output: str
    errors: str
    seconds: float
    megabytes: float


@dataclass
class _Running:
    number: int
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]
    started: float


def measure(
    commands: Sequence[Sequence[str]],
    workers: int,
    on_stage: Callable[[int, str], None],
    on_tick: Callable[[], None],
) -> Generator[Measured]:
    """Run commands of ``synth``, ``workers`` at a time; the measurements come in their order."""
    running: list[_Running] = []
    done: dict[int, Measured] = {}
    waiting = iter(enumerate(commands))
    with dying_cleanly():
        try:
            for number in range(len(commands)):
                while number not in done:
                    while len(running) < workers and (following := next(waiting, None)) is not None:
                        running.append(_start(*following))
                        on_stage(following[0], "running")
                    for item in list(running):
                        measured = _finished(item)
                        if measured is not None:
                            running.remove(item)
                            done[item.number] = measured
                    on_tick()
                    time.sleep(_PAUSE)
                yield done.pop(number)
        finally:
            for item in running:
                item.process.kill()
                item.process.wait()


def solver_import_seconds() -> float:
    """What a process takes that only imports the solvers: a measure of this machine at this time."""
    spent = []
    for _ in range(_IMPORTS):
        started = time.monotonic()
        subprocess.run([sys.executable, "-c", "import z3, cvc5, pysmt.shortcuts"], check=True)
        spent.append(time.monotonic() - started)
    return median(spent)


def _start(number: int, arguments: Sequence[str]) -> _Running:
    command = [sys.executable, "-m", "synth", *arguments]
    output = tempfile.TemporaryFile()  # noqa: SIM115  closed in _content
    errors = tempfile.TemporaryFile()  # noqa: SIM115
    parent = os.getpid()
    started = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        preexec_fn=lambda: die_with_parent(parent),
    )
    return _Running(number, process, output, errors, started)


def _finished(item: _Running) -> Measured | None:
    """The measurement, once the process has ended; its own worker counts too."""
    process, status, usage = os.wait4(item.process.pid, os.WNOHANG)
    if process == 0:
        return None
    seconds = time.monotonic() - item.started
    item.process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1024 if sys.platform == "linux" else 1024 * 1024
    return Measured(
        item.process.returncode,
        _content(item.output),
        _content(item.errors),
        seconds,
        usage.ru_maxrss / unit,
    )


def _content(file: IO[bytes]) -> str:
    with file:
        file.seek(0)
        return file.read().decode(errors="replace")
