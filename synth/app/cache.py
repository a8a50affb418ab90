"""Certificates and witnesses of earlier runs, in the user's cache folder; each is checked again.

An entry is the document as a file.  It is named after all that its verdict depends on (:meth:`Cache.key`),
but its name is not believed either.  Whatever is wrong with an entry, it is as if it weren't there.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from synth.support.files import MAX_TEXT_BYTES, read_bounded, read_regular, write_atomically
from synth.support.installed import version
from synth.views.blank import blank
from synth.views.results import PROVED, REFUTED, Result

if TYPE_CHECKING:
    from synth.trusted.program import syntax as ir

FOLDER_VARIABLE = "SYNTH_CACHE"
"""The environment variable that names another folder, or none (empty) for no cache."""

MAX_TOTAL_BYTES = 200_000_000
"""Bytes of all entries together, at the most."""

_FORMAT = 3
_MAX_ENTRY_BYTES = 32_000_000
_MAX_NAME_BYTES, _MAX_NAMES_BYTES = 100, 1_000_000
_TOOLS = ("synth", "z3-solver", "cvc5", "pysmt", "python-flint")
_NAME = re.compile(r"[0-9a-f]{64}\.json|\.[0-9a-f]{64}\.json\..*\.tmp")


@dataclass(frozen=True)
class Cache:
    """A folder of entries; ``surroundings`` stands for all that isn't the mechanism's."""

    folder: Path
    surroundings: str

    @staticmethod
    def of_user(templates: Sequence[Path] = ()) -> Cache | None:
        """The user's cache, for proofs with these template files; None if there can't be one."""
        try:
            folder = user_folder()
            return None if folder is None else Cache(folder / "verdicts", _surroundings(templates))
        except (OSError, RuntimeError, ModuleNotFoundError):  # no home, a template that can't be read
            return None

    def key(self, mechanism: ir.Mechanism) -> str:
        """The hash of what a verdict depends on: source, specification, name and claim, and the tools."""
        claim = blank(mechanism).claim
        given = None if mechanism.specification is None else mechanism.specification.json()
        parts = [self.surroundings, mechanism.source, mechanism.name, claim.stated, given]
        return _digest(json.dumps(parts).encode())

    def stored(self, mechanism: ir.Mechanism) -> str | None:
        """The document that is kept about a mechanism, not to be believed; None if there is none."""
        try:
            require_own(self.folder)
            return read_regular(self._path(self.key(mechanism)), _MAX_ENTRY_BYTES, follow=False).decode()
        except (OSError, ValueError):
            return None

    def latest(self, mechanism: ir.Mechanism) -> str | None:
        """The latest certificate of a mechanism of that name in that file, whatever its text was then.

        It is not to be believed; None if there is none.
        """
        try:
            require_own(self._names)
            entry = read_regular(self._latest(mechanism), _MAX_NAME_BYTES, follow=False).decode()
            if not _NAME.fullmatch(entry):
                return None
            require_own(self.folder)
            return read_regular(self.folder / entry, _MAX_ENTRY_BYTES, follow=False).decode()
        except (OSError, ValueError):
            return None

    def keep(self, mechanism: ir.Mechanism, result: Result) -> None:
        """Keep what can be checked again; nothing happens if the folder can't be used."""
        if result.proof is None or not _is_shown(result):
            return
        entry = self._path(self.key(mechanism))
        with suppress(OSError):
            _write(entry, result.proof)
            if result.verdict == PROVED:
                _write(self._latest(mechanism), entry.name)

    def forget(self, mechanism: ir.Mechanism) -> None:
        """Remove an entry that was of no use."""
        with suppress(OSError):
            require_own(self.folder)
            self._path(self.key(mechanism)).unlink(missing_ok=True)

    def used(self, mechanism: ir.Mechanism) -> None:
        """Note that an entry was of use just now, so that others are removed first."""
        with suppress(OSError):
            os.utime(self._path(self.key(mechanism)), follow_symlinks=False)

    def trim(self, limit: int = MAX_TOTAL_BYTES) -> None:
        """Remove the entries that were used longest ago, until the others fit."""
        _trim(self.folder, limit)
        _trim(self._names, _MAX_NAMES_BYTES)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    @property
    def _names(self) -> Path:
        """A folder of files that name the latest entry of each mechanism."""
        return self.folder.parent / "latest"

    def _latest(self, mechanism: ir.Mechanism) -> Path:
        parts = [os.path.abspath(mechanism.path), mechanism.name]
        return self._names / f"{_digest(json.dumps(parts).encode())}.json"


def _write(path: Path, text: str) -> None:
    """Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    require_own(path.parent)
    write_atomically(path, text)


def _trim(folder: Path, limit: int) -> None:
    with suppress(OSError):
        require_own(folder)
        with os.scandir(folder) as found:
            items = [item for item in found if _NAME.fullmatch(item.name)]
            entries = [(item.stat(follow_symlinks=False), item.path) for item in items]
        total = sum(status.st_size for status, _ in entries)
        for status, path in sorted(entries, key=lambda entry: entry[0].st_mtime_ns):
            if total <= limit:
                return
            Path(path).unlink(missing_ok=True)
            total -= status.st_size


def require_own(folder: Path) -> None:
    """Raises OSError unless the folder is the user's, no link, and nobody else may write to it."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise PermissionError(f"{folder} is not the user's alone")


# --- what a verdict depends on --------------------------------------------------------------


def user_folder() -> Path | None:
    """Where the user wants it.  Raises RuntimeError if the user has no home."""
    given = os.environ.get(FOLDER_VARIABLE)
    if given is not None:
        return Path(given).absolute() if given else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "synth"


def _surroundings(templates: Sequence[Path]) -> str:
    """The hash of versions, synth's own files, and the user's templates.  Raises OSError."""
    parts = [
        str(_FORMAT),
        sys.version,
        *(f"{name} {number}" for name, number in versions().items()),
        sources(),
        *(_digest(read_bounded(path, MAX_TEXT_BYTES)) for path in templates),
    ]
    return _digest("\n".join(parts).encode())


def versions() -> dict[str, str]:
    """Of synth and of the tools that a verdict depends on.  Raises ModuleNotFoundError."""
    return {name: version(name) for name in _TOOLS}


@cache
def sources() -> str:
    """The hash of synth's own sources and templates as they are when this is first asked.  Raises OSError."""
    files = (f"{path.name} {_digest(path.read_bytes())}" for path in _own_files())
    return _digest("\n".join(files).encode())


def _own_files() -> Iterator[Path]:
    """synth's sources and templates; those lie beside the package in a checkout."""
    package = Path(__file__).parents[1]
    yield from sorted(package.rglob("*.py"))
    folders = (package / "templates", package.parent / "templates")
    yield from sorted(next(filter(Path.is_dir, folders), package).glob("*.toml"))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_shown(result: Result) -> bool:
    """Whether the result's document shows all that it states: no witness shows a bound."""
    return result.verdict == PROVED or (result.verdict == REFUTED and result.epsilon is None)
