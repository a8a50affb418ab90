"""Which files of a folder are programs, and which mechanisms a target means."""

from __future__ import annotations

import os
import time
from pathlib import Path
from textwrap import indent

import pytest

import synth.trusted.frontend.reader
from synth.app.targets import Target, parse_target, read_target
from synth.trusted.errors import UsageError
from tests.unit.app.invocation import PROVED, UNREADABLE, Run, Write, invoke, time_out_while


def test_only_files_with_a_mechanism_are_read(write: Write, tmp_path: Path) -> None:
    write("b/deep/noisy.py", PROVED)
    write("a.py", PROVED.replace("noisy", "first"))
    write("qualified.py", PROVED.replace("@mechanism", "@synth.lang.mechanism").replace("noisy", "q"))
    write("helper.py", "import os\n\n\ndef mechanism_of(x):\n    return x\n")
    write("tests.py", 'import os\nTEXT = """\n@mechanism()\ndef f(): pass\n"""\n')
    write("notes.txt", PROVED)
    write(".hidden/p.py", PROVED)
    write("__pycache__/p.py", PROVED)
    programs = read_target(Target(tmp_path))
    assert [item.name for item in programs.mechanisms] == ["first", "noisy"]
    assert [Path(error.path).name for error in programs.errors] == ["qualified.py"]  # no import of synth


def test_what_looks_like_a_broken_program_is_reported(write: Write, tmp_path: Path) -> None:
    write("broken.py", "@mechanism(\ndef f():\n")
    write("other.py", "def f(:\n")
    write("unreadable.py", UNREADABLE)
    programs = read_target(Target(tmp_path))
    assert [Path(error.path).name for error in programs.errors] == ["broken.py", "unreadable.py"]


HEADER = "from synth.lang import *\n\n\n"
MECHANISM = "@mechanism(adjacent={'x': absolute_distance(1)}, epsilon=1)\ndef f(x: float):\n    return x\n"
ELSEWHERE = {
    "a method": "class C:\n" + indent(MECHANISM.replace("(x: float)", "(self, x: float)"), "    "),
    "within a function": "def outer():\n" + indent(MECHANISM, "    "),
    "in a branch": "if True:\n" + indent(MECHANISM, "    "),
    "asynchronous": MECHANISM.replace("def f", "async def f"),
    "by a name of the file": "private = mechanism\n" + MECHANISM.replace("@mechanism", "@private"),
    "by a call": MECHANISM.split("\n", 1)[1] + "f = mechanism(adjacent={}, epsilon=1)(f)\n",
}


@pytest.mark.parametrize("place", ELSEWHERE)
def test_what_has_the_decorator_where_no_mechanism_is_read_is_reported(
    place: str, write: Write, tmp_path: Path
) -> None:
    """Otherwise all that is claimed in the folder would seem to be proved."""
    write("a.py", PROVED)
    write("b.py", HEADER + ELSEWHERE[place])
    programs = read_target(Target(tmp_path))
    assert [item.name for item in programs.mechanisms] == ["noisy"]
    assert programs.errors and {Path(error.path).name for error in programs.errors} == {"b.py"}
    beside = read_target(Target(write("c.py", PROVED + ELSEWHERE[place])))
    assert beside.errors


def test_names(write: Write, tmp_path: Path) -> None:
    path = write("noisy.py", PROVED)
    assert parse_target(f"{path}::noisy") == Target(path, "noisy")
    assert parse_target(str(path)) == Target(path)
    assert [item.name for item in read_target(Target(tmp_path, "noisy")).mechanisms] == ["noisy"]
    with pytest.raises(UsageError):
        read_target(Target(tmp_path, "other"))


def test_a_path_may_contain_two_colons(write: Write) -> None:
    path = write("odd::name.py", PROVED)
    assert parse_target(str(path)) == Target(path)
    assert parse_target(f"{path}::noisy") == Target(path, "noisy")


# --- what is no file, or somebody else's ----------------------------------------------------

SECRET = "root:$6$salt$hash:19000:0:99999:7:::\nuser = secret word\n"


def test_a_folder_with_pipes_devices_and_links(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    write("folder/a.py", PROVED)
    write("elsewhere.py", PROVED.replace("noisy", "linked"))
    os.mkfifo(folder / "b.py")
    for name, target in (
        ("c.py", "/dev/zero"),
        ("d.py", "/dev/stdin"),
        ("e.py", "missing"),
        ("f.py", "f.py"),
        ("g.py", ".."),
        ("h.py", "b.py"),
        ("i.py", tmp_path / "elsewhere.py"),
    ):
        (folder / name).symlink_to(target)
    programs = read_target(Target(folder))
    assert [item.name for item in programs.mechanisms] == ["noisy", "linked"]
    assert programs.errors == ()


@pytest.mark.parametrize("text", [SECRET, f"# coding: secret\n{SECRET}", "secret = word\n" * 3])
def test_a_link_shows_nothing_of_what_is_no_program(
    run: Run, write: Write, tmp_path: Path, text: str
) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "x.py"
    link.symlink_to(write("hidden", text))
    done = run("prove", link)
    assert done.status == 4
    assert done.err == f"synth: error: {link}: a link to something that has no mechanism\n"
    done = run("prove", link.parent)
    assert "secret" not in done.out + done.err and "hash" not in done.out + done.err


def test_a_link_to_a_program_shows_no_line_of_it(run: Run, write: Write, tmp_path: Path) -> None:
    path = write("p.py", PROVED.replace("1 / eps", "1 / epsilon"))
    (tmp_path / "link.py").symlink_to(path)
    shown, hidden = (run("prove", item).err.splitlines() for item in (path, tmp_path / "link.py"))
    assert len(shown) == 3 and "epsilon" in shown[1]
    assert len(hidden) == 1 and "unknown name 'epsilon'" in hidden[0]


def test_reading_has_the_time_limit(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("p.py", PROVED)
    monkeypatch.setattr(synth.trusted.frontend.reader, "read_program", lambda *_: time.sleep(60))
    time_out_while(monkeypatch, "reading it")
    done = run("prove", path, "--timeout", "600")
    assert done.status == 4
    assert done.err.endswith("p.py: the file can't be read: timed out after 600 s while reading it\n")


def test_a_pipe_that_nobody_writes_to(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "p.py")
    time_out_while(monkeypatch, "reading it")
    done = run("prove", tmp_path / "p.py", "--timeout", "600")
    assert done.status == 4 and "timed out after 600 s while reading it" in done.err


def test_what_is_too_large_is_not_read(run: Run, write: Write, tmp_path: Path) -> None:
    path = write("p.py", PROVED)
    (tmp_path / "t.toml").symlink_to("/dev/zero")
    done = run("prove", path, "--template", tmp_path / "t.toml")
    assert done.status == 4 and "t.toml: can't be read: larger than 20000 bytes" in done.err
    with (tmp_path / "long.py").open("w") as file:
        file.write(PROVED)
        file.truncate(3_000_000_000)
    done = run("prove", tmp_path)
    assert "long.py: the file is too large" in done.err and "noisy: proved" in done.out


def test_a_program_from_a_pipe() -> None:
    reading, writing = os.pipe()
    try:
        os.write(writing, PROVED.encode())
        os.close(writing)
        done = invoke("prove", f"/dev/fd/{reading}")
    finally:
        os.close(reading)
    assert done.status == 0 and "noisy: proved" in done.out
