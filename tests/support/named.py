"""What docs name: files of the repository, and what is defined in them."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests import ROOT


def spans(text: str) -> Iterator[str]:
    """What stands between backticks, outside of indented or fenced blocks."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return iter(re.findall(r"`([^`\n]+)`", prose))


def file_of(path: str) -> Path | None:
    """The file or folder of that path, below synth/ or in the repository."""
    return next((found for root in (ROOT / "synth", ROOT) if (found := root / path).exists()), None)


@cache
def defined(path: Path) -> frozenset[str]:
    """The names that a file binds at its top, and ``Class.member``.

    Of a template these are its couplings; of a theory for Rocq, its theorems and definitions.
    """
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".v":
        return frozenset(
            re.findall(r"^(?:Theorem|Lemma|Definition|Inductive|Fixpoint) (\w+)", text, re.MULTILINE)
        )
    if path.suffix == ".toml":
        return frozenset(item["name"] for item in tomllib.loads(text).get("couplings", ()))
    return frozenset(_bound(ast.parse(text).body))


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    for item in body:
        match item:
            case ast.ClassDef(name=name, body=members):
                yield name
                yield from (f"{name}.{member}" for member in _bound(members))
            case ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                found = (part for target in targets for part in ast.walk(target))
                yield from (part.id for part in found if isinstance(part, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
