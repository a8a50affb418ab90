"""Mechanisms of others, their claims, and what is true: ``benchmarks/real`` and ``benchmarks/public``."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.support.files import MAX_TEXT_BYTES, read_bounded
from synth.trusted.errors import UsageError

REAL, PUBLIC = Path("benchmarks") / "real", Path("benchmarks") / "public"
SPECIFICATIONS, TRUTHS = "privacy.toml", "truth.toml"


@dataclass(frozen=True)
class Truth:
    """A function, the claim that its specification or decorator makes, and whether that is true.

    ``least`` is the least epsilon that is true, an expression over the public parameters; None where it isn't
    known or there is none.  ``origin`` names the repository.  ``theirs`` is what another tool says of it;
    ``specified`` says whether the claim stands beside the code.
    """

    folder: Path
    function: str
    origin: str
    claim: str
    holds: bool
    least: str | None
    theirs: str | None = None
    specified: bool = True

    @property
    def command(self) -> list[str]:
        """The arguments of ``synth`` for it."""
        stated = ["--spec", str(self.folder / SPECIFICATIONS)] if self.specified else []
        return ["prove", str(self.folder / self.function), *stated, "--json", "--no-cache"]


def find_truths(folder: Path, suite: Path = REAL) -> Path:
    """The suite of the checkout that a folder is in.  Raises UsageError."""
    for place in (folder, *folder.parents):
        if (place / suite / TRUTHS).is_file():
            return place / suite
    raise UsageError(f"there is no {suite / TRUTHS} here or above; name the folder to run")


def read_truths(folder: Path) -> tuple[Truth, ...]:
    """All mechanisms of a suite, in the order of their specifications or truths.  Raises UsageError."""
    known = {_text(folder, item, "function"): item for item in _mechanisms(folder / TRUTHS)}
    if not (folder / SPECIFICATIONS).exists():
        return _decorated_truths(folder, known)
    found = []
    for stated in _mechanisms(folder / SPECIFICATIONS):
        function = _text(folder, stated, "function")
        if function not in known:
            raise UsageError(f"{folder / TRUTHS}: nothing is said of {function}")
        found.append(_truth(folder, function, _text(folder, stated, "epsilon"), known[function]))
    return tuple(found)


def _decorated_truths(folder: Path, known: Mapping[str, Mapping[str, Any]]) -> tuple[Truth, ...]:
    """The mechanisms of a suite whose files have decorators."""
    files = dict.fromkeys(function.partition("::")[0] for function in known)
    claims = {f"{file}::{name}": claim for file in files for name, claim in _claims(folder / file).items()}
    for function in known:
        if function not in claims:
            raise UsageError(f"{folder / TRUTHS}: {function} is no mechanism with a claim")
    return tuple(
        replace(_truth(folder, name, claims[name], item), specified=False) for name, item in known.items()
    )


def _claims(path: Path) -> dict[str, str]:
    """The epsilons that the decorators of a file claim, by function."""
    try:
        tree = ast.parse(read_bounded(path, MAX_TEXT_BYTES))
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{path}: can't be read: {error}") from None
    return {
        function.name: word.value.value
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call)
        for word in decorator.keywords
        if word.arg == "epsilon"
        and isinstance(word.value, ast.Constant)
        and isinstance(word.value.value, str)
    }


def _truth(folder: Path, function: str, claim: str, item: Mapping[str, Any]) -> Truth:
    holds, least, theirs = item.get("holds"), item.get("least"), item.get("theirs")
    if not isinstance(holds, bool) or not isinstance(least, str | None) or not isinstance(theirs, str | None):
        raise UsageError(
            f"{folder / TRUTHS}: {function}: holds must be true or false, least and theirs strings"
        )
    known = None if least == "none" else least
    return Truth(folder, function, _text(folder, item, "origin"), claim, holds, known, theirs)


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
