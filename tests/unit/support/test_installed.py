"""Versions of packages are those that their metadata state."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from synth.support.installed import version


@pytest.mark.parametrize("name", ["synth", "z3-solver", "cvc5", "pysmt", "python-flint", "Z3_Solver"])
def test_versions_of_the_tools(name: str) -> None:
    assert version(name) == importlib.metadata.version(name)


def test_the_first_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, number in (("one", "2.0"), ("two", "3.0")):
        (tmp_path / place / f"Some_Tool-{number}.dist-info").mkdir(parents=True)
        monkeypatch.syspath_prepend(str(tmp_path / place))
    assert version("some.tool") == "3.0"


def test_other_metadata_are_asked_for_what_has_no_such_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "old_tool.egg-info"
    folder.mkdir()
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: old-tool\nVersion: 1.5\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert version("old-tool") == "1.5"
    with pytest.raises(ModuleNotFoundError):
        version("no-such-tool")
