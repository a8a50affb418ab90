"""What processes of one run of the tests share is computed by one of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.once import FOLDER, once_in_a_run

asked: list[str] = []


def doubled(text: str) -> str:
    asked.append(text)
    if not text:
        raise ValueError
    return 2 * text


def squared(text: str) -> str:
    return len(text) * text


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    asked.clear()
    return tmp_path


def test_another_process_finds_the_value() -> None:
    """What a process has kept itself, another one doesn't see: so here each has a function of its own."""
    for process in (once_in_a_run(doubled), once_in_a_run(doubled)):
        assert [process("é\n"), process("é\n"), process("b")] == ["é\né\n", "é\né\n", "bb"]
    assert asked == ["é\n", "b"]


def test_functions_are_told_apart() -> None:
    assert (once_in_a_run(doubled)("abc"), once_in_a_run(squared)("abc")) == ("abcabc", "abcabcabc")


def test_a_failure_is_not_kept(folder: Path) -> None:
    for process in (once_in_a_run(doubled), once_in_a_run(doubled)):
        with pytest.raises(ValueError):
            process("")
    assert asked == ["", ""] and {item.suffix for item in folder.iterdir()} == {".lock"}


def test_without_a_folder_each_computes_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER)
    assert [once_in_a_run(doubled)("a") for _ in range(2)] == ["aa", "aa"] and asked == ["a", "a"]


def test_this_run_has_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert Path(os.environ[FOLDER]).is_dir()
