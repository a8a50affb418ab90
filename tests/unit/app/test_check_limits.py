"""``synth check`` ends whatever the document is, in bounded memory, with a verdict that names the limit."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from synth.app.alone import ended
from synth.app.limited import Limits
from synth.app.workers import Cause, Channel, JobCrashed, restrict
from tests import ROOT
from tests.unit.app.invocation import Run

GOLDEN = ROOT / "tests" / "soundness" / "kernel" / "golden" / "above_threshold.json"
SAFE = 300.0
"""Seconds after which a test has failed."""


def lost(work: Callable[[], object], seconds: float = SAFE) -> JobCrashed:
    """What became of work that gave no result."""

    def job(channel: Channel) -> object:
        return work()

    found = ended(job, "work", seconds)
    assert isinstance(found, JobCrashed)
    return found


def test_past_the_limit_of_time_the_verdict_is_incomplete(run: Run) -> None:
    result = run("check", str(GOLDEN), "--timeout", "0.001", "--json")
    (row,) = result.results()
    assert (result.status, row["verdict"], row["rule"]) == (3, "incomplete", "Limits")
    assert "the limit of time" in row["reason"]


def test_long_arithmetic_is_ended_by_the_limit_of_processor_time() -> None:
    def work() -> object:
        restrict(0.01, 1 << 30)
        return 3 ** (1 << 40)

    assert lost(work).cause is Cause.TIME


def test_arithmetic_is_ended_by_the_clock() -> None:
    assert lost(lambda: len(str(3 ** (1 << 28))), 0.2).cause is Cause.TIME


def test_memory_is_bounded() -> None:
    def work() -> object:
        restrict(SAFE, 1 << 26)
        return bytes(1 << 28)

    assert lost(work).cause is Cause.MEMORY


def test_no_recursion_is_a_verdict() -> None:
    def deeper() -> object:
        return deeper()

    assert lost(deeper).cause is Cause.DEPTH


def test_a_signal_is_no_defect() -> None:
    assert lost(lambda: signal.raise_signal(signal.SIGKILL)).cause is Cause.SIGNAL


def test_a_defect_is_no_limit() -> None:
    found = lost(lambda: 1 // 0)
    assert found.cause is Cause.DEFECT
    with pytest.raises(Exception, match="ZeroDivisionError"):
        Limits().exceeded(found, 0)


def test_larger_documents_have_more_time() -> None:
    assert [Limits().processor(size) for size in (0, 9_999, 50_000, 10**7)] == [10, 10, 50, 3600]
