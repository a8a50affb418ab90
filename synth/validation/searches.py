"""Places in lists that ascend, found by halving as CPython and numpy do."""

from __future__ import annotations

from synth.validation.operators import compare
from synth.validation.runs import Run
from synth.validation.values import Array, NotComputed, NumpyNumber, Value


def bisect_left(run: Run, a: Value, x: Value) -> int:
    """The first place whose entry isn't below a value."""
    return _halved(run, a, x, behind=False)


def bisect_right(run: Run, a: Value, x: Value) -> int:
    """The first place whose entry is above a value."""
    return _halved(run, a, x, behind=True)


def searchsorted(run: Run, a: Value, v: Value, side: Value = "left") -> NumpyNumber:
    """The place that numpy gives one number.  Raises ValueError for another side."""
    if isinstance(v, Array | list | tuple):
        raise NotComputed("places of several numbers")
    if side not in ("left", "right"):
        raise ValueError("side")
    return NumpyNumber(_halved(run, a, v, behind=side == "right"))


def _halved(run: Run, a: Value, x: Value, behind: bool) -> int:
    entries = list(run.entries(a))
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        entry = entries[middle]
        goes_on = (
            not run.truth(compare(run, "<", x, entry)) if behind else run.truth(compare(run, "<", entry, x))
        )
        low, high = (middle + 1, high) if goes_on else (low, middle)
    return low
