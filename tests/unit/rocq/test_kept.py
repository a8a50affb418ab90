"""Compiled theories are kept for these sources and this compiler, and used only as they were kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synth.app.cache import FOLDER_VARIABLE
from synth.app.compiled_theories import CompiledTheories

SOURCES = {"Laws": "(* laws *)", "Core": "(* core *)"}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledTheories:
    """Two theories that were compiled and kept."""
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    made = tmp_path / "made"
    made.mkdir()
    for name in SOURCES:
        (made / f"{name}.vo").write_bytes(name.encode())
    found = CompiledTheories.of_user("coqc 8.16.1", SOURCES)
    assert found is not None
    found.keep(made)
    return found


def test_what_was_kept_is_there_again(kept: CompiledTheories, tmp_path: Path) -> None:
    assert kept.copy_to(tmp_path / "again")
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == ["Core.vo", "Laws.vo"]
    assert (tmp_path / "again" / "Laws.vo").read_bytes() == b"Laws"


@pytest.mark.parametrize(
    ("compiler", "sources"),
    [
        ("coqc 8.17", SOURCES),
        ("coqc 8.16.1", SOURCES | {"Laws": "(* other laws *)"}),
        ("coqc 8.16.1", SOURCES | {"More": ""}),
    ],
)
def test_other_sources_and_compilers_have_their_own(
    kept: CompiledTheories, tmp_path: Path, compiler: str, sources: dict[str, str]
) -> None:
    other = CompiledTheories.of_user(compiler, sources)
    assert other is not None and other.folder != kept.folder
    assert not other.copy_to(tmp_path / "again")


def _changed(folder: Path) -> None:
    (folder / "Laws.vo").write_bytes(b"lies")


def _writable(folder: Path) -> None:
    folder.chmod(0o777)


def _writable_above(folder: Path) -> None:
    folder.parent.chmod(0o777)


def _link(folder: Path) -> None:
    other = folder.with_name("other")
    folder.rename(other)
    folder.symlink_to(other)


def _linked_file(folder: Path) -> None:
    (folder / "Laws.vo").rename(folder / "other")
    (folder / "Laws.vo").symlink_to(folder / "other")


def _elsewhere(folder: Path) -> None:
    listed = json.loads((folder / "sha256.json").read_text())
    listed["../Laws.vo"] = listed.pop("Laws.vo")
    (folder / "sha256.json").write_text(json.dumps(listed))
    (folder / "Laws.vo").rename(folder.parent / "Laws.vo")


def _no_list(folder: Path) -> None:
    (folder / "sha256.json").write_text("[[]]")


@pytest.mark.parametrize(
    "change", [_changed, _writable, _writable_above, _link, _linked_file, _elsewhere, _no_list]
)
def test_what_others_could_have_changed_is_not_used(
    kept: CompiledTheories, tmp_path: Path, change: object
) -> None:
    assert callable(change)
    change(kept.folder)
    assert not kept.copy_to(tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_who_wants_no_cache_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    assert CompiledTheories.of_user("coqc 8.16.1", SOURCES) is None
