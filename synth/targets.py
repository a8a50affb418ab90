"""What ``FILE|DIR[::NAME]`` on the command line stands for."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth.errors import ProgramError, UsageError

if TYPE_CHECKING:
    from synth.language.syntax import Mechanism

_SEPARATOR = "::"


@dataclass(frozen=True)
class Target:
    """A program file or a folder of them, and the one mechanism that is meant, if any."""

    path: Path
    name: str | None = None


@dataclass(frozen=True)
class Programs:
    """The mechanisms of a target, and what is wrong with the files that can't be read."""

    mechanisms: tuple[Mechanism, ...]
    errors: tuple[ProgramError, ...]


def parse_target(text: str) -> Target:
    """``FILE``, ``DIR``, ``FILE::NAME`` or ``DIR::NAME``.  Raises UsageError."""
    path, separator, name = text.rpartition(_SEPARATOR)
    if not separator or os.path.exists(text):
        return Target(Path(text))
    if not name:
        raise UsageError(f"'{text}' ends in '::' without the name of a mechanism")
    return Target(Path(path), name)


def read_target(target: Target) -> Programs:
    """Read the files.  Raises UsageError when no mechanism has the name."""
    mechanisms, errors = _read_all(target.path)
    if target.name is None:
        return Programs(tuple(mechanisms), tuple(errors))
    chosen = tuple(item for item in mechanisms if item.name == target.name)
    if not chosen and not errors:
        raise UsageError(_unknown_name(target, [item.name for item in mechanisms]))
    return Programs(chosen, tuple(errors))


def _read_all(path: Path) -> tuple[list[Mechanism], list[ProgramError]]:
    from synth.language.reader import read_file

    mechanisms: list[Mechanism] = []
    errors: list[ProgramError] = []
    files = list(_program_files(path)) if os.path.isdir(path) else [path]
    if not files:
        errors.append(ProgramError("no file in this folder has a mechanism", str(path)))
    for file in files:
        try:
            mechanisms += read_file(file)
        except ProgramError as error:
            errors.append(error)
    return mechanisms, errors


def _unknown_name(target: Target, names: list[str]) -> str:
    from synth.language.vocabulary import suggestion

    message = f"no mechanism '{target.name}' in {target.path}{suggestion(target.name or '', names)}"
    if "did you mean" in message or not names:
        return message
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{message}; there {'is' if len(names) == 1 else 'are'} {listed}"


# --- folders --------------------------------------------------------------------------------


def _program_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder that have a mechanism, in order."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(item for item in folders if not item.startswith((".", "__")))
        for name in sorted(files):
            path = Path(place) / name
            if name.endswith(".py") and not name.startswith(".") and _has_mechanism(path):
                yield path


def _has_mechanism(path: Path) -> bool:
    """Whether some function has the decorator ``mechanism``; what can't be parsed may have one."""
    try:
        data = path.read_bytes()
    except OSError:
        return True
    if b"mechanism" not in data:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return b"@mechanism" in data
    aliases = {
        item.asname or item.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for item in node.names
        if item.name == "mechanism"
    }
    return any(
        _is_mechanism(decorator, aliases | {"mechanism"})
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )


def _is_mechanism(decorator: ast.expr, names: set[str]) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    match called:
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name == "mechanism"
        case _:
            return False
