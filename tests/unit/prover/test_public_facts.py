"""Facts about public parameters: what is called proved holds at every point."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pysmt.environment import pop_env, push_env

from synth.bounds.scales import opaque_parts
from synth.prover.obligations.public_facts import PublicFacts
from synth.trusted.frontend.claim import read_claim
from synth.trusted.program import syntax as ir
from tests.support.proving import bound, from_text


@pytest.fixture(autouse=True)
def _own_terms() -> Iterator[None]:
    push_env()
    yield
    pop_env()


def _mechanism(requires: str) -> ir.Mechanism:
    return from_text(
        f'@mechanism(requires="{requires}")\n'
        "def f(q: list[int], a: int, b: int, x: float, y: float, flag: bool) -> int:\n    return 0"
    )


NONNEGATIVE = [
    ("x > 0", "x/2", True),
    ("x > 0", "x - 1", False),
    ("a > 0", "a - 1", True),
    ("x > 0", "x - 1/1000", False),
    ("True", "len(q)", True),
    ("True", "len(q) - 1", False),
    ("len(q) > 0", "len(q) - 1", True),
    ("x >= 0", "sqrt(x)", True),
    ("True", "exp(x)", True),
    ("True", "exp(x) - 1", False),
    ("x > 0 and y > 0", "x/y", True),
    ("x > 0", "x/y", False),
    ("True", "x*x", True),
    ("True", "x*y", False),
    ("True", "abs(x)", True),
    ("True", "max(x, 0)", True),
    ("True", "min(x, 0)", False),
    ("a >= 1 and b >= a", "b - a + (a - 1)/b", True),
    ("not a < 3", "a - 3", True),
    ("a == b", "a - b", True),
    ("a // b >= 2", "a // b - 1", True),
    ("True", "a // b", False),
    ("x > 0 or y > 0", "max(x, y)", True),
]


@pytest.mark.parametrize(("requires", "expression", "expected"), NONNEGATIVE)
def test_nonnegative(requires: str, expression: str, expected: bool) -> None:
    mechanism = _mechanism(requires)
    assert PublicFacts(mechanism.requires).nonnegative(read_claim(mechanism, expression)) is expected


AT_MOST = [
    ("x > 0", "x/2", "x", True),
    ("x > 0", "x", "x/2", False),
    ("x > 0 and a >= 1", "(1 + a)*x/(2*a)", "x", True),
    ("x > 0 and a >= 0", "(1 + a)*x/(2*a)", "x", False),
    ("x > 0", "len(q)*x", "(len(q) + 1)*x", True),
    ("x > 0", "len(q)*x", "x", False),
    ("x > 0 and y >= 0", "sqrt(y)*x", "2*sqrt(y)*x", True),
    ("a > 0 and x > 0", "x/a", "x", True),
    ("a < 0 and x > 0", "x/a", "0", True),
]


@pytest.mark.parametrize(("requires", "lower", "upper", "expected"), AT_MOST)
def test_at_most(requires: str, lower: str, upper: str, expected: bool) -> None:
    mechanism = _mechanism(requires)
    opaque = {}
    for side in (lower, upper):
        opaque.update(opaque_parts(read_claim(mechanism, side)))
    facts = PublicFacts(mechanism.requires)
    assert facts.at_most(bound(mechanism, lower), bound(mechanism, upper), opaque) is expected


@pytest.mark.parametrize(
    ("requires", "expected"),
    [("x > 0", True), ("x > 0 and x < 0", False), ("a > 0 and a < 1", False), ("len(q) < 0", False)],
)
def test_satisfiable(requires: str, expected: bool) -> None:
    assert PublicFacts(_mechanism(requires).requires).satisfiable() is expected


ATOMS = st.sampled_from(("a", "b", "x", "1", "2", "(1/2)"))
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+-*/"), inner),
        st.builds("{}({}, {})".format, st.sampled_from(("min", "max")), inner, inner),
        st.builds("abs({})".format, inner),
    ),
    max_leaves=4,
)
POINTS = [
    {"a": a, "b": b, "x": x}
    for a in (1, 2, 7)
    for b in (-3, 0, 1, 5)
    for x in (Fraction(1, 9), Fraction(1), Fraction(8))
]


@settings(max_examples=40, deadline=None)
@given(EXPRESSIONS)
def test_what_is_proved_holds(expression: str) -> None:
    """Never called nonnegative with a point at which it is negative."""
    mechanism = _mechanism("a > 0 and x > 0")
    try:
        shown = PublicFacts(mechanism.requires).nonnegative(read_claim(mechanism, expression))
    except Exception:
        assume(False)
    exact = expression.replace("1/2", "Fraction(1, 2)")
    for point in POINTS if shown else []:
        names = {name: Fraction(value) for name, value in point.items()}
        try:
            value = eval(exact, {"Fraction": Fraction}, names)
        except ZeroDivisionError:
            continue
        assert value >= 0, point
