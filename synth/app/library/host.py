"""A Python process of its own for each call of the library, in which the workers are started and ended.

So a call works in notebooks, in threads and in processes with many threads: nothing is forked there, no
signal's handler is changed, and no solver is loaded.  The process ends with the call, and with its caller.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, NoReturn

from synth.app.defects import defect
from synth.app.workers import deepen
from synth.trusted.errors import InternalError, SynthError

_COMMAND = "from sys import argv; from synth.app.library.host import serve; serve(int(argv[1]), int(argv[2]))"
_LOOK = 1.0
"""Seconds between two looks whether the caller is still there."""

_ENDING = 2.0
"""Seconds for the process to take its workers along."""


def given_out(work: str, *arguments: object) -> Generator[Any]:
    """What a function of :mod:`synth.app.library.work` gives out, one by one, in a process that ends with the
    generator.

    Raises the SynthErrors of the work, and InternalError.
    """
    ours, theirs = Pipe()
    with ours:
        with theirs:
            process = _started(theirs.fileno())
        try:
            ours.send_bytes(pickle.dumps((work, arguments)))
            yield from _received(ours, process)
        except OSError as error:
            raise _broken(process) from error
        finally:
            _end(process)


def _started(descriptor: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _COMMAND, str(descriptor), str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        pass_fds=[descriptor],
        process_group=0,  # Ctrl-C is for the caller, who ends this process
    )


def _received(connection: Connection, process: subprocess.Popen[bytes]) -> Iterator[Any]:
    while True:
        try:
            message = connection.recv()
        except EOFError:
            raise _broken(process) from None
        match message:
            case ("item", item):
                yield item
            case ("error", kind, fields, notes):
                raise _error(kind, fields, notes)
            case _:
                return


def _error(kind: type[SynthError], fields: dict[str, Any], notes: list[str]) -> SynthError:
    error = kind(**fields)
    for note in notes:
        error.add_note(note)
    return error


def _broken(process: subprocess.Popen[bytes]) -> InternalError:
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDING)
    return InternalError(f"internal error: the process for the call ended with status {process.returncode}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_ENDING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# --- in the process -------------------------------------------------------------------------


def serve(descriptor: int, caller: int) -> NoReturn:
    """Do the work that comes by a connection, and send what it gives out."""
    _watch(caller)
    deepen()
    connection = Connection(descriptor)
    try:
        work, arguments = pickle.loads(connection.recv_bytes())
        for item in getattr(import_module("synth.app.library.work"), work)(*arguments):
            connection.send(("item", item))
        connection.send(("end",))
    except SynthError as error:
        connection.send(_failure(error))
    except Exception as error:
        connection.send(_failure(defect(error)))
    sys.exit(0)


def _failure(error: SynthError) -> tuple[object, ...]:
    fields = {name: value for name, value in vars(error).items() if name != "__notes__"}
    return ("error", type(error), fields, getattr(error, "__notes__", []))


def _watch(caller: int) -> None:
    """End this process, with its workers, once its caller is gone."""

    def look(number: int, frame: FrameType | None) -> None:
        if os.getppid() != caller:
            sys.exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
