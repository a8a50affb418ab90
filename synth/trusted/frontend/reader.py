"""The reader: Python source text to typed programs.  The program is parsed, never executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.declaration import read_declaration
from synth.trusted.frontend.lowering import lower
from synth.trusted.frontend.module import Function, Module, mechanisms, read_module
from synth.trusted.frontend.source import LARGEST_TEXT, Source, make_source, parse_module
from synth.trusted.frontend.specification import read_constants
from synth.trusted.program import syntax as ir

MARK = "·"
"""What names have that :mod:`synth.lang` makes."""

_ENCODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK = re.compile(r"[ \t\f]*(#.*)?", re.ASCII)


def read_file(path: str | Path) -> tuple[ir.Mechanism, ...]:
    """All mechanisms of a program file, in order.

    Raises :class:`~synth.trusted.errors.ProgramError` for whatever can't be read, with the place.
    """
    name = str(path)
    return read_source(_decode(_read_bytes(name), name), name)


def read_text(path: str | Path) -> str:
    """The text of a program file as the reader takes it.  Raises ProgramError."""
    name = str(path)
    return make_source(_decode(_read_bytes(name), name), name).text


def read_source(text: str, path: str, *, rewritten: bool = False) -> tuple[ir.Mechanism, ...]:
    """All mechanisms of a program text, in order; ``path`` is for messages.

    ``rewritten`` says that :mod:`synth.lang` has made names of its own in the text.

    Raises :class:`~synth.trusted.errors.ProgramError` for whatever can't be read, with the place.
    """
    try:
        return _read(text, path, rewritten)
    except (RecursionError, MemoryError):
        raise ProgramError("the program is nested too deeply", path, code=Refusal.PROGRAM_TOO_LARGE) from None


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(4 * LARGEST_TEXT + 1)
    except FileNotFoundError:
        raise ProgramError("no such file", path, code=Refusal.FILE_UNREADABLE) from None
    except IsADirectoryError:
        raise ProgramError("a directory, not a program file", path, code=Refusal.FILE_UNREADABLE) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProgramError(f"the file can't be read: {reason}", path, code=Refusal.FILE_UNREADABLE) from None


def _decode(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ProgramError("the file is not UTF-8 text", path, line, code=Refusal.FILE_UNREADABLE) from None


def _read(text: str, path: str, rewritten: bool) -> tuple[ir.Mechanism, ...]:
    if not text.strip():
        raise ProgramError("the file is empty", path, code=Refusal.FILE_UNREADABLE)
    source = make_source(text, path)
    for lines in (source.lines, text.split("\n")):  # tools differ in whether a lone \r ends a line
        _check_encoding(lines, path)
    tree = parse_module(source)
    if not rewritten:
        _check_names(source, tree)
    module = read_module(source, tree)
    read_constants(module)
    result = tuple(_mechanism(module, function) for function in mechanisms(module))
    if not result:
        raise ProgramError(
            "no mechanism in the file: no function has '@mechanism'", path, code=Refusal.NO_MECHANISM
        )
    return result


def _check_encoding(lines: Sequence[str], path: str) -> None:
    """Refuse a declaration (PEP 263) of another encoding: Python would run another text than this.

    Raises ProgramError.
    """
    for number, line in enumerate(lines[:2], start=1):
        declared = _ENCODING.match(line)
        if declared is not None and declared[1].lower().replace("_", "-") not in ("utf-8", "utf8"):
            raise ProgramError(
                f"the file declares another encoding than UTF-8: '{declared[1]}'",
                path,
                number,
                code=Refusal.FILE_UNREADABLE,
            )
        if _BLANK.fullmatch(line) is None:
            return


def _check_names(source: Source, tree: ast.Module) -> None:
    """Refuse names that :mod:`synth.lang` may give something else while the program runs.

    Raises ProgramError.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            continue
        for _, name in ast.iter_fields(node):
            if isinstance(name, str) and MARK in name:
                place = ir.Span(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)
                raise source.error(
                    place, Refusal.UNSUPPORTED_NAME, f"a name with '{MARK}' is not supported: '{name}'"
                )


def _mechanism(module: Module, function: Function) -> ir.Mechanism:
    declaration = read_declaration(module, function)
    lowered = lower(module, function, declaration)
    taken = {name.partition(".")[0] for name in (*lowered.variables, *lowered.lists)}
    for ghost in declaration.ghosts:
        if ghost.name in taken:
            raise module.source.error(
                ghost.span, Refusal.DEFINED_TWICE, f"the program has a variable '{ghost.name}', too"
            )
    return ir.Mechanism(
        name=function.name,
        parameters=(*declaration.parameters, *declaration.ghosts),
        requires=declaration.requires,
        epsilon=declaration.epsilon,
        delta=declaration.delta,
        body=lowered.body,
        variables=lowered.variables,
        lists=lowered.lists,
        span=module.source.span(function.node),
        path=module.source.path,
        source=module.source.text,
        facts=declaration.facts,
        ghosts=frozenset(item.name for item in declaration.ghosts),
        output=lowered.output,
    )
