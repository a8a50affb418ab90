"""Functions with many parameters have them named at each call, or take a record."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests import ROOT

MOST = 6
"""Positional parameters, but for ``self`` and ``cls``."""


def _too_long() -> Iterator[str]:
    for path in sorted((ROOT / "synth").rglob("*.py")):
        if path.is_relative_to(ROOT / "synth" / "trusted"):
            continue
        for item in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [each.arg for each in (*item.args.posonlyargs, *item.args.args)]
                if len(names) - (names[:1] in (["self"], ["cls"])) > MOST:
                    yield f"{path.relative_to(ROOT)}: {item.name}"


def test_no_call_has_many_positional_arguments() -> None:
    assert list(_too_long()) == []
