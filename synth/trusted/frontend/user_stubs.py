"""Stubs of the user: models of functions of libraries, which take the place of synth's own.

What they say is assumed, and listed with the verdict.  The file of the model of ``a.b`` is ``stubs/a/b.py``.
Among the texts that a program is read with, its name is ``stub a/b.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.source import MAX_TEXT_BYTES
from synth.trusted.frontend.stubs import Stub
from synth.trusted.program.beside import STUB

FOLDER = "stubs"
_PACKAGE = "__init__"
_NOT = (
    *("__future__", "abc", "builtins", "collections", "dataclasses", "enum", "functools", "logging", "math"),
    *("numbers", "synth", "typing", "warnings"),
)
"""Modules that the reader knows itself."""


def in_folder(folder: Path) -> dict[str, str]:
    """Return the texts of the stubs in a folder, by name.  Raises ProgramError."""
    if not folder.is_dir():
        return {}
    names = {path: path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.py"))}
    return {_name(path, inner): _text(path) for path, inner in names.items() if _is_of_module(inner)}


def of_file(path: Path, shown: str) -> dict[str, str]:
    """Return the text of a stub by its name: its path in a folder of stubs, or else that of the file."""
    parts = PurePosixPath(shown).parts
    inner = parts[len(parts) - parts[::-1].index(FOLDER) :] if FOLDER in parts[:-1] else parts[-1:]
    return {_name(path, "/".join(inner)): _text(path)}


def _is_of_module(inner: str) -> bool:
    return inner.endswith(".py") and all(part.isidentifier() for part in inner[:-3].split("/"))


def _name(path: Path, inner: str) -> str:
    if not _is_of_module(inner):
        message = f"'{inner}' is not the name of a module's file"
        raise ProgramError(message, str(path), code=Refusal.UNSUPPORTED_IMPORT)
    top = inner.partition("/")[0].removesuffix(".py")
    if top in _NOT:
        message = f"a stub of the module '{top}' is not supported: the reader knows it itself"
        raise ProgramError(message, str(path), code=Refusal.UNSUPPORTED_IMPORT)
    return STUB + inner


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if len(data) > MAX_TEXT_BYTES:
            raise ValueError("the file is too large")
        return data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        message = f"the file can't be read: {error}"
        raise ProgramError(message, str(path), code=Refusal.FILE_UNREADABLE) from None


def split(texts: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts that are stubs, and the others."""
    stubs = {name: text for name, text in texts.items() if name.startswith(STUB)}
    return stubs, {name: text for name, text in texts.items() if name not in stubs}


def stub_of(name: str, text: str) -> Stub:
    """Return the stub of that name."""
    shown = name.removeprefix(STUB)
    _name(Path(FOLDER, shown), shown)
    inner = PurePosixPath(shown)
    parts = inner.with_suffix("").parts
    module = parts[:-1] if parts[-1] == _PACKAGE else parts
    return Stub(".".join(module), f"{FOLDER}/{inner}", text, own=True)
