"""What ``FILE|DIR[::NAME]`` on the command line stands for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from synth.app.decorated import may_be_decorated, overlooked
from synth.app.loading import load_models
from synth.app.stated import NOTHING, Stated
from synth.app.validated import misreading
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
_NUMPY = ("numpy", "numpy.random")
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
    """Read the files of several targets, each file in a process that so many seconds end.

    A mechanism that two of them mean is there once.  Where some have a mechanism, it is no error that others
    have none.  What is claimed takes the place of what the mechanisms claim.  Raises UsageError when no
    mechanism has the name, and for a claim that can't be read.
    """
    reading = Reading.of(targets, seconds, stated)
    pool = Pool(reading.jobs, default_workers(len(reading.jobs)), seconds, on_part=reading.tell)
    with closing(pool.ended()) as ended:
        reading.ended.update(ended)
    return reading.programs()


def says_nothing(error: ProgramError) -> bool:
    """Whether an error only says that a file has no mechanism."""
    return error.code is Refusal.NO_MECHANISM and error.function is None


def read_target(target: Target, seconds: float = 60.0, stated: Stated = NOTHING) -> Programs:
    """Read the files of a target, as :func:`read_targets` does."""
    return read_targets([target], seconds, stated)


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
    parts: list[ir.Mechanism] = []
    job = _reading(target.path, target, False, seconds, NOTHING)
    with closing(Pool([job], 1, seconds, on_part=lambda _, part: parts.append(part)).outcomes()) as outcomes:
        outcome = next(outcomes)
    match outcome:
        case Finished(file) if file is not None:
            return replace(file, mechanisms=tuple(parts))
        case Failed(error):
            raise error
        case JobCrashed() if outcome.cause in _LIMITS:
            raise _unread(target.path, outcome)
        case JobCrashed():
            raise outcome.error()
    raise AssertionError


@dataclass(frozen=True)
class Reading:
    """The files of some targets, each with the number of its target, and what is known of them so far.

    A process tells each mechanism of its file as soon as it has read it, so that the proof can begin.
    """

    targets: Sequence[Target]
    files: tuple[tuple[int, Path], ...]
    jobs: list[Job[File | None]]
    told: tuple[list[ir.Mechanism], ...]
    before: tuple[tuple[Target, ...], ...]
    ended: dict[int, Outcome[File | None]] = field(default_factory=dict)

    @staticmethod
    def of(targets: Sequence[Target], seconds: float, stated: Stated) -> Reading:
        """The work that it is to read these, with what is claimed instead."""
        with quickly():
            for name in ("synth.trusted.frontend.reader", "synth.validation.comparison"):
                import_module(name)  # once, and not in each process
        files = tuple((number, path) for number, item in enumerate(targets) for path in _files_of(item))
        if any(_names_numpy(targets[number], path) for number, path in files):
            load_models(_NUMPY)
        jobs = [
            _reading(path, targets[number], _is_folder(targets[number]), seconds, stated)
            for number, path in files
        ]
        return Reading(targets, files, jobs, tuple([] for _ in files), _targets_before(targets, files))

    def tell(self, number: int, mechanism: ir.Mechanism) -> bool:
        """Take a mechanism of a file; whether it is meant, and no file before is the same."""
        self.told[number].append(mechanism)
        return self._is_meant(number, mechanism)

    def programs(self) -> Programs:
        """All that was read.  Raises UsageError."""
        found = [self._of_target(number) for number in range(len(self.targets))]
        if len(found) == 1:
            return found[0]
        mechanisms = tuple(item for part in found for item in part.mechanisms)
        errors = {str(error): error for part in found for error in part.errors}
        hindering = [error for error in errors.values() if not says_nothing(error)]
        plain = tuple({str(item): item for part in found for item in part.plain}.values())
        if not mechanisms and not hindering:
            return Programs((), tuple(errors.values()), plain)
        empty = tuple(error.path for error in errors.values() if says_nothing(error))
        return Programs(mechanisms, tuple(hindering), plain, empty)

    def _is_meant(self, number: int, mechanism: ir.Mechanism) -> bool:
        one, _ = self.files[number]
        return _is_meant(self.targets[one], mechanism) and not any(
            _is_meant(target, mechanism) for target in self.before[number]
        )

    def _of_target(self, place: int) -> Programs:
        """What was read of one of them.  Raises UsageError."""
        target = self.targets[place]
        numbers = [number for number, (item, _) in enumerate(self.files) if item == place]
        chosen = tuple(
            item for number in numbers for item in self.told[number] if self._is_meant(number, item)
        )
        errors, plain = self._errors(target, numbers)
        if target.files and target.beside is not None:
            stated_of = {name for names in target.beside.of_files.values() for name in names}
            errors = [item for item in errors if item.function is None or item.function in stated_of]
        if target.name is None:
            if plain and not errors and not any(self.told[number] for number in numbers):
                message = "no mechanism in the file: no function has '@mechanism'"
                errors = [ProgramError(message, str(target.path), code=Refusal.NO_MECHANISM)]
            return Programs(chosen, tuple(errors), tuple(plain))
        unstated = tuple(item for item in plain if item.function == target.name)
        hindering = (*(item for item in errors if item.function in (None, target.name)), *unstated)
        names = [item.name for number in numbers for item in self.told[number]]
        if target.name not in names and not hindering:
            refused = [item.function for item in errors if item.function is not None]
            raise UsageError(_unknown_name(target, [*names, *dict.fromkeys(refused)]))
        return Programs(chosen, hindering, unstated)

    def _errors(
        self, target: Target, numbers: Sequence[int]
    ) -> tuple[list[ProgramError], list[ProgramError]]:
        """What can't be read, and what nothing is stated of."""
        errors: list[ProgramError] = []
        plain: list[ProgramError] = []
        found = [(self.files[item][1], self.ended[item]) for item in numbers if item in self.ended]
        for path, outcome in found:
            match outcome:
                case Finished(None):
                    pass
                case Finished(file) if file is not None:
                    errors += file.refused
                    plain += () if _is_folder(target) or target.files else file.plain
                case Failed(ProgramError() as error):
                    errors.append(error)
                case JobCrashed() if outcome.cause in _LIMITS:
                    errors.append(_unread(path, outcome))
                case Failed(other):
                    raise other
                case JobCrashed():
                    raise outcome.error()
        if all(isinstance(outcome, Finished) and outcome.value is None for _, outcome in found):
            message = "no file in this folder has a mechanism"
            errors.append(ProgramError(message, str(target.path), code=Refusal.NO_MECHANISM))
        return errors, plain


def _targets_before(
    targets: Sequence[Target], files: Iterable[tuple[int, Path]]
) -> tuple[tuple[Target, ...], ...]:
    """For each file the targets that have had it before."""
    found: list[tuple[Target, ...]] = []
    had: dict[Path, tuple[Target, ...]] = {}
    for number, path in files:
        before = had.get(path, ())
        found.append(before)
        had[path] = (*before, targets[number])
    return tuple(found)


def _is_meant(target: Target, mechanism: ir.Mechanism) -> bool:
    """Whether a target means a mechanism of its file."""
    if target.files and target.beside is not None:
        return mechanism.specification is not None and bool(mechanism.specification.states)
    return target.name in (None, mechanism.name)


_LIMITS = (Cause.TIME, Cause.MEMORY)


def _unread(path: Path, crash: JobCrashed) -> ProgramError:
    message = f"the file can't be read: {crash.reason}"
    return ProgramError(message, str(path), code=Refusal.FILE_UNREADABLE)


def _reading(path: Path, target: Target, in_folder: bool, seconds: float, stated: Stated) -> Job[File | None]:
    """The file without its mechanisms, which are told one by one; None for one of a folder that has none."""

    def work(channel: Channel) -> File | None:
        from synth.trusted.frontend.obstacles import ObstructedError
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

        def told(mechanism: ir.Mechanism) -> ir.Mechanism:
            error = misreading(mechanism)
            if error is not None:
                raise ObstructedError([error])
            if stated.nothing:
                channel.part(mechanism)
            return mechanism

        file = read_program(path, specified, target.content, target.name, told)
        for item in () if stated.nothing else claimed(file, target.name, stated).mechanisms:
            channel.part(item)
        return replace(file, mechanisms=(), refused=(*file.refused, *_overlooked(path, target, file)))

    return work


def _overlooked(path: Path, target: Target, file: File) -> Iterator[ProgramError]:
    """Give why what has the decorator is not read, where the reader of programs doesn't say so."""
    data = target.content if target.content is not None else _beginning(path)
    known = {error.line for error in file.refused}
    for item in overlooked(data or b""):
        if item.line not in known:
            message = f"'@mechanism' stands at functions of the file itself: '{item.name}' is not read"
            place, code = (item.line, item.column), Refusal.UNSUPPORTED_DECORATOR
            yield ProgramError(message, str(path), *place, code=code, function=item.name)


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


def _is_folder(target: Target) -> bool:
    return not target.files and os.path.isdir(target.path)


def _files_of(target: Target) -> Sequence[Path]:
    """The files of a target that may be programs."""
    return _files_in(target) if _is_folder(target) else target.files or (target.path,)


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


def _names_numpy(target: Target, path: Path) -> bool:
    """Whether a file may use numpy, whose model takes longer to read than most programs."""
    text = _beginning(path) if target.content is None else target.content
    return text is not None and b"numpy" in text


def _has_mechanism(path: Path) -> bool:
    """Whether some function has the decorator ``mechanism``; what can't be parsed may have one."""
    data = _beginning(path)
    if data is None:
        return os.path.isfile(path)
    return may_be_decorated(data)
