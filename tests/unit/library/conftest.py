"""Fixtures of the tests of the library."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from textwrap import dedent

import pytest

from synth.app.library import host
from tests.support.processes import small_processes
from tests.unit.app.invocation import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file into the test's own folder."""

    def to_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(dedent(text).lstrip(), encoding="utf-8")
        return path

    return to_file


class Host:
    """A process for a call, with the methods of :class:`subprocess.Popen` that the library uses."""

    def __init__(self, descriptor: int) -> None:
        with Connection(os.dup(descriptor)) as connection:
            self._process = small_processes().Process(target=_serve, args=(connection, dict(os.environ)))
            self._process.start()
        self.terminate, self.kill = self._process.terminate, self._process.kill

    @property
    def returncode(self) -> int | None:
        """Its exit status, None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> None:
        """Raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("a call", timeout or 0.0)


def _serve(connection: Connection, environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    host.serve(os.dup(connection.fileno()), os.getppid())


@pytest.fixture(scope="module")
def loaded_hosts() -> Iterator[None]:
    """Calls are served by processes that have loaded what they need: how they start is tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "_started", Host)
        yield
