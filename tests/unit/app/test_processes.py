"""Workers: they are killed in time, they leave nothing behind, and no crash of theirs is ours."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import synth.prover.prove
from synth.app.jobs import Options, job
from synth.app.workers import Cause, Channel, Failed, Finished, JobCrashed, Pool
from synth.trusted.errors import UsageError
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir
from tests import ROOT
from tests.unit.app.invocation import PROVED, Run, Write, time_out_while

STUCK = """
import sys, time
import synth.prover.prove

def prove(mechanism, templates, progress, shard):
    progress("invariants")
    open(sys.argv[2], "w").write("at work")
    time.sleep(600)

synth.prover.prove.prove = prove
from synth.app.cli import main
main(["prove", sys.argv[1]])
"""


@contextmanager
def _stuck(write: Write, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A run whose worker never ends, with the numbers of its worker processes."""
    program, flag = write("p.py", PROVED), tmp_path / "flag"
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK, program, flag],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests
    )
    try:
        _wait_for(flag.exists)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children
        yield process, [int(child) for child in children]
    finally:
        process.kill()
        process.communicate()


def _wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize("to_group", [True, False])
def test_ctrl_c_ends_everything_at_once(write: Write, tmp_path: Path, to_group: bool) -> None:
    with _stuck(write, tmp_path) as (process, workers):
        if to_group:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        else:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)  # the worker would take 600 s
        assert process.returncode == 130
        assert (out, err) == ("", "synth: interrupted: 0 of 1 mechanisms are done\n")
        _wait_for(lambda: all(map(_is_gone, workers)))


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_its_parent(write: Write, tmp_path: Path, end: signal.Signals) -> None:
    with _stuck(write, tmp_path) as (process, workers):
        process.send_signal(end)
        _, err = process.communicate(timeout=60)
        assert process.returncode == (143 if end is signal.SIGTERM else -signal.SIGKILL)
        assert err == ""
        _wait_for(lambda: all(map(_is_gone, workers)))


def test_the_clock_ends_a_job_that_does_nothing() -> None:
    (outcome,) = Pool([lambda channel: time.sleep(600)], 1, 0.1).outcomes()
    assert isinstance(outcome, JobCrashed) and outcome.cause is Cause.TIME
    assert outcome.reason == "timed out after 0.1 s while starting" and outcome.seconds >= 0.1


def test_a_process_does_several_jobs_and_none_after_one_that_went_wrong() -> None:
    def crash(channel: Channel) -> int:
        raise MemoryError

    def refuse(channel: Channel) -> int:
        raise UsageError("no")

    def end(channel: Channel) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def name(channel: Channel) -> int:
        return os.getpid()

    jobs = [name, refuse, name, crash, name, end, name, name, name, name]
    outcomes = list(Pool(jobs, 1, 600, jobs_each=3).outcomes())
    done = [item.value if isinstance(item, Finished) else 0 for item in outcomes]
    assert done[0] == done[2] and done[7] == done[8] != done[9]
    assert len({done[0], done[4], done[6], done[9]}) == 4
    assert isinstance(outcomes[1], Failed)
    assert [item.cause for item in outcomes if isinstance(item, JobCrashed)] == [Cause.MEMORY, Cause.SIGNAL]


@dataclass(frozen=True)
class _Tell:
    """Tells its process, or ends it."""

    ends: bool = False

    def __call__(self, channel: Channel) -> int:
        if self.ends:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()


@pytest.mark.parametrize("portable", [True, False])
def test_jobs_that_are_added_when_others_are_done(portable: bool) -> None:
    jobs = [_Tell()]
    done: list[int] = []
    with closing(Pool(jobs, 1, 600, jobs_each=3, portable=portable).ended()) as ended:
        for added in (_Tell(), _Tell(), _Tell(), _Tell(ends=True), _Tell()):
            _, outcome = next(ended)
            done.append(outcome.value if isinstance(outcome, Finished) else 0)
            jobs.append(added)
    first, second, third, fourth, killed = done
    assert killed == 0
    assert (first == second == third != fourth) if portable else len({first, second, third, fourth}) == 4


def test_what_a_process_has_proved_before_changes_no_certificate() -> None:
    head = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")\n'
    text = "".join(
        f"{head}def f{number}(x: {sort}, eps: float):\n    return laplace({number} * x, scale=1 / eps)\n\n\n"
        for number, sort in ((1, "int"), (2, "float"), (3, "float"))
    )
    mechanisms = read_source("from synth.lang import *\n\n\n" + text, "p.py")

    def certificates(named: Sequence[ir.Mechanism], jobs_each: int) -> dict[str, str | None]:
        pool = Pool([job(item, Options()) for item in named], 1, 600, jobs_each=jobs_each)
        found = zip(named, pool.outcomes(), strict=True)
        return {item.name: done.value.proof for item, done in found if isinstance(done, Finished)}

    alone = certificates(mechanisms, 1)
    assert len(alone) == 3 and None not in alone.values()
    assert certificates(mechanisms, 3) == certificates(mechanisms[::-1], 3) == alone


def test_the_timeout_ends_a_stuck_solver(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(mechanism: object, templates: object, progress: Callable[[str], None], shard: object) -> None:
        progress("invariants")
        time.sleep(60)

    monkeypatch.setattr(synth.prover.prove, "prove", stuck)
    time_out_while(monkeypatch, "searching for invariants")
    done = run("prove", write("p.py", PROVED), "--timeout", "600", "--json")
    assert (done.status, done.err) == (3, "")
    (result,) = done.results()
    assert result["verdict"] == "unknown"
    assert result["reason"] == "timed out after 600 s while searching for invariants"
    assert result["advice"] == "allow more with `--timeout`" and result["matters"]
    assert result["claim"] == {"epsilon": "3*eps", "delta": None}


def _raise(error: Exception) -> Callable[..., None]:
    def work(*_: object) -> None:
        raise error

    return work


def _segfault(*_: object) -> None:
    faulthandler.disable()
    ctypes.string_at(0)


def _killed(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _exits(*_: object) -> None:
    os._exit(7)


def _talks(mechanism: object, templates: object, progress: Callable[[str], None], shard: object) -> None:
    print("a solver's chatter", flush=True)
    os.write(1, b"more of it\n")
    os.write(2, b"and a warning\n")
    raise MemoryError


@pytest.mark.parametrize(
    ("crash", "reason"),
    [
        (_raise(RecursionError()), "the program is nested too deeply for the prover"),
        (_talks, "the prover ran out of memory"),
        (_segfault, "the prover was ended by signal SIGSEGV"),
        (_killed, "the prover was ended by signal SIGKILL (out of memory?)"),
    ],
)
def test_a_crash_is_an_unknown_with_its_reason(
    run: Run,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    crash: Callable[..., None],
    reason: str,
) -> None:
    monkeypatch.setattr(synth.prover.prove, "prove", crash)
    done = run("prove", write("p.py", PROVED), "--json")
    assert (done.status, done.err) == (3, "")
    (result,) = done.results()
    assert result["reason"] == f"{reason} while loading the solvers"


def test_a_defect_is_reported(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mechanism is unknown, what there is to report is said, and the status is that of no verdict."""
    monkeypatch.setattr(synth.prover.prove, "prove", _raise(ValueError("what\x1b[2K\nnow?")))
    monkeypatch.delenv("SYNTH_TRACEBACK", raising=False)
    program = write("p.py", PROVED)
    done = run("prove", program, "--json")
    (result,) = done.results()
    found = re.sub(r"synth/app/jobs\.py:\d+", "PLACE", result["reason"])
    assert found == r"internal error at PLACE (ValueError: 'what\x1b[2K\nnow?') while loading the solvers"
    hint = "please report it with the command and its files (SYNTH_TRACEBACK=1 shows more)"
    assert (done.status, done.err) == (70, f"synth: error: {result['reason']}; {hint}\n")
    monkeypatch.setattr(synth.prover.prove, "prove", _exits)
    done = run("prove", program)
    assert done.status == 70 and "the prover ended with status 7 while loading the solvers;" in done.err
    monkeypatch.setattr(synth.prover.prove, "prove", _raise(KeyError()))
    monkeypatch.setenv("SYNTH_TRACEBACK", "1")
    done = run("prove", program)
    assert done.status == 70 and done.out.startswith("noisy: unknown")
    assert done.err.startswith("Traceback (most recent call last):\n")


@pytest.mark.parametrize("command", ["prove", "refute", "check", "export", "probability", "templates"])
def test_no_defect_of_the_command_itself_is_a_verdict(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("eps.2")

    monkeypatch.setattr(import_module(f"synth.app.commands.{command}"), "run", broken)
    more = ["--to", "text"] if command == "export" else []
    done = run(command, write("p.py", PROVED), *more)
    assert (done.status, done.out) == (70, "")
    assert done.err.startswith("synth: error: internal error at synth/app/command_line/")
    assert "(KeyError: 'eps.2'); please report it" in done.err


def test_a_proof_stands_though_its_report_is_cut_short(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synth.views.certificate.report.with_table", _segfault)
    done = run("prove", write("p.py", PROVED), "--json")
    assert done.status == 0
    assert [result["verdict"] for result in done.results()] == ["proved"]


HEAVY = ("z3", "cvc5", "pysmt", "flint", "rich")


def _modules(arguments: list[str], named: tuple[str, ...] = HEAVY) -> tuple[int, list[str]]:
    """The status of a command, and which of these modules its own process has imported."""
    code = (
        "import json, sys\n"
        "from synth.app.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit as end:\n"
        f"    loaded = [name for name in {named} if name in sys.modules]\n"
        "    print(json.dumps([end.code, loaded]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    status, loaded = json.loads(done.stderr.splitlines()[-1])
    return status, loaded


def test_the_parent_imports_no_solver(write: Write) -> None:
    assert _modules(["--help"]) == (0, [])
    assert _modules(["prove", "--help"]) == (0, [])
    assert _modules(["prove", str(write("p.py", PROVED)), "--json"]) == (0, [])


def test_help_needs_no_reader() -> None:
    assert _modules(["--help"], ("synth.trusted.program.syntax", "synth.trusted.frontend")) == (0, [])


def _without(modules: tuple[str, ...], arguments: list[str]) -> Any:
    """What a command prints as JSON where these modules can't be imported, in its workers neither."""
    code = (
        "import sys\n"
        f"for name in {modules}: sys.modules[name] = None\n"
        "from synth.app.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)["results"]


def test_graphs_and_formulas_are_loaded_only_where_they_are_used(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path / "cache"))
    heavy = ("networkx", "sympy", "matplotlib")
    noisy, loop = write("p.py", PROVED), ROOT / "benchmarks/programs/above_threshold.py"
    target, certificate = f"{loop}::above_threshold", tmp_path / "proof.json"
    (result,) = _without(heavy, ["prove", str(noisy), "--no-cache", "--json"])
    assert result["verdict"] == "proved"  # without loops there is no graph
    subprocess.run(
        [sys.executable, "-m", "synth", "prove", target, "--certificate", str(certificate)],
        cwd=ROOT,
        check=True,
    )
    (result,) = _without(heavy, ["check", str(certificate), "--json"])
    assert result["verdict"] == "valid"
    (result,) = _without(heavy, ["prove", target, "--json"])
    assert result["verdict"] == "proved" and result["cached"]


def test_a_proof_parses_no_metadata_of_packages(write: Write) -> None:
    (result,) = _without(("importlib.metadata", "email"), ["prove", str(write("p.py", PROVED)), "--json"])
    assert result["verdict"] == "proved"


# --- Ctrl-C ---------------------------------------------------------------------------------

CLICK = """
import os, signal, time
os.kill(os.getpid(), signal.SIGINT)
time.sleep(60)
"""

STARTS = [["-m", "synth"], ["-c", "from synth.__main__ import main; main()"]]


@pytest.mark.parametrize("start", STARTS, ids=["module", "script"])
def test_ctrl_c_while_modules_are_imported(tmp_path: Path, start: list[str]) -> None:
    (tmp_path / "click.py").write_text(CLICK)
    done = subprocess.run(
        [sys.executable, *start, "prove", "p.py"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        preexec_fn=_obeying,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def _obeying() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


IGNORING = """
import os, signal, sys
import synth.prover.prove
real = synth.prover.prove.prove

def prove(*given):
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getppid(), signal.SIGINT)
    os.kill(os.getppid(), signal.SIGTERM)
    return real(*given)

synth.prover.prove.prove = prove
from synth.__main__ import main
main()
"""


def test_signals_that_the_parent_ignores_end_nothing(write: Write) -> None:
    """As under nohup: neither the process nor its workers obey."""
    done = subprocess.run(
        [sys.executable, "-c", IGNORING, "prove", write("p.py", PROVED), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=_ignoring,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("noisy: proved")


def _ignoring() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


LARGEST = """
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def largest(q: list[float], eps: float) -> float:
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], 2 / eps)
        if i == 0 or noisy > best:
            best = noisy
    return best
"""


class ToldError(Exception):
    """A bound was told."""


class Listener:
    """The parent's end of a channel."""

    def send(self, message: tuple[str, str]) -> None:
        if "proved so far" in message[1]:
            raise ToldError(message[1])


def test_a_bound_that_misses_the_claim_is_told_while_better_ones_are_looked_for(write: Write) -> None:
    mechanism = read_program(write("p.py", LARGEST)).mechanism("largest")
    assert mechanism is not None
    listener: Any = Listener()
    with pytest.raises(ToldError, match=r"; proved so far: epsilon = eps\*len\(q\)/2"):
        job(mechanism, Options(beside=True))(Channel(listener))
