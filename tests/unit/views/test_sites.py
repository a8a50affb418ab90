"""The table of sites: conditions merged, shifts and costs as a person would write them."""

from __future__ import annotations

from fractions import Fraction
from textwrap import dedent

import pytest

from synth.bounds.rational_reading import read_rational
from synth.prover.product.strategy import Case, Condition, Feature, Offset, Strategy
from synth.trusted.frontend.reader import read_source
from synth.trusted.normal_form.structured_exits import normalize
from synth.trusted.program import syntax as ir
from synth.trusted.program.dataflow import Analysis
from synth.trusted.program.symbols import Event, Kind
from synth.views.proof.names import Names
from synth.views.proof.offsets import Offsets
from synth.views.proof.sites import Sites
from synth.views.results import SiteCase

PROGRAM = """
from synth.lang import *

@mechanism(adjacent={"q": linf_distance(1), "h": linf_distance(1)}, requires="eps > 0")
def f(q: list[int], h: Callable[[int, int], int], n: int, eps: float) -> int:
    result = n
    bar = laplace(n, 1 / eps)
    for i in range(len(q)):
        x = laplace(2 * q[i] - bar + h(i, 0) - n, 2 / eps)
        if x > bar and result == n:
            result = i
    return result
"""

ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
INDEX, BAR, N = (ir.Variable(name, ir.Sort.INT) for name in ("i", "bar", "n"))


@pytest.fixture
def names() -> Names:
    (mechanism,) = read_source(dedent(PROGRAM), "f.py")
    return Names(Analysis(normalize(mechanism)))


def _noisy(names: Names) -> ir.Draw:
    return next(draw for draw in names.analysis.sites.values() if draw.target == "x")


DIFFERENCE = "2*q[i]⟨2⟩ - 2*q[i]⟨1⟩ - bar⟨2⟩ + bar⟨1⟩ + h(i, 0)⟨2⟩ - h(i, 0)⟨1⟩"


@pytest.mark.parametrize(
    ("offset", "shift", "distance"),
    [
        (Offset(null=True), DIFFERENCE, "abs(0)"),
        (Offset(), "0", f"abs({DIFFERENCE})"),
        (Offset(units=((Fraction(-2), ONE),)), "-2", None),
        (Offset(differences=((1, BAR),), units=((Fraction(1), ONE),)), "bar⟨2⟩ - bar⟨1⟩ + 1", None),
        (Offset(units=((Fraction(1), ONE), (Fraction(1, 2), N))), "1 + 1/2*n", None),
        (Offset(null=True, units=((Fraction(1), ONE),)), f"{DIFFERENCE} + 1", "abs(1)"),
        (Offset(changes=((-1, "q"),)), "-q.change", None),
    ],
)
def test_shifts_and_distances(names: Names, offset: Offset, shift: str, distance: str | None) -> None:
    offsets = Offsets(names, frozenset({"q", "h", "bar"}))
    center = _noisy(names).arguments[0]
    assert offsets.shift(offset, center) == shift
    if distance is not None:
        assert offsets.distance(offset, center) == distance


def _cases(*offsets: Offset) -> tuple[Case, ...]:
    """Cases by the sign of ``i - b`` and by what a branch will do."""
    event, branch = Feature(Event(Kind.RETURN, ""), INDEX), Feature(Event(Kind.BRANCH, "1"))
    pairs = [(sign, taken) for sign in (-1, 0, 1) for taken in (True, False)]
    return tuple(
        Case((Condition(event, sign), Condition(branch, taken)), offset, (Fraction(1), ONE))
        for (sign, taken), offset in zip(pairs, offsets, strict=True)
    )


NULL, STAY, UP = Offset(null=True), Offset(), Offset(units=((Fraction(1), ONE),))


@pytest.mark.parametrize(
    ("offsets", "conditions"),
    [
        ([NULL] * 6, ["always"]),
        ([NULL, NULL, UP, UP, NULL, NULL], ["i != b", "i = b"]),
        ([UP, UP, UP, UP, NULL, NULL], ["i <= b", "i > b"]),
        ([NULL, UP] * 3, ["line 10: condition true next", "line 10: condition false next"]),
        ([NULL, NULL, UP, NULL, NULL, NULL], ["i = b and line 10: condition true next", "otherwise"]),
        ([NULL, NULL, UP, STAY, NULL, NULL], None),
    ],
)
def test_conditions_are_merged(names: Names, offsets: list[Offset], conditions: list[str] | None) -> None:
    site = _noisy(names).site
    strategy = Strategy(frozenset({0, 1}), {site: _cases(*offsets)})
    rows = next(row for row in Sites(names, strategy, {}).table() if row.line == 9).cases
    if conditions is not None:
        assert [row.when for row in rows] == conditions
    else:
        assert [row.when for row in rows] == [
            "i != b",
            "i = b and line 10: condition true next",
            "i = b and line 10: condition false next",
        ]


def test_costs_and_draws(names: Names) -> None:
    site = _noisy(names).site
    by_distance = Case((), STAY, None)
    bounded = Case((), UP, (Fraction(1), ONE))
    weights = {(site, 0): read_rational("eps/2")}
    for case, cost in ((by_distance, f"eps/2*abs({DIFFERENCE})"), (bounded, "eps/2")):
        rows = Sites(names, Strategy(frozenset(), {site: (case,)}), weights).table()
        (row,) = [item for item in rows if item.line == 9]
        assert row.draw == "x = laplace(2*q[i] - bar + h(i, 0) - n, 2/eps)"
        assert [item.cost for item in row.cases] == [cost]
    lost = {(site, 0): read_rational("delta/k")}
    rows = Sites(names, Strategy(frozenset(), {site: (bounded,)}), weights, lost).table()
    assert [item.cost for row in rows if row.line == 9 for item in row.cases] == ["(eps/2, delta/k)"]
    rows = Sites(names, Strategy(frozenset(), {0: (Case((), NULL, None),)}), {}).table()
    assert rows[0].cases == (SiteCase("always", "null", "0", "0"),)
