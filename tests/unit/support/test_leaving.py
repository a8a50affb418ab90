"""A process that leaves at once has said all, and done what was to be done at its exit."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGINNING = """
import atexit, sys
from synth.support.leaving import run_and_leave
class Loaded:
    def __del__(self):
        print("taken apart")
loaded = Loaded()
atexit.register(lambda: print("done at the exit"))
"""


def left(work: str) -> subprocess.CompletedProcess[str]:
    called = f"def work():\n    print('said', end='')\n    {work}\nrun_and_leave(work)\nprint('went on')\n"
    text = f"{BEGINNING}\n{called}"
    return subprocess.run([sys.executable, "-c", text], text=True, capture_output=True)


@pytest.mark.parametrize("status", [0, 3])
def test_all_is_said_and_nothing_is_taken_apart(status: int) -> None:
    done = left(f"sys.exit({status})")
    assert (done.returncode, done.stdout, done.stderr) == (status, "saiddone at the exit\n", "")


def test_a_message_is_said_as_python_says_it() -> None:
    done = left("sys.exit('wrong')")
    assert (done.returncode, done.stderr) == (1, "wrong\n") and "taken apart" in done.stdout


def test_what_does_not_end_goes_on() -> None:
    assert "went on" in left("pass").stdout


def test_generators_that_were_left_are_closed_before() -> None:
    given = "def given():\n    try:\n        yield 1\n    finally:\n        print(' closed', end=' ')\n"
    work = "def work():\n    for item in given():\n        sys.exit(3)\n"
    text = f"{BEGINNING}\n{given}\n{work}\nrun_and_leave(work)\n"
    done = subprocess.run([sys.executable, "-c", text], text=True, capture_output=True)
    assert (done.returncode, done.stdout) == (3, " closed done at the exit\n")
