"""Terms of certificates: read, written, and refused where they are none or mix sorts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.trusted.logic.terms import (
    BOOL,
    DEEPEST,
    INT,
    LONGEST,
    REAL,
    BadTerm,
    Signature,
    Term,
    conjunction,
    negation,
    number,
    read,
    sort_of,
    substitute,
    symbols,
    value,
    write,
)

KNOWN: dict[str, Signature] = {
    "|i<1>|": ((), INT),
    "|x<2>|": ((), REAL),
    "|b|": ((), BOOL),
    "|q[]<1>|": ((INT,), REAL),
    "|f:Int,Int|": ((INT, INT), INT),
}


def of_sort(sort: str, depth: int = 3) -> st.SearchStrategy[Any]:
    """Terms of a sort."""
    atoms: dict[str, st.SearchStrategy[Any]] = {
        INT: st.integers(0, 99).map(str) | st.just("|i<1>|"),
        REAL: st.integers(0, 99).map(lambda size: f"{size}.5") | st.just("|x<2>|"),
        BOOL: st.sampled_from(["true", "false", "|b|"]),
    }
    if depth == 0:
        return atoms[sort]
    ints, reals, truths = (of_sort(item, depth - 1) for item in (INT, REAL, BOOL))
    several = {INT: ints, REAL: reals, BOOL: truths}[sort]
    choices = [atoms[sort], st.tuples(st.just("ite"), truths, several, several)]
    if sort == BOOL:
        choices.append(st.tuples(st.sampled_from(["and", "or", "=>"]), truths, truths))
        choices.append(st.tuples(st.sampled_from(["<", "<=", ">", ">=", "="]), ints, ints))
        choices.append(st.tuples(st.sampled_from(["<", "<=", "="]), reals, reals))
        choices.append(st.tuples(st.just("not"), truths))
    else:
        choices.append(st.tuples(st.sampled_from(["+", "-", "*"]), several, several))
        choices.append(st.tuples(st.just("-"), several))
    if sort == REAL:
        choices.append(st.tuples(st.just("/"), reals, reals))
        choices.append(st.tuples(st.sampled_from(["to_real", "|q[]<1>|"]), ints))
    if sort == INT:
        choices.append(st.tuples(st.sampled_from(["div", "mod", "|f:Int,Int|"]), ints, ints))
        choices.append(st.tuples(st.just("to_int"), reals))
    return st.one_of(choices)


TYPED = st.sampled_from([INT, REAL, BOOL]).flatmap(lambda sort: st.tuples(st.just(sort), of_sort(sort)))


@settings(max_examples=300, deadline=None)
@given(TYPED)
def test_written_terms_are_read_back(typed: tuple[str, Term]) -> None:
    sort, term = typed
    assert read(write(term)) == term
    assert read(write(term).replace("(", " (\n").replace(")", "\t) ")) == term
    assert sort_of(term, KNOWN) == sort


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("()| <>=+-*/ab019.#%!\\\"';\n")))
def test_texts_are_terms_or_refused(text: str) -> None:
    """And what is read is written so that it is the same term."""
    try:
        term = read(text)
    except BadTerm:
        return
    assert read(write(term)) == term


@settings(max_examples=200, deadline=None)
@given(st.fractions(), st.sampled_from([INT, REAL]))
def test_numbers(exact: Fraction, sort: str) -> None:
    assert value(number(exact, REAL)) == exact
    assert value(read(write(number(exact, REAL)))) == exact
    whole = number(exact.numerator, sort)
    assert (value(whole), sort_of(whole, {})) == (exact.numerator, sort)


@settings(max_examples=100, deadline=None)
@given(of_sort(BOOL))
def test_substitution_replaces_symbols_only(term: Term) -> None:
    assert substitute(term, {}) == term
    assert "|i<1>|" not in set(symbols(substitute(term, {"|i<1>|": "7"})))
    assert negation(("not", term)) == term


def test_conjunctions() -> None:
    assert [conjunction(parts) for parts in ((), ("|a|",), ("|a|", "|b|"))] == [
        "true",
        "|a|",
        ("and", "|a|", "|b|"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not one whole term"),
        ("  ", "not one whole term"),
        ("()", "an empty pair"),
        ("(+ 1 ())", "an empty pair"),
        ("1 2", "not one whole term"),
        ("(+ 1 2", "not one whole term"),
        ("(+ 1 2))", "a parenthesis too many"),
        (")(", "a parenthesis too many"),
        ("(assert false)(exit)", "not one whole term"),
        ("|x", "is no SMT-LIB"),
        ("||", "is no SMT-LIB"),
        ("|x y|", "is no SMT-LIB"),
        ("|x\\y|", "is no SMT-LIB"),
        ('"text"', "is no SMT-LIB"),
        ("; comment", "is no SMT-LIB"),
        ("#b01", "is no SMT-LIB"),
        ("1.", "is no SMT-LIB"),
        (".5", "is no SMT-LIB"),
        ("X", "is no SMT-LIB"),
        ("é", "is no SMT-LIB"),
        ("(" * (DEEPEST + 1), "nested too deeply"),
        ("(not " * DEEPEST + "true" + ")" * DEEPEST, "nested too deeply"),
        ("1" * (LONGEST + 1), "too long"),
    ],
)
def test_reader_refuses(text: str, message: str) -> None:
    with pytest.raises(BadTerm, match=message):
        read(text)


def test_reader_takes_terms_up_to_its_limit() -> None:
    deep = "(not " * (DEEPEST - 1) + "true" + ")" * (DEEPEST - 1)
    assert sort_of(read(deep), {}) == BOOL


@pytest.mark.parametrize(
    "text",
    [
        "|y<1>|",
        "x",
        "(f 1)",
        "(|y<1>| 1)",
        "|q[]<1>|",
        "(|q[]<1>| 1.0)",
        "(|q[]<1>| 1 2)",
        "(|i<1>| 1)",
        "((+ 1 2) 3)",
        "(+)",
        "(-)",
        "(not)",
        "(+ 1)",
        "(and true)",
        "(+ 1 1.0)",
        "(- 1 2 3)",
        "(< 1 2 3)",
        "(< true false)",
        "(= 1 1.0)",
        "(= 1 1 1)",
        "(and 1 2)",
        "(not 1)",
        "(/ 1 2)",
        "(div 1.0 2.0)",
        "(mod 1 2.0)",
        "(to_real 1.0)",
        "(to_int 1)",
        "(ite 1 2 3)",
        "(ite true 1 2.0)",
        "(ite true 1)",
        "(distinct 1 2)",
        "(let 1 2)",
        "(exists 1 true)",
    ],
)
def test_sorts_that_do_not_fit(text: str) -> None:
    with pytest.raises(BadTerm):
        sort_of(read(text), KNOWN)
