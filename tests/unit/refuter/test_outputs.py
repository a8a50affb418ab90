"""Outputs as a user would write them."""

from __future__ import annotations

from typing import Any

import pytest

from synth.refuter.exact.events import Event
from synth.refuter.exact.outputs import readable
from tests.support.refuting import listed, mechanism, scalar


@pytest.mark.parametrize(
    ("annotation", "result", "event", "expected"),
    [
        ("int", "laplace(x, s)", scalar(3), 3),
        ("list[bool]", "[True, False]", listed(True, False), [True, False]),
        ("int | None", "x if x > 0 else None", scalar(0, 0), None),
        ("int | None", "x if x > 0 else None", scalar(1, 5), 5),
        ("tuple[int, int | None]", "(x, x if x > 0 else None)", scalar(0, 2, 0), [2, None]),
        ("tuple[int, int | None]", "(x, x if x > 0 else None)", scalar(1, 2, 7), [2, 7]),
        ("tuple[int, list[int]]", "(x, [x])", Event((4,), (((1,),),)), [4, [1]]),
        ("list[int | None]", "[None, x]", Event((), (((0, 0), (1, 9)),)), [None, 9]),
        ("'int'", "x", scalar(3), 3),
    ],
)
def test_outputs_are_readable(annotation: str, result: str, event: Event, expected: Any) -> None:
    of = mechanism(f"@mechanism()\ndef f(x: int, s: float) -> {annotation}:\n    return {result}\n")
    assert readable(of, event) == expected
