"""Invariants for people: notation, joined bounds, costs in nats, names of what has none."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import (
    BOOL,
    GE,
    INT,
    LE,
    LT,
    REAL,
    And,
    Equals,
    Iff,
    Implies,
    Int,
    Ite,
    Minus,
    Not,
    Or,
    Plus,
    Real,
    Symbol,
    Times,
    ToReal,
    reset_env,
)

from synth.bounds.rational_reading import read_rational
from synth.trusted.frontend.reader import read_source
from synth.trusted.normal_form.structured_exits import normalize
from synth.trusted.program.dataflow import Analysis
from synth.views.proof.formulas import Writer
from synth.views.proof.names import Names

PROGRAM = """
from synth.lang import *

@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def f(q: list[int], n: int, eps: float) -> int:
    best = 0
    out = []
    pair = (0, 0)
    value = None
    for i in range(n):
        best = best + 1
        for x in q:
            best = best + laplace(x, 1 / eps)
        if best > n:
            value = best
        pair = (best, pair[0])
        out.append(pair[1])
    return best
"""


@pytest.fixture
def conjuncts() -> Callable[[FNode], tuple[str, ...]]:
    reset_env()
    (mechanism,) = read_source(dedent(PROGRAM), "f.py")
    names = Names(Analysis(normalize(mechanism)))
    units = {"cost#0": ("cost1", read_rational("eps/2")), "cost#1": ("cost2", read_rational("1"))}
    return lambda formula: Writer(names.at_loop(0), units).conjuncts([formula])


Conjuncts = Callable[[FNode], tuple[str, ...]]


def _int(name: str) -> FNode:
    return Symbol(name, INT)


def _pair(name: str) -> tuple[FNode, FNode]:
    return _int(f"{name}@0<1>"), _int(f"{name}@0<2>")


def test_bounds_that_meet_are_an_equation(conjuncts: Conjuncts) -> None:
    left, right = _pair("best")
    difference = Minus(left, right)
    formula = And(Not(LE(Int(0), difference)), Not(LE(difference, Int(-2))))
    assert conjuncts(formula) == ("best⟨2⟩ == best⟨1⟩ + 1",)


def test_also_within_alternatives(conjuncts: Conjuncts) -> None:
    left, right = _pair("best")
    other = LT(_int("n"), _int("i%2@0"))
    formula = And(Or(other, LE(left, right)), Or(LE(right, left), other))
    assert conjuncts(formula) == ("i > n or best⟨2⟩ == best⟨1⟩",)


def test_negations_are_pushed_inwards(conjuncts: Conjuncts) -> None:
    a, b = Symbol("a", BOOL), Symbol("b", BOOL)
    assert conjuncts(Not(Or(a, Not(Not(b))))) == ("not a", "not b")
    assert conjuncts(Not(And(a, b))) == ("not a or not b",)
    assert conjuncts(Implies(a, b)) == ("b or not a",)
    assert conjuncts(Not(Iff(a, b))) == ("a != b",)
    assert conjuncts(Or(a, And(b, Not(a)))) == ("a or (b and not a)",)


def test_what_others_imply_is_dropped(conjuncts: Conjuncts) -> None:
    a, b = Symbol("a", BOOL), Symbol("b", BOOL)
    assert conjuncts(And(a, Or(a, b))) == ("a",)
    assert conjuncts(And(a, LE(Int(0), Int(1)))) == ("a",)


def test_costs_are_in_nats(conjuncts: Conjuncts) -> None:
    count, n = _int("cost#0@0"), _int("n")
    assert conjuncts(Not(LE(Int(3), count))) == ("cost1 <= eps",)
    assert conjuncts(LE(count, Plus(Times(Int(2), n), Int(1)))) == ("cost1 <= (1 + 2*n)*eps/2",)
    assert conjuncts(LE(Symbol("cost#1@0", REAL), Symbol("eps", REAL))) == ("cost2 <= eps",)
    left, _ = _pair("best")
    assert conjuncts(LE(count, left)) == ("cost1 <= best⟨1⟩*eps/2",)


def test_strict_bounds_of_integers(conjuncts: Conjuncts) -> None:
    n, best = _int("n"), _int("best@0")
    assert conjuncts(LE(Plus(best, Int(1)), n)) == ("best < n",)
    assert conjuncts(LT(best, n)) == ("best < n",)
    assert conjuncts(LT(Times(Int(2), best), Int(5))) == ("best <= 2",)
    x, eps = Symbol("best@0<2>", REAL), Symbol("eps", REAL)
    assert conjuncts(LT(x, Plus(eps, Real(1)))) == ("best⟨2⟩ < eps + 1",)


def test_sums(conjuncts: Conjuncts) -> None:
    left, right = _pair("best")
    change = _int("q#change")
    assert conjuncts(LE(Minus(right, left), change)) == ("best⟨2⟩ - best⟨1⟩ <= q.change",)
    assert conjuncts(GE(Plus(right, left), Int(3))) == ("best⟨2⟩ + best⟨1⟩ >= 3",)
    assert conjuncts(Equals(ToReal(left), Ite(Symbol("a"), Real(1), Real(2)))) == (
        "best⟨1⟩ == (1 if a else 2)",
    )


def test_names(conjuncts: Conjuncts) -> None:
    zero = Int(0)
    named = {
        "i%2@0": "i",
        "x%4@0": "iterations(12)",
        "out#len@0": "len(out)",
        "pair.1@0<2>": "pair[1]⟨2⟩",
        "q#changed": "q.changed",
        "q!7": "q",
    }
    for symbol, name in named.items():
        assert conjuncts(LE(zero, _int(symbol))) == (f"{name} >= 0",), symbol
    assert conjuncts(Not(Symbol("value.none@0<1>"))) == ("(value⟨1⟩ is not None)",)
    assert conjuncts(Symbol("next#branch.1.0@0")) == ("line 12: condition true next",)
    assert conjuncts(Not(Symbol("q#upward"))) == ("q⟨1⟩ >= q⟨2⟩",)
    assert conjuncts(Equals(_int("next#return..0"), zero)) == ("b == 0",)
