"""A proof and a counterexample beside each other: what counts where one, both or none is found."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synth.app import racing
from synth.app.jobs import Options
from synth.app.witnesses import Found
from synth.app.workers import Channel, Finished, JobCrashed, Outcome, Pool
from synth.trusted.errors import InternalError
from synth.views.blank import blank
from synth.views.results import PROVED, REFUTED, Result
from tests.support.refuting import from_suite

MECHANISM = from_suite("benchmarks/refuted/laplace.py", "laplace_half")
WITNESS = Found({"output": 1}, "{}\n")


def no_end(channel: Channel) -> Result:
    time.sleep(600)
    raise AssertionError


def unknown(channel: Channel) -> Result:
    return blank(MECHANISM, "no reason", code="no-strategy")


def proved_result() -> Result:
    return replace(blank(MECHANISM), verdict=PROVED)


def proved(channel: Channel) -> Result:
    return proved_result()


def memory(channel: Channel) -> Result:
    raise MemoryError


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome[Result]]:
    monkeypatch.setattr(racing, "_HEAD_START_S", 0.0)
    monkeypatch.setattr(racing, "_BOUND_SHARE", 0.0)

    def run(
        proof: Callable[[Channel], Result], found: Callable[[], Found | None], timeout: float = 600
    ) -> Outcome[Result]:
        monkeypatch.setattr(racing, "job", lambda mechanism, options, cache: proof)
        monkeypatch.setattr(racing, "find", lambda mechanism, seconds, steps: found())
        pool = Pool([racing.raced(MECHANISM, Options(timeout=timeout))], 1, 600)
        with closing(pool.outcomes()) as outcomes:
            return next(outcomes)

    return run


def verdict(outcome: Outcome[Result]) -> str:
    assert isinstance(outcome, Finished)
    return outcome.value.verdict


def test_a_witness_ends_a_proof_that_does_not_end(race: Callable[..., Outcome[Result]]) -> None:
    assert verdict(race(no_end, lambda: WITNESS)) == REFUTED


def test_a_proof_ends_a_refutation_that_does_not_end(race: Callable[..., Outcome[Result]]) -> None:
    assert verdict(race(proved, lambda: time.sleep(600))) == PROVED


def test_a_witness_after_a_proof_that_failed(race: Callable[..., Outcome[Result]]) -> None:
    outcome = race(unknown, lambda: WITNESS)
    assert verdict(outcome) == REFUTED


def test_without_either_the_reason_is_the_proof_s(race: Callable[..., Outcome[Result]]) -> None:
    outcome = race(unknown, lambda: None)
    assert isinstance(outcome, Finished) and outcome.value.reason == "no reason"


def test_what_crashed_is_told_as_if_there_were_no_race(race: Callable[..., Outcome[Result]]) -> None:
    outcome = race(memory, lambda: None)
    assert isinstance(outcome, JobCrashed) and outcome.code == "out-of-memory"
    assert outcome.reason == "the prover ran out of memory while starting"


def test_a_defect_of_the_search_for_a_witness_is_told(race: Callable[..., Outcome[Result]]) -> None:
    outcome = race(unknown, lambda: {}["missing"])
    assert isinstance(outcome, JobCrashed) and outcome.code == "prover-failed"
    assert verdict(race(proved, lambda: {}["missing"])) == PROVED


def test_the_limit_of_time_is_the_race_s(race: Callable[..., Outcome[Result]]) -> None:
    outcome = race(no_end, lambda: time.sleep(600), timeout=0.5)
    assert isinstance(outcome, JobCrashed) and outcome.reason == "timed out after 0.5 s while starting"


def test_proved_and_refuted_is_a_defect() -> None:
    class Both(Pool[Any]):
        def ended(self) -> Generator[tuple[int, Outcome[Any]]]:
            yield 1, Finished(WITNESS, 1.0)
            yield 0, Finished(proved_result(), 2.0)

    with pytest.raises(InternalError, match="proved and refuted"):
        racing._ended(Both([], 1, 600))


def test_a_quick_proof_has_the_machine_for_itself(
    race: Callable[..., Outcome[Result]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(racing, "_HEAD_START_S", 600.0)
    begun = tmp_path / "begun"
    assert verdict(race(proved, begun.touch)) == PROVED
    assert not begun.exists()


def test_a_proof_that_others_keep_from_the_processor_has_its_second(
    race: Callable[..., Outcome[Result]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def kept_waiting(channel: Channel) -> Result:
        time.sleep(1.2)
        return proved_result()

    monkeypatch.setattr(racing, "_HEAD_START_S", 1.0)
    begun = tmp_path / "begun"
    assert verdict(race(kept_waiting, begun.touch)) == PROVED
    assert not begun.exists()


def test_a_proof_that_waits_forever_keeps_no_counterexample(
    race: Callable[..., Outcome[Result]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(racing, "_HEAD_START_S", 600.0)
    monkeypatch.setattr(racing, "_HEAD_START_SHARE", 0.0)
    assert verdict(race(no_end, lambda: WITNESS)) == REFUTED
