"""Bounds as text: as a person would write them, and the same function when read back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.bounds.rational import Rational
from synth.bounds.rational_reading import read_rational, same_bound
from synth.bounds.rational_text import text

BUDGETS = ("e1", "e2", "eps")


@pytest.mark.parametrize(
    ("given_text", "written"),
    [
        ("eps*len(q)", "len(q)*eps"),
        ("eps*k", "k*eps"),
        ("eps/4 + 6*c*eps/4", "(1 + 6*c)*eps/4"),
        ("2*e2 + e1", "e1 + 2*e2"),
        ("c*e3 + e1 + 2*c*e2", "e1 + 2*c*e2 + c*e3"),
        ("k*e1 + k*e2", "k*(e1 + e2)"),
        ("eps*spread/b", "spread*eps/b"),
        ("eps/(2*c) + eps", "(1 + 2*c)*eps/(2*c)"),
        ("eps*3/4", "3*eps/4"),
        ("0*eps", "0"),
        ("-eps", "-eps"),
        ("eps - 1", "-1 + eps"),
        ("1/eps", "1/eps"),
        ("n*n*eps", "n**2*eps"),
        ("eps*(n // 2)", "(n // 2)*eps"),
        ("k*(n // 2)", "(n // 2)*k"),
        ("eps/(n // 2)", "eps/(n // 2)"),
        ("n // 2", "n // 2"),
        ("n // 2 + 1", "1 + (n // 2)"),
        ("sqrt(n + 1)*k*eps", "k*sqrt(n + 1)*eps"),
    ],
)
def test_texts(given_text: str, written: str) -> None:
    assert text(read_rational(given_text), [*BUDGETS, "e3"]) == written


NAMES = st.sampled_from(["a", "c", "eps", "e1", "len(q)", "n // 2", "n % 3"])
LEAVES = st.one_of(NAMES.map(Rational.variable), st.integers(-4, 4).map(Rational.number))


def _combined(parts: st.SearchStrategy[Rational]) -> st.SearchStrategy[Rational]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        pairs.map(lambda pair: pair[0] + pair[1]),
        pairs.map(lambda pair: pair[0] - pair[1]),
        pairs.map(lambda pair: pair[0] * pair[1]),
        pairs.map(lambda pair: pair[0] / (pair[1] * pair[1] + Rational.number(1))),
    )


@given(st.recursive(LEAVES, _combined, max_leaves=6))
def test_the_text_reads_back_as_the_same_function(bound: Rational) -> None:
    for last in ((), BUDGETS):
        assert read_rational(text(bound, last)) == bound


def test_comparison_of_bounds() -> None:
    assert same_bound("eps*(1 + 6*c)/4", "(6*c*eps + eps)/4")
    assert same_bound("0.5*eps", "eps/2")
    assert same_bound("len(q)*eps", "eps * len( q )")
    assert not same_bound("eps", "eps1")
    assert not same_bound("eps", "2*eps")
    assert same_bound("1 +", "1  +")  # no expressions, but the same
    assert read_rational("0.1") == Rational.number(Fraction(1, 10))


@pytest.mark.parametrize("wrong", ["", "1 +", "1/0", "a b"])
def test_what_is_no_expression(wrong: str) -> None:
    with pytest.raises(ValueError):
        read_rational(wrong)
