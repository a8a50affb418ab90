"""Distances of a certificate are written as integers, or refused; what is compared, as what it is."""

from __future__ import annotations

import pytest

from synth.rocq.formulas import Formulas
from synth.rocq.refusal import Inexpressible
from synth.trusted.core.reader import read_core
from synth.trusted.kernel.check import parse
from synth.trusted.logic.terms import read
from tests.unit.views.exporting import golden

FORMULAS = Formulas(read_core(parse(golden("above_threshold")).core), {}, {})


@pytest.mark.parametrize(
    ("distance", "written"),
    [
        ("1.0", "1"),
        ("(to_real |t<>|)", "t_"),
        ("(* (/ 1.0 2.0) (to_real (* 2 |t<>|)))", "t_"),
        ("(* (/ 1.0 2.0) (+ 2.0 (to_real (* 4 |t<>|))))", "(1 + (2 * t_))"),
        ("(* 3.0 (- (to_real |t<>|)))", "(- (3 * t_))"),
        ("(* (to_real |t<>|) (to_real |t<>|))", "(t_ * t_)"),
    ],
)
def test_a_distance_is_an_integer(distance: str, written: str) -> None:
    assert FORMULAS.distance(read(distance)) == written


@pytest.mark.parametrize("distance", ["(/ 1.0 2.0)", "(* (/ 1.0 2.0) (to_real |t<>|))", "|eps<>|"])
def test_what_may_be_no_integer_is_refused(distance: str) -> None:
    with pytest.raises(Inexpressible, match="is no integer"):
        FORMULAS.distance(read(distance))


def test_a_variable_that_the_core_program_lacks_is_refused() -> None:
    assert FORMULAS.integer(read("(+ |i<1>| |t<1>|)")) == '((as_int (m1 "i")) + (as_int (m1 "t")))'
    with pytest.raises(Inexpressible, match="a variable that a step makes"):
        FORMULAS.integer(read("|noisy%at0%i<1>|"))


def test_an_entry_has_all_its_indices() -> None:
    core = """\
@adjacent(score=linf_distance(1.0))
def f(score: function(int, int, int), n: int) -> output(int):
    return n
"""
    formulas = Formulas(read_core(core), {}, {})
    assert formulas.integer(read("(|score[]<2>| |n<>| (+ |n<>| 1))")) == "(score_2 n_ (n_ + 1))"


def test_products_and_logarithms_are_compared_as_reals() -> None:
    condition = read("(<= 2.0 (|*:Real,Real| |eps<>| (|log:Real| |eps<>|)))")
    assert FORMULAS.truth(condition) == "(Rleb 2%R (eps_ * (ln eps_)%R)%R)"
