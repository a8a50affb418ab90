"""``synth watch``: runs ``synth prove`` each time that a file is saved."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from click import ClickException

from synth.app.configuration import files_for
from synth.app.loading import load_command, load_models
from synth.app.session import Session
from synth.app.workers import die_with_parent
from synth.support.leaving import run_and_leave
from synth.trusted.errors import UsageError

_PAUSE, _SHARE = 0.05, 20
"""Seconds between two looks at the files, at the least, and how many times as long as a look takes."""

_SUFFIXES = (".py", ".toml")

_State = Mapping[str, tuple[int, int, int]]
"""When each file was written, how long it is, and which one it is."""


Prove = Callable[[Session], object]
"""Does what ``synth prove`` does, and ends by SystemExit."""


def run(prove: Prove, named: Callable[[], Iterable[Path]]) -> int:
    """Prove now and after each change of what is named, or lies beside it, until Ctrl-C.

    What is ``named`` is asked for again then: options in pyproject.toml may have changed.  Raises UsageError
    if it can't be told at the beginning.
    """
    places, options = tuple(dict.fromkeys(named())), tuple(files_for(Path.cwd()))
    seen: _State | None = None
    work: _Work | None = None
    accepted: frozenset[str] = frozenset()
    try:
        load_command()
        load_models()
        while True:
            began = time.monotonic()
            options_state = dict(_seen(options))
            state = {**dict(_state(places)), **options_state}
            pause = max(_PAUSE, _SHARE * (time.monotonic() - began))
            if work is not None and work.told.poll():
                accepted = work.accepted(accepted)
            if state != seen:
                with suppress(UsageError, ClickException):  # which the command is about to say
                    places = tuple(dict.fromkeys(named()))
                seen = {**dict(_state(places)), **options_state}  # what changes while they are read is new
                _end(work)
                work = _Work.begun(prove, accepted)
            elif work is not None and not work.process.is_alive():
                print("synth: waiting for a change; Ctrl-C ends", file=sys.stderr, flush=True)
                work = None
            time.sleep(pause)
    finally:
        _end(work)


@dataclass(frozen=True)
class _Work:
    """A run of ``synth prove``, in a process that begins with all that is loaded here."""

    process: BaseProcess
    told: Connection

    @staticmethod
    def begun(prove: Prove, accepted: frozenset[str]) -> _Work:
        """Begin it, with what the kernel has accepted before."""
        context = multiprocessing.get_context("fork")
        told, telling = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(prove, accepted, telling, os.getpid()))
        process.start()
        telling.close()
        return _Work(process, told)

    def accepted(self, before: frozenset[str]) -> frozenset[str]:
        """What the kernel has accepted by now, as far as that is told."""
        with suppress(EOFError, OSError):
            found: frozenset[str] = self.told.recv()
            return found
        return before


def _work(prove: Prove, accepted: frozenset[str], telling: Connection, parent: int) -> None:
    die_with_parent(parent)
    run_and_leave(lambda: prove(Session(accepted, telling.send)))


def _end(work: _Work | None) -> None:
    """End the work on an older text."""
    if work is not None:
        work.process.terminate()
        work.process.join()
        work.told.close()


def _state(places: Iterable[Path]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The files below the folders that are named, and those that the files may import.

    These are beside a file, or its outermost package, and in the packages and stubs below.
    """
    for place in places:
        for folder, folders, names in os.walk(place if place.is_dir() else _root(place.resolve().parent)):
            folders[:] = [item for item in folders if not item.startswith((".", "__"))]
            if not place.is_dir():
                folders[:] = [item for item in folders if _has_programs(os.path.join(folder, item))]
            yield from _seen(os.path.join(folder, name) for name in names if name.endswith(_SUFFIXES))


def _seen(paths: Iterable[str | Path]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    for path in paths:
        with suppress(OSError):  # it is gone, or a link to nowhere
            found = os.stat(path)
            yield str(path), (found.st_mtime_ns, found.st_size, found.st_ino)


def _root(folder: Path) -> Path:
    """The folder that a package lies in, or the folder itself."""
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _has_programs(folder: str) -> bool:
    with suppress(OSError):
        return any(name.endswith(".py") for name in os.listdir(folder))
    return False
