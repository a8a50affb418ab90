"""Errors as people see them: one line, and for a program the source line with a caret."""

from __future__ import annotations

import os
from pathlib import Path

from synth.support.display import MAX_LETTERS, is_plain, shown
from synth.support.files import read_regular
from synth.trusted.errors import InternalError, ProgramError, SynthError

TRACEBACK = "SYNTH_TRACEBACK"
"""Set in the environment, it has internal errors shown with Python's traceback."""

_WIDEST = 160
_MAX_FILE_BYTES = 2_000_000
_REPORT = f"please report it with the command and its files ({TRACEBACK}=1 shows more)"


def error_text(error: SynthError, with_source: bool) -> str:
    """``synth: error: path:line:col: message`` and, if wanted, the line that it is about."""
    message = shown(f"synth: error: {error}", MAX_LETTERS)
    if isinstance(error, InternalError):
        trace = error.traceback.split("\n") if os.environ.get(TRACEBACK) else []
        return "\n".join([*map(shown, trace[:-1]), f"{message}; {_REPORT}"])
    if not with_source or not isinstance(error, ProgramError):
        return message
    return "\n".join([message, *excerpt(error.path, error.line, error.column)])


def excerpt(path: str, line_number: int | None, column: int | None) -> list[str]:
    """Return the line of a file and a caret below the column; nothing if it can't be shown."""
    if line_number is None or column is None:
        return []
    try:  # not through a link: who made it may want to know what is behind
        data = read_regular(Path(path), _MAX_FILE_BYTES, follow=False)
    except (OSError, ValueError):
        return []
    text = data.decode("utf-8-sig", errors="replace")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not 1 <= line_number <= len(lines):
        return []
    line = lines[line_number - 1].rstrip()
    if not line.strip() or len(line) > _WIDEST or not is_plain(line.replace("\t", " ")):
        return []
    # Tabs stay, so that the caret stands below its letter however wide they are.
    indent = "".join("\t" if letter == "\t" else " " for letter in line[: column - 1])
    return [f"  {line}", f"  {indent}^"]
