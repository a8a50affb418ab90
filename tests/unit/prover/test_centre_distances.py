"""How far apart centres are follows from what one case moves and pays for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.prover.product.strategy import Case, Condition, GuardPredicate, Shift, Strategy
from synth.prover.search.centre_distances import centre_distances
from synth.trusted.program import syntax as ir
from synth.trusted.program.symbols import Event, Kind

ONE = ir.Constant(Fraction(1), ir.Sort.REAL)
WIDTH = ir.Variable("width", ir.Sort.REAL)
ASKED = (Condition(GuardPredicate(Event(Kind.BRANCH, "0", 0)), True),)
NULL = Case((), Shift(null=True), None)


def moved(by: int, unit: ir.Expression, most: int, paid: ir.Expression) -> Case:
    return Case(ASKED, Shift(units=((Fraction(by), unit),)), (Fraction(most), paid))


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ((moved(1, ONE, 2, ONE), NULL), {0: (Fraction(1), ONE)}),
        ((moved(-1, WIDTH, 3, WIDTH), NULL), {0: (Fraction(2), WIDTH)}),
        ((moved(1, ONE, 2, ONE), moved(1, ONE, 3, ONE), NULL), {0: (Fraction(2), ONE)}),
        ((moved(1, ONE, 1, ONE), NULL), {}),
        ((moved(1, WIDTH, 2, ONE), NULL), {}),
        ((moved(1, ONE, 2, ONE), moved(1, WIDTH, 2, WIDTH), NULL), {}),
        ((moved(1, ONE, 2, ONE),), {}),
    ],
    ids=[
        "what is left",
        "of a parameter",
        "the largest",
        "nothing left",
        "other units",
        "unlike",
        "no cases",
    ],
)
def test_what_a_case_pays_beyond_its_shift(
    cases: tuple[Case, ...], expected: dict[int, tuple[Fraction, ir.Expression]]
) -> None:
    assert centre_distances(Strategy(frozenset(), {0: cases})) == expected
