"""``benchmarks/public``: true claims are proved and false ones refuted, but for what is marked as open."""

from __future__ import annotations

import tomllib

import pytest

from synth.app.benchmark.measuring import measure
from synth.app.benchmark.real import real_row
from synth.app.benchmark.truths import PUBLIC, TRUTHS, Truth, read_truths
from synth.app.benchmark.verdicts import CORRECT, UNDECIDED
from tests import ROOT

OPEN = {
    entry["function"]: entry["open"]
    for entry in tomllib.loads((ROOT / PUBLIC / TRUTHS).read_text())["mechanism"]
    if "open" in entry
}


@pytest.mark.slow
@pytest.mark.parametrize("truth", read_truths(ROOT / PUBLIC), ids=lambda truth: truth.function)
def test_verdict(truth: Truth) -> None:
    """Correct, or unknown where the row says so; what is no more open loses its mark."""
    seconds = "40" if truth.function in OPEN else "600"
    (measured,) = measure(
        [[*truth.command, "--timeout", seconds]], 1, lambda _number, _stage: None, lambda: None
    )
    row = real_row(truth, measured)
    if truth.function in OPEN:
        assert row.outcome == UNDECIDED, f"now {row.outcome}: remove 'open' from {truth.function}"
    else:
        assert row.outcome in CORRECT, f"{row.outcome}: {row.reason}"
