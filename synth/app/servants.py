"""Python processes that work on one thing after another, for processes that have threads and so can't fork.

Not by ``multiprocessing``: a Dask worker may have no such children.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from synth.app.workers import Cause, JobCrashed, die_with_parent


@dataclass(frozen=True)
class Servant:
    """A process that takes work by a connection, and tells stages and at the end an answer."""

    connection: Connection
    process: subprocess.Popen[bytes]

    @staticmethod
    def start(function: str) -> Servant:
        """One in which a function of a module (``module.name``) takes the work, as :func:`serve` does."""
        module, _, name = function.rpartition(".")
        command = f"from sys import argv; from {module} import {name}; {name}(int(argv[1]), int(argv[2]))"
        ours, theirs = Pipe()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", command, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                pass_fds=[theirs.fileno()],
            )
        return Servant(ours, process)

    def takes(self, work: object) -> bool:
        """Whether work could be handed over: it may have been killed meanwhile."""
        with suppress(OSError):
            self.connection.send(work)
            return True
        return False

    def news(self) -> Any:
        """What it tells, None if nothing yet; if it ended without an answer, that it is JobCrashed."""
        try:
            return self.connection.recv() if self.connection.poll() else None
        except (EOFError, ConnectionError):
            return JobCrashed(f"the prover ended with status {self.process.wait()}", 0.0, Cause.CLUSTER)

    def has_ended(self) -> bool:
        """Whether it can't take more work."""
        return self.process.poll() is not None

    def kill(self) -> None:
        """End it, whatever it does."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


def serve(descriptor: int, parent: int, answer: Callable[[Any, Connection], object]) -> NoReturn:
    """In a servant: answer what comes by the connection, until it is closed or the parent has gone."""
    die_with_parent(parent)
    connection = Connection(descriptor)
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(answer(connection.recv(), connection))
    sys.exit(0)
