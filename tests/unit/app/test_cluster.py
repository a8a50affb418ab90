"""``--cluster``: the rows of a local run, whatever becomes of the cluster's workers."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import pytest
from click.testing import CliRunner
from distributed import LocalCluster

import synth.app.cluster
from synth.app import jobs
from synth.app.cli import main
from synth.app.jobs import Options, order_of
from synth.app.stated import Stated
from synth.app.targets import Target, read_target
from synth.app.unpickling import Refused, only_data
from synth.views.console.progress import Progress
from tests import ROOT

HOOK = """
import sys

if any("synth.app.cluster import serve_orders" in item for item in sys.orig_argv):
    import os, signal, time
    from pathlib import Path
    import synth.app.jobs as command

    folder, proving = Path({folder!r}), command.job

    def job(mechanism, options, cache=None, shard=None):
        worker = int(sys.argv[2])
        with (folder / "log").open("a") as log:
            log.write(f"{{mechanism.name}} {{worker}} {{os.getppid()}}\\n")
        if mechanism.name == "held":
            while not (folder / "go").exists():
                time.sleep(0.02)
        if mechanism.name == "deadly":
            os.kill(worker, signal.SIGKILL)
        return proving(mechanism, options, cache, shard)

    command.job = job
"""
"""Imported by every Python process of the cluster: proofs are logged, and some are held or deadly."""

LIES = """
import os
import time
from pathlib import Path

from distributed import get_worker

FOLDER = Path({folder!r})


class Bomb(Exception):
    def __reduce__(self):
        return os.system, (f"echo $PPID >> '{{FOLDER}}/exploded'",)


def answer(number, topic, needed, order):
    return (FOLDER / "answer").read_bytes()


def bomb(number, topic, needed, order):
    return Bomb()


def error(number, topic, needed, order):
    raise Bomb


def huge(number, topic, needed, order):
    return b'{{"document": "' + b"x" * 100_000_000 + b'"}}'


def of_shard(liar, number, topic, needed, order):
    from synth.app.cluster import _task

    return (answer if number == liar else _task)(number, topic, needed, order)


def first(*task):
    return of_shard(0, *task)


def second(*task):
    return of_shard(1, *task)


def held(test):
    # until the test lets go, or the next one has begun
    return not (FOLDER / "go").exists() and (FOLDER / "test").read_text() == test


def dumb(number, topic, needed, order):
    test = (FOLDER / "test").read_text()
    while held(test):
        time.sleep(0.02)


def silent(number, topic, needed, order):
    get_worker().log_event(topic, (number, "starting"))
    dumb(number, topic, needed, order)


def chatty(number, topic, needed, order):
    test = (FOLDER / "test").read_text()
    while held(test):
        for news in ((number, "starting"), (number, "x" * 10_000), (-1, 2), None, "proved", number):
            get_worker().log_event(topic, news)
        time.sleep(0.001)
"""
"""What a worker may do instead of the task that it is given."""

HEAD = "from synth.lang import *\n"

NOISY = """

@mechanism(adjacent={{"x": absolute_distance(1)}}, requires="eps > 0", epsilon="{claim}")
def {name}(x: int, eps: float) -> int:
    return {value}
"""

UNSOUND = """
extends = "exponential"

[[couplings]]
name = "below"
k = "k"
relation = "v2 == v1 + k"
requirement = "true"
distance = "abs(k + center1 - center2)"
source = "wrong: run 2 may fall below its support"
"""


def _program(*names: str, claim: str = "3*eps", value: str = "laplace(x, scale=1 / eps)") -> str:
    return HEAD + "".join(NOISY.format(name=name, claim=claim, value=value) for name in names)


@dataclass(frozen=True)
class Workers:
    """A cluster of two worker processes, and a folder in which they say what they do."""

    cluster: LocalCluster
    folder: Path

    @property
    def address(self) -> str:
        return str(self.cluster.scheduler_address)

    def started(self, name: str) -> list[int]:
        """The workers at which the proof of a mechanism has started, in order."""
        log = self.folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [int(line.split()[1]) for line in lines if line.split()[0] == name]

    def servants(self) -> set[str]:
        """The processes from which proofs were forked."""
        return {line.split()[2] for line in (self.folder / "log").read_text().splitlines()}

    def let_go(self) -> None:
        (self.folder / "go").touch()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "sitecustomize.py").write_text(HOOK.format(folder=str(folder)))
    (folder / "lies.py").write_text(LIES.format(folder=str(folder)))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as local:
            yield Workers(local, folder)


@pytest.fixture
def workers(cluster: Workers) -> Workers:
    """Both of them, at the beginning of a test."""
    cluster.cluster.scale(2)
    _wait_for(lambda: len(cluster.cluster.scheduler.workers) == 2)
    for name in ("log", "go"):
        (cluster.folder / name).unlink(missing_ok=True)
    (cluster.folder / "test").write_text(uuid4().hex)
    return cluster


def _wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _prove(*arguments: object) -> tuple[int, list[dict[str, Any]], str]:
    done = CliRunner().invoke(main, ["prove", *map(str, arguments), "--json"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done.exit_code, json.loads(done.stdout)["results"], done.stderr


def _comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What documents show; a bound that misses the claim has none."""
    own = {"seconds", "seconds_checking", "certificate", "effort"}
    unshown = {"reason", "code", "reason_line", "reason_column", "epsilon", "delta"}
    unshown |= {"hint", "hints", "matters", "advice", "sites", "loops", "invariants", "notes"}
    dropped = [own | (unshown if row["witness"] else set()) for row in rows]
    return [
        {name: value for name, value in row.items() if name not in left_out}
        for row, left_out in zip(rows, dropped, strict=True)
    ]


def _texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_an_order_holds_what_its_mechanism_needs(tmp_path: Path) -> None:
    """A claim in the names of the file is sent without these."""
    path = tmp_path / "p.py"
    path.write_text(f"# first\n{_program('first', 'second')}\nTWICE = 2\n")
    options = Options(Stated("TWICE * eps"))
    (mechanism,) = read_target(Target(path, "second"), stated=options.stated).mechanisms
    order = pickle.loads(pickle.dumps(order_of(mechanism, options)))
    assert "first" not in order.text and "TWICE" not in order.text
    assert jobs._ordered(order) == mechanism and order.claim.epsilon == "2*eps"


def test_the_rows_are_those_of_a_local_run(workers: Workers, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "a.py").write_text(_program("first", "second"))
    (library / "b.py").write_text(_program("first", "bare", value="x"))
    (library / "c.py").write_text(_program("too_little", claim="eps/2"))
    (library / "d.py").write_text(_program("nobody").replace('"eps > 0"', '"eps > 0 and eps < 0"'))
    (library / "e.py").write_text(_program("wrong").replace("1 / eps", "1 / epsilon"))
    here, there = tmp_path / "here", tmp_path / "there"
    local = _prove(library, "--workers", 2, "--certificate", here)
    remote = _prove(library, "--cluster", workers.address, "--certificate", there)
    assert (remote[0], remote[2].replace("the worker says: ", "")) == (local[0], local[2])
    assert _comparable(remote[1]) == _comparable(local[1])
    assert [row["mechanism"] for row in remote[1]] == ["first", "second", "first", "bare", "too_little"]
    assert _texts(here) == _texts(there)


def test_a_worker_needs_one_process_for_many_proofs(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(_program(*(f"f{number}" for number in range(6))))
    for _ in range(2):
        status, rows, _ = _prove(path, "--cluster", workers.address)
        assert status == 0 and len(rows) == 6
    assert len(workers.servants()) <= 2


ABOVE_THRESHOLD = ROOT / "benchmarks/programs/above_threshold.py"


@pytest.mark.parametrize("claim", [(), ("--epsilon", "eps")])
def test_workers_share_the_search_for_one_proof(
    workers: Workers, tmp_path: Path, claim: tuple[str, ...]
) -> None:
    path = tmp_path / "p.py"
    path.write_text(ABOVE_THRESHOLD.read_text().replace("def above_threshold(", "def held("))

    def let_go_of_both() -> None:
        _wait_for(lambda: len(set(workers.started("held"))) == 2)
        workers.let_go()

    local = _prove(f"{path}::held", "--no-cache", *claim)
    with ThreadPoolExecutor() as threads:
        letting_go = threads.submit(let_go_of_both)
        remote = _prove(f"{path}::held", "--cluster", workers.address, *claim)
        letting_go.result()
    assert local[1][0]["verdict"] == "proved"
    assert _comparable(remote[1]) == _comparable(local[1])


def test_where_all_shards_fail_one_refutes(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(_program("too_little", claim="eps/2"))
    local = _prove(path, "--no-cache")
    remote = _prove(path, "--cluster", workers.address)
    assert local[1][0]["verdict"] == "refuted"
    assert (remote[0], _comparable(remote[1])) == (local[0], _comparable(local[1]))


@pytest.mark.slow
def test_a_shard_whose_worker_is_killed_begins_again(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(_program("held"))

    def kill() -> None:
        _wait_for(lambda: len(workers.started("held")) == 2)
        os.kill(workers.started("held")[0], signal.SIGKILL)
        _wait_for(lambda: len(workers.started("held")) == 3)
        workers.let_go()

    with ThreadPoolExecutor() as threads:
        killing = threads.submit(kill)
        status, rows, errors = _prove(path, "--cluster", workers.address)
        killing.result()
    assert (status, errors) == (0, "")
    assert [(row["verdict"], row["epsilon"]) for row in rows] == [("proved", "eps")]


def test_a_cluster_has_only_so_many_tasks_at_a_time(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synth.app.cluster, "_MANY_TASKS", 1)
    names = ["held", "one", "two"]
    path = tmp_path / "p.py"
    path.write_text(_program(*names))

    def tasks() -> int:
        _wait_for(lambda: workers.started("held") != [])
        found = len(workers.cluster.scheduler.tasks)
        workers.let_go()
        return found

    with ThreadPoolExecutor() as threads:
        looking = threads.submit(tasks)
        status, rows, errors = _prove(path, "--cluster", workers.address)
        assert looking.result() == 1
    assert (status, errors) == (0, "")
    assert [(row["mechanism"], row["verdict"]) for row in rows] == [(name, "proved") for name in names]


MANY = pytest.mark.parametrize("many", [1, 1000])
"""Tasks that a cluster has at a time."""


@MANY
@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_repeats_nothing(
    workers: Workers, many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synth.app.cluster, "_MANY_TASKS", many)
    names = ["one", "held", "two", "three", "four"]
    path = tmp_path / "p.py"
    path.write_text(_program(*names))

    def kill() -> None:
        _wait_for(lambda: workers.started("held") != [])
        os.kill(workers.started("held")[0], signal.SIGKILL)
        _wait_for(lambda: len(workers.started("held")) > 1)
        workers.let_go()

    with ThreadPoolExecutor() as threads:
        killing = threads.submit(kill)
        status, rows, errors = _prove(path, "--cluster", workers.address)
        killing.result()
    assert (status, errors) == (0, "")
    assert [(row["mechanism"], row["verdict"]) for row in rows] == [(name, "proved") for name in names]
    first, second = workers.started("held")
    assert first != second


@MANY
@pytest.mark.slow
def test_a_mechanism_that_kills_every_worker_is_unknown(
    workers: Workers, many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synth.app.cluster, "_MANY_TASKS", many)
    monkeypatch.setattr(workers.cluster.scheduler, "allowed_failures", 0)
    path = tmp_path / "p.py"
    path.write_text(_program("deadly", "one", "two"))
    status, rows, errors = _prove(path, "--cluster", workers.address)
    assert (status, errors) == (3, "")
    assert [row["verdict"] for row in rows] == ["unknown", "proved", "proved"]
    assert rows[0]["reason"] == "the worker was lost, too, that worked on it alone"
    assert len(workers.started("deadly")) == 2


@pytest.mark.slow
def test_a_proof_that_hangs_leaves_its_worker_free(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = StringIO()
    monkeypatch.setattr(Progress, "on_terminal", lambda names: Progress(names, shown, True))
    path = tmp_path / "p.py"
    path.write_text(_program("held"))
    status, (row,), errors = _prove(path, "--cluster", workers.address, "--timeout", "0.8")
    assert (status, errors) == (3, "")
    assert row["reason"] == "the worker says: timed out after 0.8 s while starting"
    assert "held: starting" in shown.getvalue()
    workers.let_go()
    assert [row["verdict"] for row in _prove(path, "--cluster", workers.address)[1]] == ["proved"]
    assert "held: loading the solvers" in shown.getvalue()


def test_ctrl_c_ends_the_proofs_on_the_workers(workers: Workers, tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    path.write_text(_program("held"))
    command = [sys.executable, "-m", "synth", "prove", str(path), "--cluster", workers.address]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # whoever runs the tests
    )
    try:
        _wait_for(lambda: workers.started("held") != [])
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert err == "synth: interrupted: 0 of 1 mechanisms are done\n"
    proving = [psutil.Process(worker) for worker in workers.started("held")]
    _wait_for(lambda: not any(item.children() for item in proving), 20)  # the proof would take 60 s


def test_templates_are_sent_by_content(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the workers are elsewhere
    Path("p.py").write_text(_program("noisy"))
    Path("own.toml").write_text(UNSOUND)
    local = _prove("p.py", "--template", "own.toml")
    there = _prove("p.py", "--template", "own.toml", "--cluster", workers.address)
    assert local[0] == 4 and "own.toml: coupling below of exponential is not sound" in local[2]
    assert there[:2] == local[:2]
    # Which counterexample a solver finds may depend on what its process was asked before.
    said = there[2].replace("the worker says: ", "")
    assert said.partition("; it fails for")[0] == local[2].partition("; it fails for")[0]
    assert _prove("p.py", "--template", "none.toml", "--cluster", workers.address) == (
        4,
        [],
        "synth: error: none.toml: can't be read: No such file or directory\n",
    )


def test_a_worker_with_another_synth_is_refused(
    workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    ours = synth.app.cluster.identity() | {"synth": "99"}
    monkeypatch.setattr(synth.app.cluster, "identity", lambda: ours)
    status, rows, errors = _prove(tmp_path / "p.py", "--cluster", workers.address)
    assert (status, rows, workers.started("noisy")) == (2, [], [])
    assert re.fullmatch(
        r"synth: error: the worker at tcp://\S+ has synth \S+, not 99: install the same there as here\n",
        errors,
    )


# --- workers that lie -----------------------------------------------------------------------


@pytest.fixture
def lying(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes all workers run something else."""
    monkeypatch.syspath_prepend(workers.folder)
    (workers.folder / "exploded").unlink(missing_ok=True)

    def lie(name: str) -> None:
        monkeypatch.setattr(synth.app.cluster, "_task", getattr(import_module("lies"), name))

    return lie


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A certificate and a witness."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "p.py").write_text(_program("noisy"))
    (folder / "q.py").write_text(_program("bare", value="x"))
    _prove(folder / "p.py", "--no-cache", "--certificate", folder / "p.json")
    _prove(folder / "q.py", "--no-cache", "--certificate", folder / "q.json")
    return {"proof": (folder / "p.json").read_text(), "witness": (folder / "q.json").read_text()}


NOTHING = "what the worker sent is no proof of this mechanism, and no witness"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda of: {"document": of["proof"]}, NOTHING),
        (lambda of: {"document": of["proof"].replace("scale=1 / eps", "scale=0 / eps")}, NOTHING),
        (lambda of: {"document": of["proof"].replace('"noisy"', '"../../owned"')}, NOTHING),
        (lambda of: {"document": "{}"}, NOTHING),
        (lambda of: {"document": "[" * 100_000}, NOTHING),
        (lambda of: {"document": of["witness"], "verdict": "proved"}, None),
        (lambda of: {"document": of["witness"], "mechanism": "../../owned", "epsilon": "0"}, None),
        (lambda of: {"verdict": "proved", "epsilon": "0"}, "not what a worker of synth answers"),
        (lambda of: ["document"], "not what a worker of synth answers"),
        (lambda of: {"lost": "a\n\nb" + "c" * 10_000, "line": 3}, "the worker says: line 3: a b" + "c" * 490),
    ],
)
def test_a_worker_that_lies(
    workers: Workers,
    lying: Callable[[str], None],
    documents: dict[str, str],
    tmp_path: Path,
    answer: Callable[[dict[str, str]], object],
    reason: str | None,
) -> None:
    lying("answer")
    (workers.folder / "answer").write_text(json.dumps(answer(documents)))
    path, folder = tmp_path / "q.py", tmp_path / "a" / "b"
    path.write_text(_program("bare", value="x"))
    folder.mkdir(parents=True)
    _, (row,), errors = _prove(path, "--cluster", workers.address, "--certificate", folder)
    assert (row["mechanism"], row["file"], row["epsilon"], errors) == ("bare", str(path), None, "")
    assert row["verdict"] == ("refuted" if reason is None else "unknown")
    assert reason is None or (row["reason"] or "").startswith(reason) or f"({reason})" in row["reason"]
    written = [item.relative_to(tmp_path) for item in tmp_path.rglob("*.json")]
    assert written == ([Path("a/b/bare.json")] if reason is None else [])


FORGED = [
    lambda of: {"document": of["proof"].replace('"noisy"', '"released"'), "of_shard": False},
    lambda of: {"document": of["proof"].replace('"epsilon": "3*eps"', '"epsilon": "eps"'), "of_shard": False},
    lambda of: {"document": of["witness"], "of_shard": False},
    lambda of: {"lost": "no", "code": None, "line": None},
]
"""What one of two workers may say of a mechanism on which both work."""


@pytest.mark.parametrize("answer", FORGED)
def test_a_worker_that_lies_about_its_shard(
    workers: Workers,
    lying: Callable[[str], None],
    documents: dict[str, str],
    tmp_path: Path,
    answer: Callable[[dict[str, str]], object],
) -> None:
    (workers.folder / "answer").write_text(json.dumps(answer(documents)))
    path = tmp_path / "q.py"
    path.write_text(_program("released"))
    lying("second")
    _, (row,), errors = _prove(path, "--cluster", workers.address)
    assert (row["verdict"], row["epsilon"], errors) == ("proved", "eps", "")
    lying("first")
    _, (row,), errors = _prove(path, "--cluster", workers.address)
    assert row["verdict"] in ("unknown", "proved") and not errors  # the honest one has other strategies


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"1" * 100_000,
        b"null",
        pickle.dumps([print]),
        b'{"document": NaN}',
        b"[" * 99_999,
    ],
)
def test_an_answer_that_is_no_json(
    workers: Workers, lying: Callable[[str], None], tmp_path: Path, answer: bytes
) -> None:
    lying("answer")
    (workers.folder / "answer").write_bytes(answer)
    row = _unknown(workers, tmp_path)
    assert row["reason"].startswith("the result didn't come from the worker (")


def test_an_answer_that_is_too_large(workers: Workers, lying: Callable[[str], None], tmp_path: Path) -> None:
    lying("huge")
    said = "the result didn't come from the worker (not what a worker of synth answers)"
    assert _unknown(workers, tmp_path)["reason"] == said


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ("silent", "its worker gave no answer within 0.5 s"),
        ("chatty", "its worker gave no answer within 0.5 s"),
        ("dumb", "no worker began with it or answered anything within 0.5 s"),
    ],
)
def test_a_worker_that_never_answers(
    workers: Workers,
    lying: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lie: str,
    reason: str,
) -> None:
    less = 0.5 - 60  # the reader has the minute of a proof, and a worker half a second
    monkeypatch.setattr(synth.app.cluster, "ANSWER_TIMEOUT_S", less)
    monkeypatch.setattr(synth.app.cluster, "IDLE_TIMEOUT_S", less if lie == "dumb" else 600.0)
    lying(lie)
    try:
        row = _unknown(workers, tmp_path, "--timeout", "60")
    finally:
        workers.let_go()
    assert (row["reason"], row["code"]) == (reason, "no-answer-from-cluster")


def _unknown(workers: Workers, folder: Path, *options: str) -> dict[str, Any]:
    """The row of a mechanism of which the workers have told nothing that is true; nothing is written."""
    path, documents = folder / "q.py", folder / "documents"
    path.write_text(_program("bare", value="x"))
    documents.mkdir()
    status, (row,), errors = _prove(path, "--cluster", workers.address, "--certificate", documents, *options)
    assert (status, row["verdict"], row["epsilon"], row["witness"], errors) == (3, "unknown", None, None, "")
    assert set(folder.rglob("*")) == {path, documents}
    return row


@pytest.mark.parametrize("lie", ["bomb", "error"])
def test_a_pickled_answer_is_not_loaded(
    workers: Workers, lying: Callable[[str], None], tmp_path: Path, lie: str
) -> None:
    lying(lie)
    path = tmp_path / "q.py"
    path.write_text(_program("bare", value="x"))
    status, rows, errors = _prove(path, "--cluster", workers.address)
    assert (status, rows) == (2, [])
    assert "which is not loaded: is the same synth on all workers?" in errors
    exploded = workers.folder / "exploded"
    assert not exploded.exists() or str(os.getpid()) not in exploded.read_text().split()


def test_only_values_are_unpickled_by_threads_of_the_cluster() -> None:
    bombs = pickle.dumps([print]), pickle.dumps(Path("x"))
    values = pickle.dumps({"a": [1, 2.5, None, b"x"]}), pickle.dumps(bytes)
    with only_data() as guard, ThreadPoolExecutor(1) as thread:
        for data in values:
            thread.submit(pickle.loads, data).result()
        assert guard.refused is None
        for data in bombs:
            with pytest.raises(Refused):
                thread.submit(pickle.loads, data).result()
        assert guard.refused == "builtins.print"
        assert pickle.loads(bombs[0]) == [print]
        left = ThreadPoolExecutor(1)
        left.submit(int).result()
    with left, pytest.raises(Refused):
        left.submit(pickle.loads, bombs[0]).result()


@contextmanager
def _dask(*arguments: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_scheduler_that_is_restarted_loses_nothing(workers: Workers, tmp_path: Path) -> None:
    names = ["one", "held", "two"]
    path = tmp_path / "p.py"
    path.write_text(_program(*names))
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    scheduler, worker = ("scheduler", "--port", port), ("worker", address, "--nthreads", "1", "--no-nanny")
    first, second = ExitStack(), ExitStack()

    def restart() -> None:
        _wait_for(lambda: workers.started("held") != [])
        first.close()
        second.enter_context(_dask(*scheduler))
        second.enter_context(_dask(*worker))
        _wait_for(lambda: len(workers.started("held")) > 1)
        workers.let_go()

    with first, second, ThreadPoolExecutor() as threads:
        first.enter_context(_dask(*scheduler))
        first.enter_context(_dask(*worker))
        _wait_for(lambda: _answers(port))
        restarting = threads.submit(restart)
        status, rows, errors = _prove(path, "--cluster", address)
        restarting.result()
    assert (status, errors) == (0, "")
    assert [(row["mechanism"], row["verdict"]) for row in rows] == [(name, "proved") for name in names]
    assert len(workers.started("held")) == 2


def _answers(port: str) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", int(port))):
        return True
    return False


def test_a_cluster_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    monkeypatch.setattr(synth.app.cluster, "NO_WORKER_TIMEOUT_S", 0.3)
    monkeypatch.setattr(synth.app.cluster, "WORKER_POLL_INTERVAL_S", 0.1)
    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        done = _prove(tmp_path / "p.py", "--cluster", empty.scheduler_address)
        message = f"synth: error: the cluster at {empty.scheduler_address} has no worker\n"
    assert done == (2, [], message)


SAID = {
    "nothing": b"",
    "ones": b"\xff" * 1000,
    "zeros": bytes(64),
    "another protocol": b"HTTP/1.1 200 OK\r\n\r\n",
    "a pickle": pickle.dumps([print]),
    "a short message": (8).to_bytes(8, "little") + b"x" * 8,
}


@pytest.mark.parametrize("said", [pytest.param(said, id=name) for name, said in SAID.items()])
def test_what_answers_is_no_scheduler(said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    monkeypatch.setattr(synth.app.cluster, "CONNECT_TIMEOUT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as thread:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        held = thread.submit(_say, server, said)
        status, rows, errors = _prove(tmp_path / "p.py", "--cluster", address)
        server.shutdown(socket.SHUT_RDWR)
        for connection in held.result():
            connection.close()
    assert (status, rows) == (2, [])
    assert errors.startswith(f"synth: error: --cluster {address}: no Dask scheduler answers there (")
    assert len(errors.splitlines()) == 1


def _say(server: socket.socket, said: bytes) -> list[socket.socket]:
    """Say the same to whoever connects, until the server is shut down; the connections stay open."""
    held: list[socket.socket] = []
    while True:
        try:
            held.append(server.accept()[0])
        except OSError:
            return held
        held[-1].sendall(said)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "tls://127.0.0.1:1"])
def test_no_scheduler_at_the_address(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    monkeypatch.setattr(synth.app.cluster, "CONNECT_TIMEOUT_S", 0.5)
    status, rows, errors = _prove(tmp_path / "p.py", "--cluster", address)
    assert (status, rows) == (2, [])
    assert errors.startswith(f"synth: error: --cluster {address}: no Dask scheduler answers there (")
    assert len(errors.splitlines()) == 1


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = _prove(tmp_path / "p.py", "--cluster", "127.0.0.1:8786")
    assert done == (2, [], "synth: error: --cluster needs Dask: pip install distributed\n")


def test_only_a_run_on_a_cluster_imports_dask(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(_program("noisy"))
    code = (
        "import sys\n"
        "from synth.app.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: sys.exit('distributed' in sys.modules)\n"
    )
    for arguments in (["--help"], ["prove", str(tmp_path / "p.py")]):
        subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, check=True, capture_output=True)
