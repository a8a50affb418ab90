"""What ``FILE|DIR[::NAME]`` on the command line stands for."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.decorated import may_be_decorated
from synth.app.stated import NOTHING, Stated
from synth.app.workers import (
    IMPROVEMENT_TIMEOUT_S,
    Cause,
    Channel,
    Failed,
    Finished,
    Job,
    JobCrashed,
    Outcome,
    Pool,
    default_workers,
    restrict,
)
from synth.support.files import open_regular
from synth.support.imports import quickly
from synth.trusted.errors import ProgramError, Refusal, UsageError

if TYPE_CHECKING:
    from synth.trusted.frontend.reader import File
    from synth.trusted.frontend.specification_file import Specifications
    from synth.trusted.program import syntax as ir

_SEPARATOR = "::"
_STDIN, _STDIN_NAME = "-", "<stdin>"
_MAX_FILE_BYTES = 2_000_000
_MAX_MEMORY_BYTES = 1 << 30


@dataclass(frozen=True)
class Target:
    """A program file or a folder of them, and the one mechanism that is meant, if any.

    ``beside`` is what is stated of functions beside their code.  With ``files`` these are read, and only the
    functions in them of which something is stated; ``path`` is where it is.  ``content`` is what came from
    standard input.
    """

    path: Path
    name: str | None = None
    files: tuple[Path, ...] = ()
    beside: Specifications | None = None
    content: bytes | None = None


@dataclass(frozen=True)
class Programs:
    """The mechanisms of a target, and what is wrong with the files that can't be read.

    ``plain`` has an error for each function of which nothing is stated, ``empty`` the names of files among
    several that have no mechanism.
    """

    mechanisms: tuple[ir.Mechanism, ...]
    errors: tuple[ProgramError, ...]
    plain: tuple[ProgramError, ...] = ()
    empty: tuple[str, ...] = ()


def parse_target(text: str | Target) -> Target:
    """``FILE``, ``DIR``, ``FILE::NAME``, ``DIR::NAME``, ``MODULE::NAME`` or ``-``; a target stays one.

    Raises UsageError.
    """
    if isinstance(text, Target):
        return text
    path, separator, name = text.rpartition(_SEPARATOR)
    if not text:
        raise UsageError("the name of the program file is empty")
    if text == _STDIN:
        return Target(Path(_STDIN_NAME), content=sys.stdin.buffer.read(_MAX_FILE_BYTES + 1))
    if not separator or os.path.exists(text):
        return Target(Path(text))
    if not name:
        raise UsageError(f"'{text}' ends in '::' without the name of a mechanism")
    return Target(_file_of(path), name)


def _file_of(text: str) -> Path:
    """The path, or the file of a module on Python's path, if there is one and no such path."""
    from synth.trusted.frontend.specification_file import module_file

    path = Path(text)
    if path.suffix == ".py" or path.exists():
        return path
    return module_file(text, [Path(), *(Path(item) for item in sys.path if item)]) or path


def read_targets(targets: Sequence[Target], seconds: float = 60.0, stated: Stated = NOTHING) -> Programs:
    """Read several targets; a mechanism that two of them mean is there once.

    Where some have a mechanism, it is no error that others have none.  Raises UsageError as
    :func:`read_target` does.
    """
    if len(targets) == 1:
        return read_target(targets[0], seconds, stated)
    found = [read_target(item, seconds, stated) for item in targets]
    mechanisms = {(item.path, item.name): item for part in found for item in part.mechanisms}
    errors = {str(error): error for part in found for error in part.errors}
    hindering = [error for error in errors.values() if not says_nothing(error)]
    plain = tuple({str(item): item for part in found for item in part.plain}.values())
    if not mechanisms and not hindering:
        return Programs((), tuple(errors.values()), plain)
    empty = tuple(error.path for error in errors.values() if says_nothing(error))
    return Programs(tuple(mechanisms.values()), tuple(hindering), plain, empty)


def says_nothing(error: ProgramError) -> bool:
    """Whether an error only says that a file has no mechanism."""
    return error.code is Refusal.NO_MECHANISM and error.function is None


def read_target(target: Target, seconds: float = 60.0, stated: Stated = NOTHING) -> Programs:
    """Read the files, each once, in a process that so many seconds end.

    What is claimed takes the place of what the mechanisms claim.  Raises UsageError when no mechanism has the
    name, and for a claim that can't be read.
    """
    mechanisms, errors, plain = _read_all(target, seconds, stated)
    if target.files and target.beside is not None:
        mechanisms = [
            item for item in mechanisms if item.specification is not None and item.specification.states
        ]
        stated_of = {name for names in target.beside.of_files.values() for name in names}
        errors = [item for item in errors if item.function is None or item.function in stated_of]
    if target.name is None:
        if plain and not mechanisms and not errors:
            message = "no mechanism in the file: no function has '@mechanism'"
            errors = [ProgramError(message, str(target.path), code=Refusal.NO_MECHANISM)]
        return Programs(tuple(mechanisms), tuple(errors), tuple(plain))
    chosen = tuple(item for item in mechanisms if item.name == target.name)
    unstated = tuple(item for item in plain if item.function == target.name)
    hindering = (*(item for item in errors if item.function in (None, target.name)), *unstated)
    if not chosen and not hindering:
        refused = [item.function for item in errors if item.function is not None]
        raise UsageError(
            _unknown_name(target, [*(item.name for item in mechanisms), *dict.fromkeys(refused)])
        )
    return Programs(chosen, hindering, unstated)


def read_mechanism(target: str | Target, seconds: float = 60.0, stated: Stated = NOTHING) -> ir.Mechanism:
    """The only mechanism of ``FILE::NAME``, or of a file, with what is claimed of it.

    Raises UsageError, ProgramError.
    """
    found = parse_target(target)
    programs = read_target(found, seconds, stated)
    if programs.errors:
        raise programs.errors[0]
    if len(programs.mechanisms) > 1:
        names = ", ".join(item.name for item in programs.mechanisms[:8])
        raise UsageError(f"which mechanism? {found.path}::NAME, with one of {names}")
    return programs.mechanisms[0]


def read_one(target: Target, seconds: float = 60.0) -> File:
    """Read the file of a target, in a process that so many seconds end.  Raises ProgramError."""
    path = target.path
    (outcome,) = _outcomes([path], target, False, seconds, NOTHING)
    match outcome:
        case Finished(file) if file is not None:
            return file
        case Failed(error):
            raise error
        case JobCrashed() if outcome.cause in _LIMITS:
            raise _unread(path, outcome)
        case JobCrashed():
            raise outcome.error()
    raise AssertionError


def _read_all(
    target: Target, seconds: float, stated: Stated
) -> tuple[list[ir.Mechanism], list[ProgramError], list[ProgramError]]:
    mechanisms: list[ir.Mechanism] = []
    plain: list[ProgramError] = []
    errors: list[ProgramError] = []
    in_folder = not target.files and os.path.isdir(target.path)
    files = _files_in(target) if in_folder else list(target.files or [target.path])
    found = 0
    for path, outcome in zip(files, _outcomes(files, target, in_folder, seconds, stated), strict=True):
        match outcome:
            case Finished(None):
                continue
            case Finished(file) if file is not None:
                mechanisms += file.mechanisms
                errors += file.refused
                plain += () if in_folder or target.files else file.plain
            case Failed(ProgramError() as error):
                errors.append(error)
            case JobCrashed() if outcome.cause in _LIMITS:
                errors.append(_unread(path, outcome))
            case Failed(other):
                raise other
            case JobCrashed():
                raise outcome.error()
        found += 1
    if not found:
        errors.append(
            ProgramError(
                "no file in this folder has a mechanism", str(target.path), code=Refusal.NO_MECHANISM
            )
        )
    return mechanisms, errors, plain


_LIMITS = (Cause.TIME, Cause.MEMORY)


def _unread(path: Path, crash: JobCrashed) -> ProgramError:
    message = f"the file can't be read: {crash.reason}"
    return ProgramError(message, str(path), code=Refusal.FILE_UNREADABLE)


def _outcomes(
    files: Sequence[Path], target: Target, in_folder: bool, seconds: float, stated: Stated
) -> Generator[Outcome[File | None]]:
    with quickly():
        import_module("synth.trusted.frontend.reader")  # once, and not in each process
    jobs = [_reading(file, target, in_folder, seconds, stated) for file in files]
    with closing(Pool(jobs, default_workers(len(jobs)), seconds).outcomes()) as outcomes:
        yield from outcomes


def _reading(path: Path, target: Target, in_folder: bool, seconds: float, stated: Stated) -> Job[File | None]:
    """The file; None for a file of a folder that has no mechanism."""

    def work(channel: Channel) -> File | None:
        from synth.trusted.frontend.reader import read_program

        channel.stage("reading it")
        restrict(seconds + IMPROVEMENT_TIMEOUT_S, _MAX_MEMORY_BYTES)
        if path.suffix == ".json":
            message = "a JSON document, not a program: certificates and witnesses are for 'synth check'"
            raise ProgramError(message, str(path), code=Refusal.FILE_UNREADABLE)
        is_link = os.path.islink(path) and os.path.isfile(path)
        specified = {} if target.beside is None else target.beside.of(path)
        if target.content is None and (in_folder or is_link) and not specified and not _has_mechanism(path):
            if in_folder:
                return None
            raise ProgramError(
                "a link to something that has no mechanism", str(path), code=Refusal.NO_MECHANISM
            )
        file = read_program(path, specified, target.content, only=target.name)
        return file if stated.nothing else claimed(file, target.name, stated)

    return work


def claimed(file: File, name: str | None, stated: Stated) -> File:
    """Return the file with what is claimed of its mechanisms, or of the one that is meant.

    Raises UsageError.
    """
    from synth.trusted.frontend.claim import module_of, with_stated

    module = module_of(file.text, file.path)

    def with_claim(mechanism: ir.Mechanism) -> ir.Mechanism:
        for what, bound in stated.bounds.items() if name in (None, mechanism.name) else ():
            try:
                mechanism = with_stated(mechanism, what, bound, module)
            except ProgramError as error:
                option = stated.asker.option(what)
                raise UsageError(f"{option} for {mechanism.name}: {error.message}") from None
        return mechanism

    return replace(file, mechanisms=tuple(map(with_claim, file.mechanisms)))


def _unknown_name(target: Target, names: list[str]) -> str:
    from synth.trusted.frontend.vocabulary import suggestion

    close = suggestion(target.name or "", names)
    message = f"no mechanism '{target.name}' in {target.path}{close}"
    if close or not names:
        return message
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{message}; there {'is' if len(names) == 1 else 'are'} {listed}"


# --- folders --------------------------------------------------------------------------------


def _files_in(target: Target) -> list[Path]:
    """The files of a folder that may be programs, with those of which something is stated."""
    found = list(_program_files(target.path))
    known, folder = {path.resolve() for path in found}, target.path.resolve()
    stated = () if target.beside is None else target.beside.of_files
    found += [path for path in stated if path not in known and path.is_relative_to(folder)]
    return found


def _program_files(folder: Path) -> Iterator[Path]:
    """The files below a folder that may be programs, in order; also by a link, but no pipe or device."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(item for item in folders if not item.startswith((".", "__")))
        for name in sorted(files):
            path = Path(place) / name
            if name.endswith(".py") and not name.startswith(".") and os.path.isfile(path):
                data = _beginning(path)
                if data is None or b"mechanism" in data:
                    yield path


def _beginning(path: Path) -> bytes | None:
    """As much of a file as could be a program; None if it can't be read, or is no file."""
    try:
        with open_regular(path) as file:
            return file.read(_MAX_FILE_BYTES + 1)
    except OSError:
        return None


def _has_mechanism(path: Path) -> bool:
    """Whether some function has the decorator ``mechanism``; what can't be parsed may have one."""
    data = _beginning(path)
    if data is None:
        return os.path.isfile(path)
    return may_be_decorated(data)
