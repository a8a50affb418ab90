"""Writing touches the named file only, and reading ends."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from synth.app.commands.destination import Destination
from synth.support.files import TooLarge, file_name, read_bounded, read_regular, write_atomically
from synth.trusted.frontend.reader import read_source
from synth.views.blank import blank


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_atomically(path, "one")
    write_atomically(path, "two")
    assert path.read_text() == "two" and list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("")
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        write_atomically(old, "x")
        write_atomically(new, "x")
    finally:
        os.umask(before)
    assert (_mode(old), _mode(new)) == (0o640, 0o640)
    old.chmod(0o604)
    write_atomically(old, "y")
    assert _mode(old) == 0o604


def test_what_is_read_only_stays(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="it is read-only"):
        write_atomically(path, "new")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("target", ["other", "missing"])
def test_nothing_is_written_through_a_link(tmp_path: Path, target: str) -> None:
    (tmp_path / "other").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(OSError, match="it is a link; name the file itself"):
        write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "other").read_text() == "old" and not (tmp_path / "missing").exists()


def test_a_temporary_file_that_somebody_made_before(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("old")
    (tmp_path / f".f.{os.getpid()}.tmp").symlink_to(victim)
    write_atomically(tmp_path / "f", "new")
    assert (tmp_path / "f").read_text() == "new" and victim.read_text() == "old"


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with ThreadPoolExecutor(1) as thread:
            read = thread.submit(pipe.read_text)
            write_atomically(path, "x")
            assert read.result(30) == "x"
    assert stat.S_ISFIFO(pipe.stat().st_mode) and link.is_symlink()
    write_atomically(Path("/dev/null"), "x")


@pytest.mark.parametrize(
    "text", ["../../owned", "/etc/passwd", "..", "a\0b", "", "x" * 9999, "é" * 9999, "a\nb"]
)
def test_names_of_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / f"{file_name(text)}.json"
    write_atomically(path, "x")
    assert path.parent == tmp_path and path.resolve().parent == tmp_path.resolve()
    assert file_name("above_threshold-2") == "above_threshold-2" and file_name("größe") == "größe"


def test_certificates_stay_in_their_folder(tmp_path: Path) -> None:
    head = 'from synth.lang import *\n\n\n@mechanism(adjacent={"x": discrete_distance()})\n'
    (mechanism,) = read_source(f"{head}def f(x: int) -> int:\n    return 0\n", "f.py")
    destination = Destination.of(tmp_path / "a" / "b", several=True)
    assert destination is not None
    names = ["../../owned", "f", "F", "f", ".", "g" * 5000]
    written = [destination.write(replace(blank(mechanism), mechanism=name, proof="x")) for name in names]
    assert {path.parent for path in written} == {tmp_path / "a" / "b"}
    assert len({path.name.casefold() for path in written}) == len(names)
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


# --- reading --------------------------------------------------------------------------------


def test_reading_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * 1000)
    assert read_bounded(path, 1000) == read_regular(path, 1000) == b"x" * 1000
    for read in (read_bounded, read_regular):
        with pytest.raises(TooLarge, match="larger than 999 bytes"):
            read(path, 999)
    with pytest.raises(TooLarge, match="larger than 2 MB"):
        read_bounded(Path("/dev/zero"), 2_000_000)


def test_only_files_are_read(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for path in (pipe, link, tmp_path, Path("/dev/zero")):
        with pytest.raises(OSError, match="it is no file"):
            read_regular(path, 10)
    (tmp_path / "f").write_text("x")
    link.unlink()
    link.symlink_to(tmp_path / "f")
    assert read_regular(link, 10) == b"x"
    with pytest.raises(OSError, match="it is no file"):
        read_regular(link, 10, follow=False)
