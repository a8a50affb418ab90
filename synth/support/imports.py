"""Modules are imported quickly: nothing is collected, and methods of dataclasses are kept as bytecode is.

A dataclass writes its methods as texts and compiles them, which takes a fifth of the time to import synth.
So the code of each text is kept in a file beside the bytecode, and is the same code.  What verdicts rest on
(:mod:`synth.trusted`) has no part in that: its methods are compiled each time.
"""

from __future__ import annotations

import dataclasses
import marshal
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source
from types import CodeType
from typing import Any

from synth.support.collection import no_collection

_MOST = 10_000
"""Texts in the file: in time it gathers those of classes that have changed since."""

_EXEC = "exec"


class Methods:
    """The code of texts that dataclasses have written, and what of it is not in the file yet."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.kept = {} if path is None else _read(path)
        self.fresh: dict[str, bytes] = {}

    def execute(self, text: str, scope: dict[str, Any], *local: dict[str, Any]) -> None:
        """Do what ``exec`` does, which dataclasses call."""
        name = str(scope.get("__name__"))
        if not name.startswith("synth.") or name.startswith("synth.trusted."):
            exec(_compiled(text), scope, *local)
            return
        data = self.kept.get(text) or self.fresh.get(text)
        code = _compiled(text) if data is None else marshal.loads(data)
        if data is None:
            self.fresh[text] = marshal.dumps(code)
        exec(code, scope, *local)

    def write(self) -> None:
        """Keep what is fresh, unless no bytecode is written here."""
        if self.path is None or not self.fresh or sys.dont_write_bytecode:
            return
        self.kept = {**(self.kept if len(self.kept) < _MOST else {}), **self.fresh}
        self.fresh = {}
        temporary = f"{self.path}.{os.getpid()}"
        with suppress(OSError):
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with open(temporary, "xb") as file:
                file.write(MAGIC_NUMBER + marshal.dumps(self.kept))
            os.replace(temporary, self.path)


@contextmanager
def quickly() -> Iterator[Methods]:
    """Import modules inside."""
    methods = _methods()
    names = vars(dataclasses)
    if _EXEC in names:
        yield methods
        return
    names[_EXEC] = methods.execute  # found before Python's own
    try:
        with no_collection():
            yield methods
    finally:
        del names[_EXEC]
        methods.write()


@cache
def _methods() -> Methods:
    try:
        return Methods(f"{cache_from_source(__file__)}.methods")
    except NotImplementedError:  # this Python keeps no bytecode
        return Methods(None)


def _read(path: str) -> dict[str, bytes]:
    """What is in the file; nothing if it can't be read, or is of another Python."""
    with suppress(OSError, EOFError, ValueError, TypeError), open(path, "rb") as file:
        if file.read(len(MAGIC_NUMBER)) == MAGIC_NUMBER:
            found = marshal.load(file)
            return found if isinstance(found, dict) else {}
    return {}


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<string>", "exec", dont_inherit=True)
