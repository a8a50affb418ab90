"""Models of libraries are read once for all processes that read a program, or prove it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from synth.app import loading, targets
from synth.app.stated import NOTHING
from synth.app.targets import Reading, Target
from synth.trusted.frontend.library import bundled
from tests.unit.app.invocation import PROVED, Write, invoke

WITH_NUMPY = """
import numpy as np
from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy(x: float, eps: float) -> float:
    return x + np.random.laplace(0, 1 / eps)
"""


@pytest.fixture(autouse=True)
def nothing_read() -> Iterator[None]:
    bundled.cache_clear()
    yield
    bundled.cache_clear()


def test_what_a_program_does_not_name_is_not_read(write: Write) -> None:
    Reading.of([Target(write("p.py", PROVED))], 60.0, NOTHING)
    assert not bundled().modules


@pytest.mark.parametrize("piped", [False, True])
def test_what_it_names_is_read_before_the_processes_are_there(write: Write, piped: bool) -> None:
    path = write("q.py", WITH_NUMPY)
    target = Target(path, content=path.read_bytes()) if piped else Target(path)
    Reading.of([Target(write("p.py", PROVED)), target], 60.0, NOTHING)
    assert {"numpy", "numpy.random"} <= bundled().modules.keys()


def test_no_process_reads_it_again(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_and_stop(names: Iterable[str]) -> None:
        loading.load_models(names)
        object.__setattr__(bundled(), "read", None)

    monkeypatch.setattr(targets, "load_models", load_and_stop)
    done = invoke("prove", write("q.py", WITH_NUMPY))
    assert done.status == 0 and "noisy: proved, epsilon = eps" in done.out


def test_who_waits_for_programs_has_read_what_most_of_them_use() -> None:
    loading.load_models()
    assert {"builtins", "math", "random", "numpy", "numpy.random"} <= bundled().modules.keys()
