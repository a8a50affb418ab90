"""What a verdict rests on grows only where docs/certificates.md says why."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trusted_base", ROOT / ".ci" / "trusted_base.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_part_is_explained(script: ModuleType) -> None:
    most = script.explained(PAGE)
    parts = script.counted(script.ENTRIES["a proof rests on"])
    assert parts.keys() <= most.keys()
    assert all(sum(counts) <= most[part] for part, counts in parts.items())


def test_growth_without_a_reason_fails(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main() == 0
    most = {**script.explained(PAGE), "kernel": 17}
    monkeypatch.setattr(script, "explained", lambda page: most)
    assert script.main() == 1
    assert "docs/certificates.md explains 17" in capsys.readouterr().out


def test_each_trusted_file_says_what_it_guarantees(script: ModuleType) -> None:
    page = (ROOT / "synth" / "trusted" / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([a-z_]+)`", page))
    files = {
        path.stem for path in script.closure(script.ENTRIES["a proof rests on"]) if "frontend" in path.parts
    }
    assert sorted(files - listed - {"__init__"}) == []
