"""``[tool.synth]`` of the nearest pyproject.toml: what the command line of ``synth prove`` leaves out."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import UsageError
from synth.views.formats.run import NAMES

FILE, TABLE = "pyproject.toml", "synth"
_REPOSITORY = ".git"


@dataclass(frozen=True)
class _Key:
    """What a key must be, in words; a predicate for that; and the parameter of the command that it sets."""

    kind: str
    fits: Callable[[Any], bool]
    parameter: str
    names_files: bool = False


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value not in ("", "-") and "\0" not in value


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


_KEYS = {
    "paths": _Key("a list of files and folders", _are_texts, "targets", names_files=True),
    "spec": _Key("a file", _is_text, "spec", names_files=True),
    "templates": _Key("a list of files", _are_texts, "templates", names_files=True),
    "timeout": _Key("a positive number of seconds", _is_positive, "timeout"),
    "workers": _Key("a positive whole number", _is_whole, "workers"),
    "output-format": _Key(f"one of {', '.join(NAMES)}", lambda value: value in NAMES, "form"),
}


def of_folder(folder: Path) -> dict[str, Any]:
    """Return what the nearest pyproject.toml with such a table says, by the command's names of parameters.

    No file above the repository's folder is looked at.  Names of files are relative to the folder of the
    file that has them.  Raises UsageError for what has another form.
    """
    for path in files_for(folder):
        table = _table(path)
        if table is not None:
            return _read(path, table, folder)
    return {}


def files_for(folder: Path) -> Iterator[Path]:
    """Give the files that may have such a table, the nearest first, whether they are there or not."""
    for place in (folder, *folder.parents):
        yield place / FILE
        if (place / _REPOSITORY).exists():
            return


def _table(path: Path) -> Mapping[str, Any] | None:
    """The table, None where there is none.  Raises UsageError."""
    try:
        text = read_bounded(path, MAX_TEXT_BYTES).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"{path}: can't be read: {reason}") from None
    try:
        tools = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: not a TOML file: {error}") from None
    table = tools.get(TABLE) if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise UsageError(f"{path}: tool.{TABLE} is a table")
    return table


def _read(path: Path, table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    from synth.trusted.frontend.vocabulary import suggestion

    found: dict[str, Any] = {}
    for name, value in table.items():
        key = _KEYS.get(name)
        if key is None:
            close = suggestion(name, list(_KEYS)) or f"; there are {', '.join(_KEYS)}"
            raise UsageError(f"{path}: [tool.{TABLE}] has no key '{name}'{close}")
        if not key.fits(value):
            raise UsageError(f"{path}: [tool.{TABLE}] {name} is {key.kind}")
        found[key.parameter] = _placed(value, path.parent, folder) if key.names_files else value
    return found


def _placed(value: str | list[str], origin: Path, folder: Path) -> str | list[str]:
    """Names of files as they are from the working folder."""
    if isinstance(value, str):
        return os.path.relpath(origin / value, folder)
    return [os.path.relpath(origin / item, folder) for item in value]
