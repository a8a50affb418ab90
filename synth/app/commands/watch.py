"""``synth watch``: runs ``synth prove`` each time that a file is saved."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

_PAUSE = 0.3
"""Seconds between two looks at the files."""

_SUFFIXES = (".py", ".toml")

_State = Mapping[str, tuple[int, int, int]]
"""When each file was written, how long it is, and which one it is."""


def run(arguments: Sequence[str], named: Iterable[Path]) -> int:
    """Prove now and after each change of what is named, or lies beside it, until Ctrl-C."""
    places = tuple(dict.fromkeys(named))
    seen: _State | None = None
    process: subprocess.Popen[bytes] | None = None
    try:
        while True:
            state = dict(_state(places))
            if state != seen:
                seen = state
                _end(process)
                process = _started(arguments)
            elif process is not None and process.poll() is not None:
                print("synth: waiting for a change; Ctrl-C ends", file=sys.stderr, flush=True)
                process = None
            time.sleep(_PAUSE)
    finally:
        _end(process)


def _started(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "synth", "prove", *arguments]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def _end(process: subprocess.Popen[bytes] | None) -> None:
    """End the work on an older text."""
    if process is not None:
        process.terminate()
        process.wait()


def _state(places: Iterable[Path]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The files below the folders that are named, and in the folders of the files: they may import them."""
    for place in places:
        for folder, folders, names in os.walk(place if place.is_dir() else place.parent):
            folders[:] = [item for item in folders if not item.startswith((".", "__"))]
            if not place.is_dir():
                folders.clear()
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(_SUFFIXES):
                    try:
                        found = os.stat(path)
                    except OSError:  # it is gone, or a link to nowhere
                        continue
                    yield path, (found.st_mtime_ns, found.st_size, found.st_ino)
