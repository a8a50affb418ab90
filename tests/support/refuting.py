"""Reading mechanisms for the tests of refutation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from synth.refuter.exact.distribution import Enclosed, probability
from synth.refuter.exact.events import Event
from synth.refuter.exact.forms import Wanted
from synth.refuter.exact.inputs import Inputs
from synth.refuter.search.search import _Search
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir
from synth.trusted.witness.values import Box, Infinity, Truth, Value
from tests import ROOT
from tests.support.proving import from_file

SAFE = 900.0
"""Seconds of a search that has to find something: it ends when it does, on a busy machine too."""


def end_after_rounds(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let searches end after so many rounds of candidates, which may take all the steps that they need."""
    rounds = {}

    def is_over(search: _Search) -> bool:
        rounds[id(search)] = rounds.get(id(search), 0) + 1
        return rounds[id(search)] > count

    monkeypatch.setattr(_Search, "_is_over", is_over)
    monkeypatch.setattr(_Search, "_limit", lambda search: math.inf)


def mechanism(text: str) -> ir.Mechanism:
    """The one mechanism of a program text (without its import)."""
    (found,) = read_source(f"from synth.lang import *\n\n{text}", "test.py")
    return found


def from_suite(path: str, name: str) -> ir.Mechanism:
    """A mechanism of the benchmarks or the test programs."""
    return from_file(ROOT / path, name)


def scalar(*values: Wanted) -> Event:
    """The output of these values."""
    return Event(values, ())


def listed(*entries: Wanted) -> Event:
    """The output of one list with these entries."""
    return Event((), (tuple((item,) for item in entries),))


def chance(of: ir.Mechanism, event: Event, **inputs: object) -> Enclosed:
    """The probability of an event."""
    values: Inputs = inputs  # type: ignore[assignment]
    return probability(of, values, event)


def for_check(inputs: Mapping[Any, Any]) -> dict[Any, Any]:
    """Scalars, or tables of entries, with truth values as the check of witnesses has them."""
    return {
        name: for_check(value) if isinstance(value, Mapping) else _for_check(value)
        for name, value in inputs.items()
    }


def _for_check(value: Any) -> Value:
    return Truth(value) if isinstance(value, bool) else value


def box_of(low: Any, high: float | Fraction) -> Box:
    """A box of the check of witnesses, which may have no upper end."""
    return Box(low, Infinity.ABOVE if high == math.inf else high)  # type: ignore[arg-type]


def assert_close(found: Enclosed, expected: float, width: float = 1e-9) -> None:
    """The enclosure is narrow, and holds the expected value up to rounding."""
    low, high = found.floats()
    assert low - 1e-12 <= expected <= high + 1e-12
    assert high - low <= width
