"""The nodes of a file are gathered once, and never those of a tree that has changed since."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.caught import write_out
from synth.trusted.frontend.nodes import nodes
from synth.trusted.frontend.reader import read_source, read_what_can_be
from synth.trusted.frontend.source import make_source, parse_module
from tests import ROOT

READER = "synth.trusted.frontend."
PROGRAMS = ROOT / "benchmarks"
FILES = [PROGRAMS / "programs" / "above_threshold.py", *sorted((PROGRAMS / "real").glob("*.py"))[::6]]

SMALL = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy(x: int, eps: float) -> int:
    return laplace(x, 1 / eps)
"""

CAUGHT = """
def f(x):
    try:
        y = x + 1
    except ValueError:
        y = 0
    return y
"""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_they_are_those_that_are_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def compared(tree: ast.Module) -> tuple[ast.AST, ...]:
        nonlocal asked
        asked += 1
        found, there = nodes(tree), list(ast.walk(tree))
        assert len(found) == len(there) and all(map(lambda one, other: one is other, found, there))
        return found

    for module in [item for name, item in sys.modules.items() if name.startswith(READER)]:
        if vars(module).get("nodes") is nodes:
            monkeypatch.setattr(module, "nodes", compared)
    with suppress(ProgramError):
        read_what_can_be(path.read_text(encoding="utf-8"), path.name)
    assert asked > 20


def test_what_is_written_out_is_gathered_anew() -> None:
    tree = parse_module(make_source(CAUGHT, "f.py"))
    before = nodes(tree)
    write_out(tree)
    assert any(isinstance(item, ast.Try) for item in before)
    assert nodes(tree) == tuple(ast.walk(tree)) and not any(isinstance(item, ast.Try) for item in nodes(tree))


def test_a_file_is_walked_through_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each question; another walk may be there for what changes the tree."""
    read_source(SMALL, "f.py")
    walk, files = ast.walk, 0

    def counted(node: ast.AST) -> Iterator[ast.AST]:
        nonlocal files
        files += isinstance(node, ast.Module)
        return walk(node)

    monkeypatch.setattr(ast, "walk", counted)
    read_source(SMALL, "f.py")
    assert files <= 6
