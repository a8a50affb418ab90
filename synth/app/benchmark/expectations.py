"""Lists of programs with their verdicts: ``benchmarks/expected.toml`` and others like it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import UsageError
from synth.views.results import PROVED, REFUTED, UNKNOWN

USUAL = Path("benchmarks") / "expected.toml"


@dataclass(frozen=True)
class Expectation:
    """A mechanism, its verdict, and its least bound (``proved``) or false claim (``refuted``)."""

    file: Path
    name: str
    verdict: str
    epsilon: str | None
    claim: str | None

    @property
    def command(self) -> list[str]:
        """The arguments of ``synth`` for it."""
        claimed = [] if self.claim is None else ["--epsilon", self.claim]
        return ["prove", f"{self.file}::{self.name}", "--json", "--no-cache", *claimed]

    @property
    def shown(self) -> str:
        """What is expected, in short."""
        return self.epsilon or self.claim or ""


def find_list(folder: Path) -> Path:
    """The list of the checkout that a folder is in.  Raises UsageError."""
    for place in (folder, *folder.parents):
        if (place / USUAL).is_file():
            return place / USUAL
    raise UsageError(f"there is no {USUAL} here or above; name the list to run")


def read_list(path: Path) -> tuple[Expectation, ...]:
    """All entries of a list; files are relative to it.  Raises UsageError."""
    try:
        content = tomllib.loads(read_bounded(path, MAX_TEXT_BYTES).decode())
    except OSError as error:
        raise UsageError(f"{path}: can't be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a TOML file: {error}") from None
    entries = content.get("mechanism")
    if not isinstance(entries, list) or not entries:
        raise UsageError(f"{path}: there is no [[mechanism]] in it")
    return tuple(_entry(path, number, entry) for number, entry in enumerate(entries, start=1))


def _entry(path: Path, number: int, entry: Mapping[str, object]) -> Expectation:
    place = f"{path}: mechanism {number}"
    fields: dict[str, str | None] = {}
    for name in ("file", "name", "verdict", "epsilon", "claim"):
        value = entry.get(name)
        if value is not None and not isinstance(value, str):
            raise UsageError(f"{place}: {name} must be a string")
        fields[name] = value
    file, mechanism, verdict = (fields[name] for name in ("file", "name", "verdict"))
    if file is None or mechanism is None:
        raise UsageError(f"{place}: file or name is missing")
    if verdict not in (PROVED, REFUTED, UNKNOWN):
        raise UsageError(f"{place}: verdict must be {PROVED}, {REFUTED} or {UNKNOWN}")
    return Expectation(path.parent / file, mechanism, verdict, fields["epsilon"], fields["claim"])
