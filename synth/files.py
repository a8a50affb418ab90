"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path

from synth.errors import OutputError


def write_atomically(path: Path, content: str) -> None:
    """The content in the file, or the file as it was, whoever else writes it.  Raises OSError.

    A link stays one; what is no file, as ``/dev/null`` or a pipe, is written to and not replaced.
    """
    if path.exists() and not path.is_file():
        path.write_text(content, encoding="utf-8")
        return
    path = path.resolve()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_output(path: Path, content: str) -> None:
    """Write a file that was asked for, whole or not at all.  Raises OutputError."""
    try:
        write_atomically(path, content)
    except OSError as error:
        raise unwritten(path, error) from None


def unwritten(path: Path, error: OSError) -> OutputError:
    """Why a file or folder can't be written."""
    folder = path.parent
    missing = isinstance(error, FileNotFoundError) and not os.path.isdir(folder)
    reason = f"there is no folder {folder}" if missing else error.strerror or error
    return OutputError(f"{path}: can't be written: {reason}")
