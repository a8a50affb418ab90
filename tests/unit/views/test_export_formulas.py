"""Formulas for people: what they look like, and that their clauses mean what the formulas mean."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.bounds.rational import Rational
from synth.trusted.logic.terms import Signature, Term, read, substitute, value
from synth.views.certificate.clauses import Both, Bound, Clause, Literal, Truth, clauses
from synth.views.certificate.plain import Plain
from synth.views.certificate.plain_names import PlainNames
from tests.unit.views.exporting import golden_reading

KNOWN: dict[str, Signature] = {
    **{f"|{name}|": ((), "Int") for name in ("result<1>", "result<2>", "i<1>")},
    "|yes|": ((), "Bool"),
}


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("(not (<= 0 (+ |threshold<1>| (* (- 1) |threshold<2>|))))", "threshold⟨1⟩ < threshold⟨2⟩"),
        (
            "(and (<= (+ |threshold<1>| 1) |threshold<2>|) (not (<= |threshold<1>| (- |threshold<2>| 2))))",
            "threshold⟨1⟩ + 1 = threshold⟨2⟩",
        ),
        (
            "(and (<= (- |answer<1>| |answer<2>|) 1) (<= (- |answer<2>| |answer<1>|) 1))",
            "|answer⟨1⟩ − answer⟨2⟩| ≤ 1",
        ),
        ("(or (not (<= 2 |cost#0|)) (not (<= |len(q)| |result<1>|)))", "result⟨1⟩ ≥ len(q) ⇒ cost₀ ≤ 1"),
        ("(not (<= |i%2<1>| (- 1)))", "i₂⟨1⟩ ≥ 0"),
        ("|next#branch.1.0|", "next₁₆"),
        ("(not |next#branch.1.0|)", "¬next₁₆"),
        ("(< (* 2 (|q[]<1>| |i<1>|)) (+ 3 (|q[]<2>| |i<1>|)))", "2·q[i⟨1⟩]⟨1⟩ ≤ q[i⟨1⟩]⟨2⟩ + 2"),
        ("(= |answer<1>| (ite (<= 0 |t<>|) |t<>| (- |t<>|)))", "answer⟨1⟩ = (t if t ≥ 0 else −t)"),
        ("(<= 0 1)", "⊤"),
        ("(< 1 0)", "⊥"),
        ("(or (not true) (<= |i<1>| 3))", "i⟨1⟩ ≤ 3"),
        ("(=> |next#branch.1.0| (<= 0 |i<1>|) (< 0 |i<1>|))", "next₁₆ ⇒ i⟨1⟩ ≤ −1 ∨ i⟨1⟩ ≥ 1"),
    ],
)
def test_formulas_as_people_write_them(formula: str, shown: str) -> None:
    assert golden_reading("above_threshold").infix().formula(read(formula)) == shown


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        ("(* (/ 1.0 2.0) |eps<>|)", "eps/2"),
        ("(/ (* (/ 1.0 3.0) |eps<>|) (to_real |len(q)|))", "eps/(3·len(q))"),
        ("(+ (* (/ 3.0 2.0) |eps<>|) (- 1.0))", "3·eps/2 − 1"),
        ("(- |eps<>|)", "−eps"),
        ("(* |eps<>| |eps<>|)", "eps^2"),
        ("(- 1.0 |eps<>|)", "−eps + 1"),
        ("(/ 1.0 (+ |eps<>| 1.0))", "1/(eps + 1)"),
        ("(/ |eps<>| 0.0)", "eps/0"),
    ],
)
def test_terms_as_people_write_them(term: str, shown: str) -> None:
    assert golden_reading("above_threshold").infix().term(read(term)) == shown


# --- meaning --------------------------------------------------------------------------------

_numbers = st.recursive(
    st.sampled_from(["|result<1>|", "|result<2>|", "|i<1>|", "0", "1", "2", ("-", "1")]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-"), inner, inner),
        st.tuples(st.just("-"), inner),
        st.tuples(st.just("*"), st.sampled_from(["2", "3", ("-", "2")]), inner),
    ),
    max_leaves=5,
)
_comparisons = st.tuples(st.sampled_from(["<", "<=", ">", ">=", "="]), _numbers, _numbers)
_formulas = st.recursive(
    st.one_of(_comparisons, st.just("|yes|"), st.sampled_from(["true", "false"])),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "=>"]), inner, inner),
        st.tuples(st.sampled_from(["and", "or", "=>"]), inner, inner, inner),
    ),
    max_leaves=6,
)
_values = st.fixed_dictionaries(
    {name: st.integers(-3, 3) if name != "|yes|" else st.booleans() for name in KNOWN}
)


@given(st.lists(_formulas, max_size=3), _values)
def test_clauses_mean_what_the_formulas_mean(formulas: list[Term], values: dict[str, int]) -> None:
    expected = all(_meaning(item, values) for item in formulas)
    assert all(_clause_holds(item, values) for item in clauses(formulas, KNOWN)) == expected


def _clause_holds(clause: Clause, values: dict[str, int]) -> bool:
    return any(_literal_holds(item, values) for item in clause)


def _literal_holds(literal: Literal, values: dict[str, int]) -> bool:
    match literal:
        case Bound(items=items, order=order, offset=offset, within=within):
            total = Fraction(0)
            for monomial, factor in items:
                for atom, power in monomial:
                    factor *= Fraction(_meaning(atom, values)) ** power
                total += factor
            total = abs(total) if within else total
            return {
                "≤": total <= offset,
                "<": total < offset,
                "=": total == offset,
                "≥": total >= offset,
                ">": total > offset,
                "≠": total != offset,
            }[order]
        case Both(clauses=parts):
            return all(_clause_holds(item, values) for item in parts)
        case Truth(term=term, positive=positive):
            return bool(_meaning(term, values)) == positive


def _meaning(term: Term, values: dict[str, int]) -> Fraction | int:
    if value(term) is not None:
        return value(term) or 0
    if isinstance(term, str):
        return {"true": 1, "false": 0}[term] if term in ("true", "false") else values[term]
    head, *parts = term[0], *(_meaning(part, values) for part in term[1:])
    match head, parts:
        case "not", [one]:
            return not one
        case "and", _:
            return all(parts)
        case "or", _:
            return any(parts)
        case "=>", _:
            return not all(parts[:-1]) or bool(parts[-1])
        case "-", [one]:
            return -one
        case _, [one, other]:
            return {
                "+": one + other,
                "-": one - other,
                "*": one * other,
                "<": one < other,
                "<=": one <= other,
                ">": one > other,
                ">=": one >= other,
                "=": one == other,
            }[str(head)]
    raise AssertionError(term)


@given(st.lists(_formulas, max_size=3), _values, st.booleans())
def test_reports_mean_what_the_formulas_mean(
    formulas: list[Term], values: dict[str, int], paid: bool
) -> None:
    """What a report shows is Python but for the marks of runs, and costs are in nats: Python evaluates it."""
    found = golden_reading("above_threshold")
    known = {**KNOWN, "|cost#0|": KNOWN["|i<1>|"]}
    writer = Plain(PlainNames(found.mechanism, found.certificate), known, units={"cost": Rational.number(2)})
    expected = all(_meaning(item, values) for item in formulas)
    third = "|cost#0|" if paid else "|i<1>|"
    shown = writer.conjuncts([substitute(item, {"|i<1>|": third}) for item in formulas])
    names = {"result⟨1⟩": "left", "result⟨2⟩": "right", "i⟨1⟩": "index"}
    meant = {"left": values["|result<1>|"], "right": values["|result<2>|"], "yes": values["|yes|"]}
    meant |= {"index": values["|i<1>|"], "cost": 2 * values["|i<1>|"]}
    for name, plain in names.items():
        shown = tuple(part.replace(name, plain) for part in shown)
    assert all(eval(part, {"__builtins__": {"abs": abs}}, meant) for part in shown) == expected
