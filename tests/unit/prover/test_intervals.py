"""Which intervals draws are compared with, and which tails make their widths known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.prover.normal_form.pipeline import canonical
from synth.prover.product.strategy import Tail
from synth.prover.search.intervals import Intervals
from synth.prover.search.tails import affordable
from synth.prover.search.thresholds import thresholds
from synth.prover.testing.valuations import valuations
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.printing import text
from tests.support.proving import from_text

PROGRAM = """@mechanism(
    adjacent={{"x": absolute_distance(1)}}, requires="0 < delta and delta < 1 and w >= 100"{claim}
)
def f(x: {sort}, w: {sort}, delta: float) -> bool:
    mu = laplace({zero}, 2)
    y = laplace(x, 6)
    return {test}
"""
CLAIM = ', epsilon=1, delta="delta"'


def _read(test: str, sort: str = "float", claim: str = CLAIM) -> ir.Mechanism:
    zero = "0.0" if sort == "float" else "0"
    return canonical(from_text(PROGRAM.format(test=test, sort=sort, zero=zero, claim=claim)))


def _intervals(of: ir.Mechanism) -> Intervals:
    return Intervals(of, Analysis(of), valuations(of))


def _ends(of: ir.Mechanism) -> list[tuple[str, str]]:
    (draw,) = (
        item for item in Analysis(of).sites.values() if isinstance(item, ir.Draw) and item.target == "y"
    )
    return [(text(low), text(high)) for low, high in thresholds(of, draw)]


@pytest.mark.parametrize("test", ["mu <= y and y <= w - mu", "not (y < mu) and not (w < y + mu)"])
def test_thresholds_of_reals(test: str) -> None:
    assert _ends(_read(test)) == [("mu", "mu"), ("w - mu", "w - mu")]


def test_thresholds_of_integers() -> None:
    """The least integer that is above, and the largest that is below."""
    assert _ends(_read("mu < y and y < w", "int")) == [("mu + 1", "mu"), ("w", "w - 1")]
    assert _ends(_read("mu <= y and y <= w", "int")) == [("mu", "mu - 1"), ("w + 1", "w")]


def test_thresholds_of_an_absolute_value() -> None:
    assert _ends(_read("abs(y - w) <= 3 + mu")) == [("w + 3 + mu",) * 2, ("w - 3 - mu",) * 2]


def test_the_width_is_what_tails_leave() -> None:
    found = _intervals(_read("mu <= y and y <= w - mu"))
    tails = list(found.tails())
    assert [text(item[0].limit) for item in tails] == ["2*log(1/2/delta)", "2*log(1/delta)"]
    ((interval,),) = found.offered(tails[1]).values()
    assert (text(interval.low), text(interval.high)) == ("mu", "w - mu")
    assert text(interval.gap) == "w - 2*(2*log(1/delta))"


@pytest.mark.parametrize(
    ("test", "claim"),
    [
        ("mu <= y and y <= w - mu", ", epsilon=1"),
        ("mu <= y and y <= w + mu", CLAIM),
        ("mu <= y and y <= x - mu", CLAIM),
        ("0 <= y and y <= w", CLAIM),
    ],
)
def test_no_interval(test: str, claim: str) -> None:
    """Without a delta; where the width does not depend on noise, or is private."""
    assert not list(_intervals(_read(test, claim=claim)).tails())


LEAK = """@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta="7/10000")
def f(x: float) -> bool:
    return laplace(x, 1) > 5
"""


@pytest.mark.parametrize(
    ("limit", "both", "enough"),
    [(8, False, True), (7, False, True), (6, False, False), (7, True, False), (-1, False, False)],
)
def test_a_tail_of_more_than_the_delta_is_not_tried(limit: int, both: bool, enough: bool) -> None:
    """exp(-7)/2 = 0.00046, exp(-6)/2 = 0.0012."""
    of = canonical(from_text(LEAK))
    tail = Tail(ir.Constant(Fraction(limit), ir.Sort.REAL), both)
    assert affordable(of, {0: tail}, valuations(of)) is enough
