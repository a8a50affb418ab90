"""Which loops add up what records do, and what an iteration adds."""

import pytest

from synth.prover.product.folds import Fold, folds
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.printing import text
from tests.support.proving import from_text

HEAD = """
from synth.lang import *

@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0")
def f(x: list[int], t: int, eps: float):
"""


def _folds(body: str) -> list[Fold]:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return list(folds(Analysis(from_text(HEAD + lines))).values())


def _added(body: str) -> dict[str, str]:
    (found,) = _folds(body)
    return {name: text(value) for name, value in found.increments.items()}


def test_a_sum_adds_the_entry() -> None:
    found = _added("""
s = 0
for v in x:
    s += v
return laplace(s, 1 / eps)
""")
    assert list(found) == ["s"]
    assert "x[" in found["s"]


def test_a_list_of_a_fixed_size_adds_to_one_entry_each() -> None:
    found = _added("""
h = [0] * 3
for v in x:
    if 0 <= v < 3:
        h[v] += 1
return [laplace(c, 1 / eps) for c in h]
""")
    assert sorted(found) == ["h.0", "h.1", "h.2"]
    assert all("h" not in value for value in found.values())


@pytest.mark.parametrize(
    "step",
    [
        "s = max(s, v)",
        "s = 2 * s + v",
        "s += v if s < t else 0",
        "s, t0 = s + t0, v",
        "s += x[0]",
    ],
)
def test_what_is_no_sum_over_records_is_none(step: str) -> None:
    body = f"""
s = t0 = 0
for v in x:
    {step}
return laplace(s, 1 / eps)
"""
    assert _folds(body) == []


def test_loops_that_draw_or_leave_early_are_none() -> None:
    assert not _folds("""
s = 0
for v in x:
    s += laplace(v, 1 / eps)
return s
""")
    assert not _folds("""
s = 0
for v in x:
    if s > t:
        break
    s += 1
return laplace(s, 1 / eps)
""")
