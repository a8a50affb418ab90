"""Random programs give the same outputs under Python and as typed programs."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, given, settings

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.random_programs import programs
from tests.support.typed_runs import ObligationFailed, Run, Stuck, run_python
from tests.support.well_formed import check

INPUTS: list[dict[str, Any]] = [
    {"q": [], "t": 1, "n": 2},
    {"q": [3, 1], "t": 0, "n": -1},
    {"q": [2, 0, 5, 1], "t": 3, "n": 4},
]
LENGTH = 10_000


def _noise(seed: int) -> Any:
    return itertools.cycle([(k * k * (seed + 1) + seed) % 5 - 2 for k in range(31)])


class _TooLong(Exception):
    pass


def _limited(noise: Any) -> Any:
    """Noise that ends, so that a run under Python can't go on for ever."""
    for count, value in enumerate(noise):
        if count > LENGTH:
            raise _TooLong
        yield value


def _freeze(value: Any) -> Any:
    """Outputs that Python tells apart are different, also True from 1."""
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(_freeze, value))
    return (type(value).__name__, value)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_same_outputs(source: str) -> None:
    """The flat outputs are equal exactly where Python's are."""
    try:
        (mechanism,) = read_source(source, "random.py")
    except ProgramError as error:
        assert "shape" in error.message or "loop runs over it" in error.message, str(error)
        return
    check(mechanism)
    known: dict[Any, Any] = {}
    for seed, inputs in enumerate(INPUTS * 3):
        expected = _python(source, inputs, seed)
        try:
            output = Run(mechanism, inputs, _limited(_noise(seed))).output()
        except ObligationFailed:
            # Python accepts a negative variable index; otherwise it must have failed, too.
            assert expected is None or "q[a]" in source or "q[b]" in source or "xs[a]" in source
            continue
        except (Stuck, _TooLong):
            continue
        assert expected is not None
        assert known.setdefault(expected, output) == output
        assert list(known.values()).count(output) == 1


def _python(source: str, inputs: dict[str, Any], seed: int) -> Any:
    try:
        return _freeze(run_python(source, "f", dict(inputs), _limited(_noise(seed))))
    except (IndexError, ZeroDivisionError, TypeError, ValueError, _TooLong):
        return None
