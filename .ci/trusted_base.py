"""Print what a verdict of `synth check` rests on, in lines of code without comments and docstrings.

The files are found, not listed: all of synth that the kernel, or the check of witnesses, leads to.
Exit status 1 if a part of what proofs rest on has more lines than docs/certificates.md gives reasons for.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRUSTED = ROOT / "synth" / "trusted"
ENTRIES = {
    "a proof rests on": "synth.trusted.kernel.check",
    "a witness rests on": "synth.trusted.witness.check",
    "the meaning of programs, on which no check rests, is": "synth.trusted.core.interpreter",
}


def path_of(module: str) -> Path | None:
    """The file of a module of synth; None for other modules, and for names in modules."""
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules of synth that a file imports, anywhere in it."""
    found: list[str] = []
    for item in ast.walk(ast.parse(path.read_text())):
        match item:
            case ast.Import(names=names):
                found += (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                found += (module, *(f"{module}.{name.name}" for name in names))
    return tuple(name for name in found if name.startswith("synth."))


def closure(entry: str) -> set[Path]:
    """All files that a module's file leads to."""
    found: set[Path] = set()
    waiting = [entry]
    while waiting:
        path = path_of(waiting.pop())
        if path is not None and path not in found and path != ROOT / "synth" / "__init__.py":
            found.add(path)
            waiting += imported(path)
    return found


@cache
def lines_of_code(path: Path) -> int:
    """Lines that hold code: no blank ones, no comments, no docstrings."""
    text = path.read_text()
    docstrings: set[int] = set()
    for item in ast.walk(ast.parse(text)):
        body = getattr(item, "body", None)
        for statement in body if isinstance(body, list) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                docstrings |= set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped and token.type != tokenize.ENDMARKER:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def part_of(path: Path) -> str:
    """Which part of the trusted code a file belongs to: its folder, or the few files beside the folders."""
    first, *rest = path.relative_to(TRUSTED).parts
    return first if rest else "errors and the rest"


def counted(entry: str) -> dict[str, list[int]]:
    """The lines of code of the files that a module leads to, by part."""
    parts: dict[str, list[int]] = {}
    for path in sorted(closure(entry)):
        parts.setdefault(part_of(path), []).append(lines_of_code(path))
    return parts


def explained(page: str) -> dict[str, int]:
    """How many lines of code a page says that each part has at most: `| kernel | 2,400 | why |`."""
    rows = re.findall(r"^\| ([a-z_ ]+) \| ([0-9,]+) \| \S.* \|$", page, re.MULTILINE)
    return {part: int(most.replace(",", "")) for part, most in rows}


def main() -> int:
    for what, entry in ENTRIES.items():
        parts = counted(entry)
        print(what)
        for part, counts in sorted(parts.items(), key=lambda item: -sum(item[1])):
            print(f"  {part:20} {len(counts):3} files {sum(counts):6,} lines of code")
        files, lines = sum(map(len, parts.values())), sum(map(sum, parts.values()))
        print(f"  {'in all':20} {files:3} files {lines:6,} lines of code")
    most = explained((ROOT / "docs" / "certificates.md").read_text())
    status = 0
    for part, counts in counted(ENTRIES["a proof rests on"]).items():
        if sum(counts) > most.get(part, 0):
            status = 1
            print(f"{part}: {sum(counts):,} lines, docs/certificates.md explains {most.get(part, 0):,}")
    return status


if __name__ == "__main__":
    sys.exit(main())
