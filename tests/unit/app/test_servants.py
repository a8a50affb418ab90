"""Processes that work on one thing after another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import pytest

from synth.app.servants import Servant, serve
from synth.app.workers import JobCrashed


def serve_here(descriptor: int, parent: int) -> NoReturn:
    serve(descriptor, parent, _answer)


def _answer(work: Any, connection: Connection) -> object:
    if work == "die":
        os._exit(7)
    connection.send(("stage", work))
    return os.getpid()


@pytest.fixture
def servant() -> Iterator[Servant]:
    found = Servant.start(f"{__name__}.serve_here")
    yield found
    found.kill()


def _told(servant: Servant) -> Any:
    servant.connection.poll(None)
    return servant.news()


def test_one_process_works_on_one_thing_after_another(servant: Servant) -> None:
    for work in ("first", "second"):
        assert servant.takes(work)
        assert _told(servant) == ("stage", work)
        assert _told(servant) == servant.process.pid
    assert not servant.has_ended()


def test_one_that_dies_is_told(servant: Servant) -> None:
    assert servant.takes("die")
    lost = _told(servant)
    assert isinstance(lost, JobCrashed) and lost.reason == "the prover ended with status 7"
    assert servant.has_ended()


def test_one_that_has_ended_takes_nothing(servant: Servant) -> None:
    servant.process.kill()
    servant.process.wait()
    assert not servant.takes("work")


def test_one_ends_with_its_connection(servant: Servant) -> None:
    servant.connection.close()
    assert servant.process.wait() == 0
