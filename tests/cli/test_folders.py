"""Which files of a folder are programs, and which mechanisms a target means."""

from __future__ import annotations

from pathlib import Path

import pytest
from invocation import PROVED, UNREADABLE, Write

from synth.errors import UsageError
from synth.targets import Target, parse_target, read_target


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
