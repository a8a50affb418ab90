"""What the kernel says of an expression is true of its value as the core language defines it."""

from __future__ import annotations

import math
import operator
import random
from fractions import Fraction
from functools import reduce

import pytest

from synth.trusted.core.expressions import _MEANING, Inexact, NoValue, State, evaluate
from synth.trusted.logic import encoding
from synth.trusted.logic.encoding import Evaluation
from synth.trusted.logic.inputs import Inputs
from synth.trusted.program import builders
from synth.trusted.program import syntax as ir

BOOL, INT, REAL = ir.Sort.BOOL, ir.Sort.INT, ir.Sort.REAL
Op = ir.Operator
VALUES = {
    INT: (-7, -3, -2, -1, 0, 1, 2, 3, 5),
    REAL: tuple(Fraction(k, 4) for k in (-10, -6, -4, -1, 0, 1, 2, 4, 6, 9, 10)),
    BOOL: (False, True),
}
NAMES = {INT: ("i", "j"), REAL: ("x", "y"), BOOL: ("b", "c")}
OPERATORS = {
    INT: [
        *(((op, (INT, INT))) for op in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.FLOOR_DIVIDE, Op.MODULO)),
        *(((op, (INT, INT))) for op in (Op.MINIMUM, Op.MAXIMUM)),
        *(((op, (INT,))) for op in (Op.NEGATE, Op.ABSOLUTE)),
        *(((op, (REAL,))) for op in (Op.ROUND, Op.FLOOR, Op.CEILING, Op.TRUNCATE)),
        (Op.IF, (BOOL, INT, INT)),
    ],
    REAL: [
        *(((op, (REAL, REAL))) for op in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.POWER)),
        *(((op, (REAL, REAL))) for op in (Op.MINIMUM, Op.MAXIMUM)),
        *(((op, (REAL,))) for op in (Op.NEGATE, Op.ABSOLUTE, Op.SQUARE_ROOT, Op.EXPONENTIAL, Op.LOGARITHM)),
        (Op.TO_REAL, (INT,)),
        (Op.IF, (BOOL, REAL, REAL)),
    ],
    BOOL: [
        *(((op, (sort, sort))) for op in (Op.EQUAL, Op.LESS, Op.LESS_EQUAL) for sort in (INT, REAL)),
        (Op.EQUAL, (BOOL, BOOL)),
        *(((op, (BOOL, BOOL))) for op in (Op.AND, Op.OR)),
        (Op.NOT, (BOOL,)),
        (Op.IF, (BOOL, BOOL, BOOL)),
    ],
}
CASES = 3000


def expression(rng, sort, depth):
    """One of these sorts of expressions, at random."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.4:
            return ir.Constant(rng.choice(VALUES[sort]), sort)
        return ir.Variable(rng.choice(NAMES[sort]), sort)
    symbol, sorts = rng.choice(OPERATORS[sort])
    return ir.Operation(symbol, tuple(expression(rng, item, depth - 1) for item in sorts), sort)


# --- the meaning of ground terms in SMT-LIB ---------------------------------------------------

SMT = {
    "+": lambda *numbers: sum(numbers),
    "*": lambda *numbers: math.prod(numbers),
    "/": lambda one, other: Fraction(one) / other,
    "div": lambda one, other: (one - one % abs(other)) // other,
    "mod": lambda one, other: one % abs(other),
    "to_int": math.floor,
    "to_real": Fraction,
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    "and": lambda *truths: all(truths),
    "or": lambda *truths: any(truths),
    "not": operator.not_,
    "=>": lambda one, other: not one or other,
    "ite": lambda condition, then, otherwise: then if condition else otherwise,
}


def meaning(term, values):
    """The value of a term where names have these, and opaque operations are those of the definition.

    Where they have no value it is 0, which SMT-LIB's functions may be there.
    """
    if isinstance(term, str):
        if term in values:
            return values[term]
        return term == "true" if term in ("true", "false") else (Fraction if "." in term else int)(term)
    head, *operands = term
    found = [meaning(item, values) for item in operands]
    if head == "-":
        return -found[0] if len(found) == 1 else reduce(operator.sub, found)
    if head in SMT:
        return SMT[head](*found)
    symbol = Op(head.strip("|").rpartition(":")[0])
    try:
        return _MEANING[symbol](*found)
    except NoValue:
        return 0


@pytest.mark.parametrize("part", range(3))
def test_terms_have_the_value_of_the_expression_and_facts_are_true(part):
    rng, compared = random.Random(part), 0
    for _ in range(CASES // 3):
        whole = expression(rng, rng.choice((INT, REAL, BOOL)), 4)
        values = {name: rng.choice(VALUES[sort]) for sort, names in NAMES.items() for name in names}
        factors = (*rng.sample(VALUES[REAL], 2), Fraction(2), Fraction(-3))
        here = _evaluation(values, factors, ("x", "1.0", ("/", "5.0", "2.0")))
        term = here.term(whole)
        try:
            value = evaluate(whole, State((), values, {}, {}))
            assert meaning(term, values) == value, (whole, values)
            for fact in here.facts:
                assert meaning(fact, values) is True, (fact, values)
        except (NoValue, Inexact):
            continue
        compared += 1
    assert compared > CASES // 10


@pytest.mark.parametrize("head", [encoding.TIMES, encoding.OVER])
def test_what_is_said_of_two_products_is_true(head):
    rng, said = random.Random(head), 0
    for _ in range(CASES):
        values = {name: rng.choice(VALUES[REAL]) for name in "abxy"}
        one, other = ((head, *rng.choices("abxy", k=2)) for _ in range(2))
        for fact in encoding.differences(one, other, ("1.0", "b", ("-", "0.5"), "2.0")):
            assert meaning(fact, values) is True, (fact, values)
            said += 1
    assert said > CASES


def test_two_products_without_a_common_operand_are_unrelated():
    for one, other in [("a", "x"), ("b", "y")], [("a", "x"), ("y", "a")]:
        assert not list(encoding.differences((encoding.TIMES, *one), (encoding.TIMES, *other), ("1.0",)))
    assert not list(encoding.differences((encoding.OVER, "a", "x"), (encoding.OVER, "a", "y"), ("1.0",)))
    assert not list(encoding.differences((encoding.TIMES, "a", "x"), (encoding.OVER, "a", "x"), ("1.0",)))


def _evaluation(values, factors, magnitudes):
    mechanism = ir.Mechanism("m", (), builders.TRUE, None, None, (), {}, {}, ir.Span(1, 1), "m.py", "")
    names = {name: name for name in values}
    return Evaluation(
        Inputs(mechanism, {}), 1, names, {}, {}, frozenset(), factors=factors, magnitudes=magnitudes
    )


def test_a_wrong_encoding_is_found(monkeypatch):
    monkeypatch.setitem(encoding.PLAIN, Op.LESS, "<=")
    with pytest.raises(AssertionError):
        test_terms_have_the_value_of_the_expression_and_facts_are_true(0)
