"""The command line, in this process or one of its own, and small program files for it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from synth.app.cli import main
from synth.app.workers import Pool
from tests.support.processes import small_processes

PROVED = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="3*eps")
def noisy(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)
"""

NORMAL = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=0.00001)
def normal(x: float) -> float:
    return gaussian(x, 4)
"""

UNKNOWN = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def bare(x: int, eps: float) -> int:
    return x
"""

FALSE = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps / 2")
def too_little(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)
"""

UNREADABLE = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def wrong(x: int, eps: float) -> int:
    return laplace(x, scale=1 / epsilon)
"""

CONTRADICTION = """
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and eps < 0")
def nobody(x: int, eps: float) -> int:
    return laplace(x, scale=1 / eps)
"""


@dataclass(frozen=True)
class Invocation:
    """A run of the command line."""

    status: int
    out: str
    err: str

    def results(self) -> list[dict[str, Any]]:
        """The results of ``--json``."""
        content = json.loads(self.out)
        assert "results" in content
        found: list[dict[str, Any]] = content["results"]
        return found


Run = Callable[..., Invocation]
Write = Callable[[str, str], Path]


def time_out_while(monkeypatch: pytest.MonkeyPatch, stage: str) -> None:
    """Let the time of each job be up once it has said that it is at that stage, whatever the clock says."""
    listen = Pool._listen

    def hurried(pool: Pool[Any], item: Any) -> None:
        listen(pool, item)
        if item.stage == stage:
            item.deadline = 0.0

    monkeypatch.setattr(Pool, "_listen", hurried)


def invoke(*arguments: str | Path) -> Invocation:
    """Run the command line in this process, where a test may have changed parts of synth."""
    result = CliRunner().invoke(main, [str(item) for item in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return Invocation(result.exit_code, result.stdout, result.stderr)


def invoke_apart(*arguments: str | Path) -> Invocation:
    """Run the command line in a small process: what it forks itself costs the less."""
    mine, theirs = small_processes().Pipe(duplex=False)
    given = [str(item) for item in arguments]
    process = small_processes().Process(target=_run, args=(given, dict(os.environ), theirs))
    process.start()
    theirs.close()
    try:
        outcome = mine.recv()
    finally:
        process.join()
    assert isinstance(outcome, Invocation), outcome
    return outcome


def _run(arguments: list[str], environment: dict[str, str], result: Connection) -> None:
    os.environ.clear()
    os.environ.update(environment)
    try:
        result.send(invoke(*arguments))
    except BaseException as error:
        result.send(f"{type(error).__name__}: {error}")
