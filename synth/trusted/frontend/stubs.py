"""The texts of stubs: models of library functions, each an ordinary program text that is parsed, never run.

The stub of the module ``numpy.random`` is the file ``numpy/random.py``, that of a package its
``__init__.py``.  Python's own functions are in ``builtins.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BUILTINS = "builtins"
FOLDER = Path(__file__).resolve().parent.parent / "stubs"
_PACKAGE = "__init__"


@dataclass(frozen=True)
class Stub:
    """The stub of a module; ``path`` is what it is called in messages.  ``own`` are those of users."""

    module: str
    path: str
    text: str
    own: bool = False


@cache
def bundled() -> tuple[Stub, ...]:
    """Return the stubs that come with synth, by module."""
    return read_folder(FOLDER)


@cache
def functions_in(text: str) -> frozenset[str]:
    """Return the names of a text that follow ``def``."""
    return frozenset(re.findall(r"\bdef\s+(\w+)", text))


def read_folder(folder: Path) -> tuple[Stub, ...]:
    """Return the stubs in a folder, by module.  Raises OSError and UnicodeDecodeError."""
    return tuple(_stub(path, folder) for path in sorted(folder.rglob("*.py")))


def _stub(path: Path, folder: Path) -> Stub:
    place = path.relative_to(folder)
    parts = place.with_suffix("").parts
    module = parts[:-1] if parts[-1] == _PACKAGE else parts
    return Stub(".".join(module), place.as_posix(), path.read_text(encoding="utf-8"))
