"""Specifications in a TOML file: of which function, in which file, and what is stated of it.

Nothing is imported: a module is looked for as a file, by its name, in the folders that are given.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend import user_stubs
from synth.trusted.frontend.vocabulary import suggestion
from synth.trusted.program.beside import KEYS, Specification, specification_of

TABLE, FUNCTION, STUBS = "mechanism", "function", "stubs"
SEPARATOR = "::"
_HEADER = re.compile(r"[ \t]*\[\[[ \t]*mechanism[ \t]*\]\]")


@dataclass(frozen=True)
class Specifications:
    """What is stated of the functions of files, by the resolved path and the name of the function."""

    of_files: Mapping[Path, Mapping[str, Specification]]

    def of(self, path: Path) -> Mapping[str, Specification]:
        """What is stated of the functions of a file."""
        return self.of_files.get(path.resolve(), {})


def parse_specifications(text: str, path: Path, folders: Sequence[Path]) -> Specifications:
    """What a TOML file states; modules are looked for in these folders.

    Raises ProgramError with the place of what is wrong.
    """
    lines = text.split("\n")
    try:
        data = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = (int(line[1]), 1) if line else (None, None)
        message = f"not a TOML file: {error}"
        raise ProgramError(message, str(path), *place, code=Refusal.SYNTAX_ERROR) from None
    tables = data.get(TABLE, [])
    starts = [number for number, line in enumerate(lines, start=1) if _HEADER.match(line)]
    for key in data:
        if key != TABLE:
            raise _error(
                path, (_line_of(lines, key, 1), 1), f"unknown key '{key}'; there is only '[[{TABLE}]]'"
            )
    if not isinstance(tables, list) or not tables or len(starts) != len(tables):
        raise _error(path, (1, 1), f"each function has a table of its own, which begins with [[{TABLE}]]")
    beside = user_stubs.in_folder(path.parent / STUBS)
    found: dict[Path, dict[str, Specification]] = {}
    for table, start, end in zip(tables, starts, [*starts[1:], len(lines) + 1], strict=True):
        given = _read(table, lines, start, end, path)
        given = replace(given, files=tuple({**beside, **_stubs(table, given, path)}.items()))
        file, name = _function(table, given, path, folders)
        known = found.setdefault(file.resolve(), {})
        if name in known:
            first = ":".join(map(str, (known[name].path, *known[name].place(""))))
            message = f"'{name}' has two specifications: this one, and that in {first}"
            raise _error(path, (start, 1), message, Refusal.DEFINED_TWICE)
        known[name] = given
    return Specifications(found)


def _error(
    path: Path, place: tuple[int, int], message: str, code: Refusal = Refusal.WRONG_CLAIM
) -> ProgramError:
    return ProgramError(message, str(path), *place, code=code)


def _read(
    table: Mapping[str, object], lines: Sequence[str], start: int, end: int, path: Path
) -> Specification:
    places = dict(_places(table, lines, start, end))
    keys = (FUNCTION, STUBS, *KEYS)
    for key in table:
        if key not in keys:
            hint = suggestion(key, keys) or f"; there are {', '.join(keys)}"
            raise _error(path, places.get((key, ""), (start, 1)), f"unknown key '{key}'{hint}")
    stated = {key: _as_texts(value) for key, value in table.items() if key not in (FUNCTION, STUBS)}
    try:
        return replace(specification_of(stated), path=str(path), places=places)
    except ValueError as error:
        raise _error(path, (start, 1), str(error)) from None


def _stubs(table: Mapping[str, object], given: Specification, path: Path) -> dict[str, str]:
    """The texts of the stubs that a table names.  Raises ProgramError."""
    named, place = table.get(STUBS, []), given.place(STUBS)
    if not isinstance(named, list) or not all(isinstance(item, str) for item in named):
        raise _error(path, place, f"'{STUBS}' is no list of files")
    found: dict[str, str] = {}
    for item in named:
        file = path.parent / item
        if not file.is_file():
            raise _error(path, place, f"no stub '{item}' is found", Refusal.FILE_UNREADABLE)
        found |= user_stubs.of_file(file, item)
    return found


def _as_texts(value: object) -> object:
    """An integer or a truth value that is written as such stands for its text, as other numbers do."""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _as_texts(item) for key, item in value.items()}
    return value


def _places(
    table: Mapping[str, object], lines: Sequence[str], start: int, end: int
) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """Where the parts of a table stand; they are found by their names, for messages."""
    yield ("", ""), (start, 1)
    for key, value in table.items():
        line = _line_of(lines, key, start, end)
        yield (key, ""), (line, _column_of(lines[line - 1], key))
        for name in value if isinstance(value, Mapping) else ():
            inner = _line_of(lines, name, line, end)
            yield (key, name), (inner, _column_of(lines[inner - 1], name))


def _line_of(lines: Sequence[str], name: str, start: int, end: int | None = None) -> int:
    """The first line from a place on where something is assigned to a name; the place if there is none."""
    assigned = re.compile(rf"(^|[\s{{,.\[\"']){re.escape(name)}[\"']?\s*[=\]]")
    stop = len(lines) + 1 if end is None else end
    return next((number for number in range(start, stop) if assigned.search(lines[number - 1])), start)


def _column_of(line: str, name: str) -> int:
    found = re.search(rf"(?<![\w]){re.escape(name)}[\"']?\s*=\s*[\"']?", line)
    return found.end() + 1 if found else 1


def _function(
    table: Mapping[str, object], given: Specification, path: Path, folders: Sequence[Path]
) -> tuple[Path, str]:
    """The file and the name of the function.  Raises ProgramError."""
    text, place = table.get(FUNCTION), given.place(FUNCTION)
    if not isinstance(text, str):
        raise _error(path, place, f'a function is missing: {FUNCTION} = "FILE::NAME"')
    where, separator, name = text.rpartition(SEPARATOR)
    if not separator or not where or not name:
        raise _error(path, place, f"'{text}' must be FILE::NAME or MODULE::NAME")
    file = path.parent / where if where.endswith(".py") else module_file(where, folders)
    if file is None:
        raise _error(path, place, f"no file of a module '{where}' is found", Refusal.FILE_UNREADABLE)
    return file, name


def module_file(name: str, folders: Sequence[Path]) -> Path | None:
    """The file of a module, by its dotted name; None if none of the folders has it."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    for folder in folders:
        base = folder.joinpath(*parts)
        for file in (base / "__init__.py", base.with_name(f"{base.name}.py")):
            if file.is_file():
                return file
    return None
