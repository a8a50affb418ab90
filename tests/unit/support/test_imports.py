"""Methods of dataclasses are compiled once, and are the same whether they are kept or not."""

from __future__ import annotations

import dataclasses
import json
import marshal
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from synth.support.imports import Methods, quickly
from tests import ROOT

LOAD = """
import dataclasses, json, sys
from synth.support.imports import quickly
with quickly() as methods:
    import {module}
    fresh = sorted(methods.fresh)
print(json.dumps([len(fresh), len(methods.kept), hasattr(dataclasses, "exec")]))
"""

CLASS = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Item:
    name: str
    numbers: tuple[int, ...] = (1,)
    more: list[int] = field(default_factory=list, compare=False)
"""


def _load(folder: Path, module: str, **more: str) -> Any:
    """How many methods are compiled and kept when a process imports a module."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder), **more}
    command = [sys.executable, "-c", LOAD.format(module=module)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_methods_are_compiled_once(tmp_path: Path) -> None:
    first, second = (_load(tmp_path, "synth.app.workers") for _ in range(2))
    assert first[0] == first[1] > 0
    assert second == [0, first[1], False]


def test_what_verdicts_rest_on_has_no_part_in_it(tmp_path: Path) -> None:
    assert _load(tmp_path, "synth.trusted.kernel.check") == [0, 0, False]


def test_nothing_is_written_where_no_bytecode_is(tmp_path: Path) -> None:
    for _ in range(2):
        assert _load(tmp_path, "synth.app.workers", PYTHONDONTWRITEBYTECODE="1")[0] > 0
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("size", [0, 2, 4, 1000])
def test_a_file_that_is_broken_is_written_anew(tmp_path: Path, size: int) -> None:
    first = _load(tmp_path, "synth.app.workers")
    (path,) = tmp_path.rglob("*.methods")
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    assert _load(tmp_path, "synth.app.workers") == first
    assert path.read_bytes() == whole


def test_a_file_of_another_python_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"\0\0\0\0" + marshal.dumps({"text": b""}))
    assert not Methods(str(path)).kept


def _made(methods: Methods, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class, made by these methods."""
    module = ModuleType("synth.example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(dataclasses, "exec", methods.execute, raising=False)
    exec(compile(CLASS, "example", "exec", dont_inherit=True), vars(module))
    monkeypatch.delattr(dataclasses, "exec")
    methods.write()
    return module.Item


def test_kept_methods_do_what_new_ones_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "kept")
    new = _made(Methods(path), monkeypatch)
    methods = Methods(path)
    kept, size = _made(methods, monkeypatch), len(methods.kept)
    assert 0 < size == len(Methods(path).kept)
    for made in (new, kept):
        one, other = made("a"), made("a", more=[2])
        assert one == other and hash(one) == hash(other) and one != made("b")
        assert repr(one) == "Item(name='a', numbers=(1,), more=[])" and one.more is not other.more
        assert made.__init__.__annotations__ == {
            "name": str,
            "numbers": tuple[int, ...],
            "more": list[int],
            "return": None,
        }
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.name = "c"


def test_imports_within_imports_leave_nothing_behind() -> None:
    with quickly() as outer, quickly() as inner:
        assert outer is inner and "exec" in vars(dataclasses)
    assert "exec" not in vars(dataclasses)
