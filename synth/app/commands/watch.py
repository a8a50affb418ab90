"""``synth watch``: runs ``synth prove`` each time that a file is saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from click import ClickException

from synth.app.configuration import files_for
from synth.trusted.errors import UsageError

_PAUSE, _SHARE = 0.05, 20
"""Seconds between two looks at the files, at the least, and how many times as long as a look takes."""

_SUFFIXES = (".py", ".toml")

_State = Mapping[str, tuple[int, int, int]]
"""When each file was written, how long it is, and which one it is."""


def run(arguments: Sequence[str], named: Callable[[], Iterable[Path]]) -> int:
    """Prove now and after each change of what is named, or lies beside it, until Ctrl-C.

    What is ``named`` is asked for again then: options in pyproject.toml may have changed.  Raises UsageError
    if it can't be told at the beginning.
    """
    places, options = tuple(dict.fromkeys(named())), tuple(files_for(Path.cwd()))
    seen: _State | None = None
    process: subprocess.Popen[bytes] | None = None
    ready: subprocess.Popen[bytes] | None = None
    try:
        while True:
            began = time.monotonic()
            state = {**dict(_state(places)), **dict(_seen(options))}
            pause = max(_PAUSE, _SHARE * (time.monotonic() - began))
            if state != seen:
                with suppress(UsageError, ClickException):  # which the command is about to say
                    places = tuple(dict.fromkeys(named()))
                seen = {**dict(_state(places)), **dict(_seen(options))}
                _end(process)
                process, ready = _told(_waiting(ready), arguments), None
            elif process is not None and process.poll() is not None:
                print("synth: waiting for a change; Ctrl-C ends", file=sys.stderr, flush=True)
                process, ready = None, _waiting(ready)
            time.sleep(pause)
    finally:
        _end(process)
        _end(ready)


def _waiting(ready: subprocess.Popen[bytes] | None) -> subprocess.Popen[bytes]:
    """A process that loads what a proof needs, and waits: the one that is there, unless it has died."""
    if ready is not None and ready.poll() is None:
        return ready
    return subprocess.Popen([sys.executable, "-P", "-m", "synth.app.ready"], stdin=subprocess.PIPE)


def _told(ready: subprocess.Popen[bytes], arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """The process, now at work."""
    assert ready.stdin is not None
    with suppress(BrokenPipeError), ready.stdin:  # if it has died, it is seen to have ended
        ready.stdin.write(f"{json.dumps(arguments)}\n".encode())
    return ready


def _end(process: subprocess.Popen[bytes] | None) -> None:
    """End the work on an older text."""
    if process is not None:
        process.terminate()
        process.wait()


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
