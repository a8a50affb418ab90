"""Where what is printed or written goes to something that is no file, or takes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synth.support.files import write_atomically
from tests.unit.app.invocation import PROVED, Write

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.is_char_device(), reason="there is no /dev/full")


def _synth(*arguments: str | Path, stdout: int) -> tuple[int, str]:
    """The exit status, and what is printed to standard error."""
    command = [sys.executable, "-m", "synth", *map(str, arguments)]
    done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


@needs_full
@pytest.mark.parametrize("more", [[], ["--wrong", "--json"]])
def test_full(write: Write, more: list[str]) -> None:
    """Neither a traceback nor the status of a verdict."""
    with FULL.open("w") as full:
        status, message = _synth("prove", "--no-cache", write("p.py", PROVED), *more, stdout=full.fileno())
    assert status == 74
    assert message.endswith("synth: error: the output can't be written: No space left on device\n")
    assert "Traceback" not in message


def test_nobody_reads(write: Write) -> None:
    """A reader that ends early, as ``head`` does, refutes nothing."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        status, message = _synth("prove", "--no-cache", write("p.py", PROVED), stdout=writing)
    finally:
        os.close(writing)
    assert (status, message) == (74, "")


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A certificate may go to a pipe or a device, which stay what they are."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, "proof")
        assert os.read(end, 100) == b"proof"
    finally:
        os.close(end)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]
