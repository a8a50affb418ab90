"""Mechanisms of public code, what is claimed of each, and what is true: ``benchmarks/real``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import UsageError

USUAL = Path("benchmarks") / "real"
SPECIFICATIONS, TRUTHS = "privacy.toml", "truth.toml"


@dataclass(frozen=True)
class Truth:
    """A function, the claim that its specification makes, and whether that is true.

    ``least`` is the least epsilon that is true, an expression over the public parameters; None where it isn't
    known or there is none.  ``origin`` names the repository.
    """

    folder: Path
    function: str
    origin: str
    claim: str
    holds: bool
    least: str | None

    @property
    def command(self) -> list[str]:
        """The arguments of ``synth`` for it."""
        target, stated = str(self.folder / self.function), str(self.folder / SPECIFICATIONS)
        return ["prove", target, "--spec", stated, "--json", "--no-cache"]


def find_truths(folder: Path) -> Path:
    """The suite of the checkout that a folder is in.  Raises UsageError."""
    for place in (folder, *folder.parents):
        if (place / USUAL / TRUTHS).is_file():
            return place / USUAL
    raise UsageError(f"there is no {USUAL / TRUTHS} here or above; name the folder to run")


def read_truths(folder: Path) -> tuple[Truth, ...]:
    """All mechanisms of a suite, in the order of their specifications.  Raises UsageError."""
    known = {_text(folder, item, "function"): item for item in _mechanisms(folder / TRUTHS)}
    found = []
    for stated in _mechanisms(folder / SPECIFICATIONS):
        function = _text(folder, stated, "function")
        if function not in known:
            raise UsageError(f"{folder / TRUTHS}: nothing is said of {function}")
        found.append(_truth(folder, function, _text(folder, stated, "epsilon"), known[function]))
    return tuple(found)


def _truth(folder: Path, function: str, claim: str, item: Mapping[str, Any]) -> Truth:
    holds, least = item.get("holds"), item.get("least")
    if not isinstance(holds, bool) or not isinstance(least, str | None):
        raise UsageError(f"{folder / TRUTHS}: {function}: holds must be true or false, least a string")
    return Truth(
        folder, function, _text(folder, item, "origin"), claim, holds, None if least == "none" else least
    )


def _mechanisms(path: Path) -> list[dict[str, Any]]:
    try:
        content = tomllib.loads(read_bounded(path, MAX_TEXT_BYTES).decode())
    except OSError as error:
        raise UsageError(f"{path}: can't be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a TOML file: {error}") from None
    entries = content.get("mechanism")
    if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries) or not entries:
        raise UsageError(f"{path}: there is no [[mechanism]] in it")
    return entries


def _text(folder: Path, item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise UsageError(f"{folder}: a mechanism has no {name}, or one that is no string")
    return value
