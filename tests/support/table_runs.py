"""Texts that CPython runs, and the typed programs that the reader makes of them, on tables of inputs."""

from __future__ import annotations

import itertools
from enum import Enum
from typing import Any

import pytest

from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import ObligationFailed, Run, run_python
from tests.support.well_formed import check


def noise(seed: int) -> Any:
    return (((seed + 3) * (k + 1) * 7919 >> 3) % 7 - 3 for k in itertools.count())


def frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(frozen, value))
    if isinstance(value, dict):
        return ("dict", *((frozen(key), frozen(entry)) for key, entry in value.items()))
    if isinstance(value, Enum):
        return (type(value).__name__, value.name)
    return value


TABLES: list[list[int]] = [[], [3], [1, 2], [2, 0, 5, 1], [4, 4, 3, -2, 6]]


def assert_as_python(text: str, outputs: int = 3, python: str = "") -> None:
    """Equal outputs of Python have equal flat outputs, and different ones different ones.

    The function ``f`` of the text takes two lists and an integer; where Python raises, an obligation fails.
    Python may be given another text to run.
    """
    (mechanism,) = read_source(text, "p.py")
    check(mechanism)
    forward: dict[Any, Any] = {}
    backward: dict[Any, Any] = {}
    for seed, (q, r, n) in enumerate(itertools.product(TABLES, TABLES, (-1, 0, 2, 4))):
        inputs = {"q": list(q), "r": list(r), "n": n}
        try:
            expected = frozen(
                run_python(python or text, "f", {"q": list(q), "r": list(r), "n": n}, noise(seed))
            )
        except (ValueError, LookupError, ZeroDivisionError):
            with pytest.raises(ObligationFailed):
                Run(mechanism, inputs, noise(seed)).output()
            continue
        output = Run(mechanism, inputs, noise(seed)).output()
        assert forward.setdefault(expected, output) == output
        assert backward.setdefault(output, expected) == expected
    assert len(forward) >= outputs
