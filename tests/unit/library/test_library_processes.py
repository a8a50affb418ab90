"""What the library leaves alone: the caller's process, its threads and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import synth
from tests import ROOT
from tests.unit.app.invocation import PROVED, Write

LONG = ROOT / "benchmarks" / "programs" / "vertex_cover.py"
HEAVY = ("z3", "cvc5", "flint", "pysmt", "sympy", "networkx", "click", "rich")


def run(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_program_files_load_nothing() -> None:
    modules = f"[name for name in {HEAVY} if name in sys.modules]"
    own = "[name for name in sys.modules if name.startswith('synth.') and not name.startswith('synth.lang')]"
    assert run(f"import sys, synth.lang; print({modules}, {own})") == "[] []\n"


def test_a_call_loads_no_solver_and_sympy_only_for_an_expression(write: Write) -> None:
    code = f"""
import sys, synth
found = synth.prove(sys.argv[1])
synth.check(found.certificate, program=sys.argv[1])
print([name for name in {HEAVY} if name in sys.modules], found)
found.epsilon
print([name for name in {HEAVY} if name in sys.modules])
"""
    assert run(code, write("p.py", PROVED)).splitlines() == [
        "[] Proved(mechanism='noisy', claim=Bound(3*eps, 0), bound=Bound(eps, 0))",
        "['sympy']",
    ]


def test_sympy_computes_with_pythons_numbers_unless_told_otherwise(write: Write) -> None:
    code = """
import os, sys, synth
found = synth.read(sys.argv[1])[0].claim.epsilon
from sympy.external.gmpy import GROUND_TYPES
print(GROUND_TYPES, os.environ.get("SYMPY_GROUND_TYPES"))
"""
    assert run(code, write("p.py", PROVED)) == "python None\n"


def test_a_script_needs_no_guard_and_its_file_is_not_run_again(tmp_path: Path, write: Write) -> None:
    script = write("script.py", "import sys, synth\nprint('once')\nprint(synth.prove(sys.argv[1]).verdict)\n")
    assert run(
        f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')", write("p.py", PROVED)
    ) == ("once\nproved\n")


def test_calls_in_threads(write: Write) -> None:
    path = write("p.py", PROVED)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: synth.prove(path).verdict, range(2)))
    assert found == ["proved", "proved"]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def members(group: int) -> int:
    """How many processes are in a group."""
    found = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            found += file.read_text().rpartition(")")[2].split()[2] == str(group)
    return found


def interrupted_once_there_are_workers(group: int) -> None:
    """Send SIGINT to this process when a worker is there, too."""
    pause = threading.Event()
    while members(group) < 2:
        pause.wait(0.02)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def obeys_interrupts() -> Iterator[None]:
    """Python raises KeyboardInterrupt in this process, even if its parent ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("obeys_interrupts")
def test_an_interrupt_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[Any]] = []
    begin = subprocess.Popen

    def watched(*given: Any, **options: Any) -> subprocess.Popen[Any]:
        started.append(begin(*given, **options))
        threading.Thread(
            target=interrupted_once_there_are_workers, args=[started[0].pid], daemon=True
        ).start()
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    with pytest.raises(KeyboardInterrupt):
        synth.prove(LONG, epsilon="eps/1000", timeout=600)
    assert [process.poll() is not None for process in started] == [True]
    assert gone(started[0].pid)


def gone(group: int) -> bool:
    """Whether a group of processes ends within half a minute."""
    pause = threading.Event()
    for _ in range(300):
        if not members(group):
            return True
        pause.wait(0.1)
    return False


def test_an_iterator_that_is_closed_ends_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[Any]] = []
    begin = subprocess.Popen

    def watched(*given: Any, **options: Any) -> subprocess.Popen[Any]:
        started.append(begin(*given, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    results: Any = synth.prove_all(ROOT / "benchmarks" / "programs" / "noninterference.py", workers=1)
    assert not started
    assert next(results).mechanism == "public_answer"
    results.close()
    assert started[0].poll() is not None


ORPHAN = """
import os, signal, subprocess, sys, synth
begin = subprocess.Popen
def watched(*given, **options):
    process = begin(*given, **options)
    print(process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
subprocess.Popen = watched
synth.prove(sys.argv[1], timeout=600, epsilon="eps/1000")
"""


def test_nothing_outlives_a_caller_that_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ORPHAN, LONG], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert gone(int(done.stdout))


def test_a_defect_is_one_error(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(synth.InternalError, match="the process for the call ended with status 1"):
        synth.prove(write("p.py", PROVED))
