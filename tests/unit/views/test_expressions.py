"""Bounds as sympy expressions: values, assumptions, and what is left as it stands."""

from __future__ import annotations

import math
import tomllib
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy

from synth.refuter.exact.arithmetic import UndefinedError
from synth.refuter.exact.inputs import public_value
from synth.refuter.exact.laws import Enclosure
from synth.trusted.frontend.claim import read_bound, read_claim
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir
from synth.views.expressions import assumptions, expression, symbols
from tests import ROOT

PROGRAM = """
from synth.lang import *


@mechanism(adjacent={{"x": absolute_distance(1)}}, requires="{requires}")
def noisy(x: int, n: int, k: int, eps: float, b: bool, t: list[int], q: list[float]) -> int:
    return laplace(x, scale=1)
"""


def mechanism(requires: str = "eps > 0 and n >= 1 and k >= 0") -> ir.Mechanism:
    (found,) = read_source(PROGRAM.format(requires=requires), "p.py")
    return found


def built(text: str) -> sympy.Expr:
    program = mechanism()
    return expression(read_claim(program, text), assumptions(program))


def value(found: sympy.Expr, **values: object) -> sympy.Expr:
    known = symbols(assumptions(mechanism()))
    return found.subs({known[name]: value for name, value in values.items()}).doit()


CASES = [
    ("eps*(1 + 6*k)/4", lambda eps, n, k: eps * (1 + 6 * k) / 4),
    ("-(-eps) - n/3 + n**2 - 2", lambda eps, n, k: eps - Fraction(n, 3) + n**2 - 2),
    ("eps*(n//3 + n % 3)", lambda eps, n, k: eps * (n // 3 + n % 3)),
    ("eps*((-n)//3 + (-n) % 3)", lambda eps, n, k: eps * ((-n) // 3 + (-n) % 3)),
    ("abs(eps - n)", lambda eps, n, k: abs(eps - n)),
    ("min(eps, n, k)", lambda eps, n, k: min(eps, n, k)),
    ("max(eps, n) + max(eps, k)", lambda eps, n, k: max(eps, n) + max(eps, k)),
    ("eps if n < k else 2*eps", lambda eps, n, k: eps if n < k else 2 * eps),
    (
        "eps if n == k or k <= 2 and not n < 3 else n",
        lambda eps, n, k: eps if n == k or (k <= 2 and n >= 3) else n,
    ),
    ("floor(eps) + ceil(eps)", lambda eps, n, k: math.floor(eps) + math.ceil(eps)),
    ("int(eps - n)", lambda eps, n, k: int(eps - n)),
    ("2**k", lambda eps, n, k: 2**k),
]


@pytest.mark.parametrize(("text", "meaning"), CASES)
@pytest.mark.parametrize(
    ("eps", "n", "k"),
    [(Fraction(1, 2), 1, 0), (Fraction(7, 3), 5, 2), (Fraction(4), 4, 4), (Fraction(1, 9), 8, 3)],
)
def test_values(text: str, meaning: object, eps: Fraction, n: int, k: int) -> None:
    found = value(built(text), eps=sympy.Rational(eps), n=n, k=k)
    exact = Fraction(meaning(eps, n, k))  # type: ignore[operator]
    assert found == sympy.Rational(exact.numerator, exact.denominator)


def test_functions() -> None:
    found = built("log(exp(eps) + sqrt(n)) / len(q)")
    exact = value(found, eps=1, n=4, **{"len(q)": 2})
    assert abs(float(exact) - math.log(math.e + 2) / 2) < 1e-12


def test_arithmetic_is_in_sympys_order() -> None:
    known = symbols(assumptions(mechanism()))
    eps, k = known["eps"], known["k"]
    assert built("(1 + 6*k)*eps/4") == eps * (6 * k + 1) / 4
    assert built("eps/2 + eps/2") == eps
    assert built("k**2*eps") == eps * k**2
    assert built("log((1 + exp(eps)**2)/exp(eps))") == sympy.log((1 + sympy.exp(2 * eps)) / sympy.exp(eps))
    assert str(built("5*eps/6 + 2/(k - 4*log(1/eps)/eps - 2)")) == "5*eps/6 + 2/(k - 2 - 4*log(1/eps)/eps)"


ROWS = [
    (path.parent / row["file"], row["name"], row["epsilon"])
    for path in (ROOT / "benchmarks" / "expected.toml", *(ROOT / "tests").rglob("expected.toml"))
    for row in tomllib.loads(path.read_text())["mechanism"]
    if row.get("epsilon") is not None
]


@pytest.mark.slow
def test_bounds_of_the_suites_have_the_value_that_the_refuter_encloses() -> None:
    compared, read = 0, cache(read_program)
    for path, name, bound in ROWS:
        program = read(path).mechanism(name)
        if program is None:
            continue
        typed, known = read_bound(program, bound), assumptions(program)
        inputs = {item.name: _datum(item, place) for place, item in enumerate(program.parameters)}
        try:
            exact = public_value(program, typed, inputs)
        except UndefinedError:
            continue
        values = {
            **inputs,
            **{f"len({item})": len(data) for item, data in inputs.items() if isinstance(data, tuple)},
        }
        symbol = symbols(known)
        found = (
            expression(typed, known).subs({symbol[key]: sympy.Rational(values[key]) for key in symbol}).doit()
        )
        low, high = (exact.low, exact.high) if isinstance(exact, Enclosure) else (exact, exact)
        assert abs(found.evalf(40) - sympy.Rational((low + high) / 2)) <= (high - low) + sympy.Rational(
            1, 10**20
        ), name
        compared += 1
    assert compared > 300


def _datum(item: ir.Parameter, place: int) -> Any:
    """A value that differs from the others."""
    if item.kind is ir.ParameterKind.SCALAR:
        return (
            place % 2 == 0
            if item.sort is ir.Sort.BOOL
            else place + 2
            if item.sort is ir.Sort.INT
            else Fraction(1, place + 2)
        )
    one: Any = (0,) * (place + 1)
    return one if item.arity == 1 else (one,) * 2


@pytest.mark.parametrize(
    "text",
    [
        "eps*2**(10**9)",
        "eps*exp(10**9*log(2))",
        "eps*(2*k)**(10**9)",
        "eps*exp(9)**(10**9)",
        "exp(eps + 10**9*log(2))*2",
        "floor(exp(10**8))*eps",
    ],
)
def test_numbers_without_room_are_left_as_they_stand(text: str) -> None:
    found = built(text)
    assert found.atoms(sympy.Integer) and all(abs(item) <= 10**9 for item in found.atoms(sympy.Integer))


@pytest.mark.parametrize(
    ("requires", "name", "facts"),
    [
        ("eps > 0", "eps", ("real", "positive")),
        ("0 < eps < 1", "eps", ("real", "positive")),
        ("eps >= 0", "eps", ("real", "nonnegative")),
        ("eps > -1", "eps", ("real",)),
        ("eps < 0", "eps", ("real", "negative")),
        ("0 >= eps", "eps", ("real", "nonpositive")),
        ("eps == 2", "eps", ("real", "positive")),
        ("eps > 0 or n > 0", "eps", ("real",)),
        ("eps > n", "eps", ("real",)),
        ("eps > 0 and eps < 0", "eps", ("real", "positive")),
        ("n >= 1", "n", ("integer", "positive")),
        ("n > 0.5", "n", ("integer", "positive")),
        ("True", "n", ("integer",)),
        ("True", "len(q)", ("integer", "nonnegative")),
        ("len(q) > 0", "len(q)", ("integer", "positive")),
    ],
)
def test_assumptions(requires: str, name: str, facts: tuple[str, ...]) -> None:
    found = assumptions(mechanism(requires))
    assert found[name] == facts
    assert {"x", "b"}.isdisjoint(found)
    assert symbols(found)[name].name == name
