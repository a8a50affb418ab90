"""Noise of a name that the probabilities don't know is refused, not taken for another."""

from __future__ import annotations

from fractions import Fraction

import pytest

from synth.refuter.exact.laws import law_of, mass
from synth.trusted.frontend.vocabulary import NOISES
from synth.trusted.program import syntax as ir
from synth.trusted.witness.boxes import Incomplete
from synth.trusted.witness.chances import tail


@pytest.mark.parametrize("integer", [True, False])
def test_unknown_noise_has_no_tail(integer: bool) -> None:
    with pytest.raises(Incomplete, match="cauchy noise"):
        tail("cauchy", integer, Fraction(1), 1)


@pytest.mark.parametrize("sort", [ir.Sort.INT, ir.Sort.REAL])
def test_unknown_noise_has_no_mass(sort: ir.Sort) -> None:
    with pytest.raises(NotImplementedError, match="cauchy noise"):
        mass(law_of("cauchy", sort, Fraction(1)), 1, 2)


@pytest.mark.parametrize("name", NOISES)
def test_each_noise_of_the_language_has_both(name: str) -> None:
    assert tail(name, True, Fraction(1), 1).low > 0
    assert mass(law_of(name, ir.Sort.INT, Fraction(1)), 1, 2) > 0
