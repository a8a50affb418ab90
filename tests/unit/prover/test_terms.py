"""Terms that fold what is known keep their value under every assignment."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pysmt.environment import get_env
from pysmt.fnode import FNode
from pysmt.typing import BOOL, INT, REAL, PySMTType

from synth.prover.horn import terms
from synth.prover.horn.terms import constant, sort_of, symbol

Values = dict[str, Any]
Recipe = tuple[Any, ...]
FRACTIONS = st.fractions(min_value=-3, max_value=3, max_denominator=4)


def _numbers(sort: str, depth: int) -> st.SearchStrategy[Recipe]:
    values = st.integers(-3, 3) if sort == "int" else FRACTIONS
    leaves = st.one_of(
        st.tuples(st.just(f"{sort} name"), st.sampled_from("ab")),
        st.tuples(st.just(f"{sort} value"), values),
    )
    if depth == 0:
        return leaves
    inner = _numbers(sort, depth - 1)
    options = [
        leaves,
        st.tuples(st.just("add"), inner, inner),
        st.tuples(st.just("subtract"), inner, inner),
        st.tuples(st.just("scaled"), st.integers(-3, 3) if sort == "int" else FRACTIONS, inner),
        st.tuples(st.just("absolute"), inner),
        st.tuples(st.just("choose"), _truths(depth - 1), inner, inner),
    ]
    if sort == "real":
        options.append(st.tuples(st.just("to_real"), _numbers("int", depth - 1)))
    return st.one_of(*options)


def _truths(depth: int) -> st.SearchStrategy[Recipe]:
    leaves = st.one_of(
        st.tuples(st.just("bool name"), st.sampled_from("pq")),
        st.tuples(st.just("bool value"), st.booleans()),
    )
    if depth == 0:
        return leaves
    inner = _truths(depth - 1)
    pairs = st.one_of(*[st.tuples(*[_numbers(sort, depth - 1)] * 2) for sort in ("int", "real")])
    return st.one_of(
        leaves,
        st.tuples(st.just("negate"), inner),
        st.tuples(st.sampled_from(("all_of", "any_of", "implies", "equal")), inner, inner),
        st.tuples(st.just("choose"), inner, inner, inner),
        st.builds(lambda name, pair: (name, *pair), st.sampled_from(ORDERS), pairs),
    )


ORDERS = ("less", "less_equal", "equal", "within")
SORTS: dict[str, PySMTType] = {"int": INT, "real": REAL, "bool": BOOL}
BUILD: dict[str, Callable[..., FNode]] = {
    "all_of": lambda *parts: terms.all_of(parts),
    "any_of": lambda *parts: terms.any_of(parts),
}
MEANING: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "scaled": lambda factor, a: factor * a,
    "absolute": abs,
    "to_real": lambda a: a,
    "choose": lambda condition, a, b: a if condition else b,
    "negate": lambda a: not a,
    "all_of": lambda a, b: a and b,
    "any_of": lambda a, b: a or b,
    "implies": lambda a, b: not a or b,
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "within": lambda a, b: abs(a) <= b,
}


def _build(recipe: Recipe) -> FNode:
    head, *rest = recipe
    sort, _, leaf = head.partition(" ")
    if leaf == "name":
        return symbol(f"{sort} {rest[0]}", SORTS[sort])
    if leaf == "value":
        return constant(rest[0], SORTS[sort])
    parts = [_build(part) if isinstance(part, tuple) else part for part in rest]
    return BUILD.get(head, getattr(terms, head))(*parts)


def _value(recipe: Recipe, values: Values) -> Any:
    head, *rest = recipe
    sort, _, leaf = head.partition(" ")
    if leaf == "name":
        return values[f"{sort} {rest[0]}"]
    if leaf == "value":
        return rest[0]
    return MEANING[head](*(_value(part, values) if isinstance(part, tuple) else part for part in rest))


def _evaluated(term: FNode, values: Values) -> Any:
    """The term's value by pysmt, which knows nothing of the folding."""
    sorts = {name: SORTS[name.partition(" ")[0]] for name in values}
    given_ = {symbol(name, sorts[name]): constant(value, sorts[name]) for name, value in values.items()}
    result = get_env().simplifier.simplify(get_env().substituter.substitute(term, given_))
    assert result.is_constant(), result
    found = result.constant_value()
    return found if isinstance(found, bool) else Fraction(found)


VALUES = st.fixed_dictionaries(
    {
        **{f"int {name}": st.integers(-3, 3) for name in "ab"},
        **{f"real {name}": FRACTIONS for name in "ab"},
        **{f"bool {name}": st.booleans() for name in "pq"},
    }
)


@given(st.one_of(_numbers("int", 3), _numbers("real", 3), _truths(3)), VALUES)
def test_folding_keeps_the_value(recipe: Recipe, values: Values) -> None:
    assert _evaluated(_build(recipe), values) == _value(recipe, values)


@given(st.one_of(_numbers("int", 2), _numbers("real", 2)))
def test_like_terms_cancel(recipe: Recipe) -> None:
    """Two runs that do the same differ by the number 0, not by a term."""
    term = _build(recipe)
    assert terms.number_value(terms.subtract(term, term)) == 0
    assert terms.equal(term, term).is_true()


@given(_truths(2))
def test_truth_values_fold(recipe: Recipe) -> None:
    formula = _build(recipe)
    assert terms.negate(terms.negate(formula)) is formula
    assert terms.all_of((formula, formula, terms.TRUE())) is formula
    assert terms.implies(formula, formula).is_true()
    assert terms.choose(formula, terms.TRUE(), terms.FALSE()) is formula


@given(_numbers("real", 2))
def test_parts_are_the_term(recipe: Recipe) -> None:
    """A term is the sum of its linear parts, each of the term's own sort."""
    term = _build(recipe)
    coefficients, offset = terms.linear_parts(term)
    parts = [(value, atom) for atom, value in coefficients.items()]
    again = terms.linear_combination([*parts, (offset, constant(1, REAL))], REAL)
    assert terms.number_value(terms.subtract(again, term)) == 0
    assert all(sort_of(atom) == REAL for atom in coefficients)


def test_integers_under_a_real_comparison_are_rounded_the_right_way() -> None:
    """2*a < 3 on reals is 2*a < 3 on integers; a <= 1/2 is a <= 0; a < 1/2 is a < 1."""
    a = symbol("a", INT)
    half = constant(Fraction(1, 2), REAL)
    for value, at_most, below in ((0, True, True), (1, False, False), (-1, True, True)):
        chosen = {a: constant(value, INT)}
        for build, expected in ((terms.less_equal, at_most), (terms.less, below)):
            formula = build(terms.to_real(a), half)
            assert terms.substitute(formula, chosen).simplify().is_true() is expected


def test_a_name_may_have_two_sorts() -> None:
    """Attempts count a cost in integers or in nats; loops of two mechanisms have the same numbers."""
    first, second = symbol("cost#0@4711", INT), symbol("cost#0@4711", REAL)
    assert (sort_of(first), sort_of(second)) == (INT, REAL)
    assert symbol("cost#0@4711", INT) is first and symbol("cost#0@4711", REAL) is second
