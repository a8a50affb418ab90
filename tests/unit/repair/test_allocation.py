"""Scales with the least noise: known optima, and a search on a grid."""

from __future__ import annotations

import sympy

from synth.app.repair.allocation import Allocation, Problem, allocations

eps = sympy.Symbol("eps", positive=True)
c = sympy.Symbol("c", positive=True, integer=True)
a, b = sympy.symbols("a b", positive=True)
NAMES = ("ratio", "ratio_2")


def found(bound: sympy.Expr, fill: bool = True, weights: tuple[int, int] = (2, 2)) -> list[Allocation]:
    """The allocations at ε = eps, with the ratios put in."""
    problem = Problem(bound, eps, (a, b), tuple(map(sympy.Integer, weights)), fill)
    return [
        Allocation({n: v.subs(dict(item.ratios)) for n, v in item.values.items()}, (), item.least)
        for item in allocations(problem, NAMES)
    ]


def test_sparse_vector_is_split_as_lyu_su_and_li_do() -> None:
    """ε1 : ε2 = 1 : (2c)^(2/3), section 4.2."""
    best = found(1 / a + 2 * c / b)[0]
    assert best.least
    for limit in (1, 3, 50):
        first, second = 1 / best.values[0], 2 * c / best.values[1]
        ratio = float((second / first).subs({c: limit, eps: 1}))
        assert abs(ratio - (2 * limit) ** (2 / 3)) < 1e-9


def test_monotone_sparse_vector_has_the_other_split() -> None:
    best = found(1 / a + c / b)[0]
    ratio = (c / best.values[1]) / (1 / best.values[0])
    assert abs(float(ratio.subs({c: 7, eps: 2})) - 7 ** (2 / 3)) < 1e-9


def test_what_costs_alike_gets_alike() -> None:
    (best,) = found((a + b) / (a * b))
    assert best.values == {0: 2 / eps, 1: 2 / eps}


def test_no_split_on_a_grid_has_less_noise() -> None:
    """The variance of a draw of each site, over shares of ε in steps of 1 %."""
    best = found(1 / a + 3 / b, weights=(2, 1))[0]
    scales = [float(best.values[n].subs(eps, 1)) for n in (0, 1)]
    noise = 2 * scales[0] ** 2 + scales[1] ** 2
    assert abs(1 / scales[0] + 3 / scales[1] - 1) < 1e-9
    shares = [n / 100 for n in range(1, 100)]
    assert noise <= min(2 * (1 / share) ** 2 + (3 / (1 - share)) ** 2 for share in shares) + 1e-9


def test_one_change_comes_before_two_and_the_less_noisy_one_before_the_other() -> None:
    changed = [set(item.values) for item in found(eps / (2 * a) + eps / b, fill=False)]
    assert changed[0] == {1}
    assert {0} not in changed, "the second scale alone costs all of eps"
    assert changed[-1] == {0, 1}


def test_what_is_no_sum_of_quotients_has_no_allocation() -> None:
    assert not found(1 / a**2 + 1 / b)
    assert not found(sympy.exp(1 / a) + 1 / b)


def test_nothing_is_left_for_noise() -> None:
    assert not found(eps + 1 / a + 1 / b)


def test_no_split_of_squares_on_a_grid_has_less_noise() -> None:
    """The variance of a draw of each site, over shares of ρ in steps of 1 %."""
    problem = Problem(1 / a**2 + 9 / b**2, eps, (a, b), (sympy.Integer(2), sympy.Integer(1)), True, power=2)
    best = next(allocations(problem, NAMES))
    ratios = dict(best.ratios)
    scales = [float(best.values[n].subs(ratios).subs(eps, 1)) for n in (0, 1)]
    noise = 2 * scales[0] ** 2 + scales[1] ** 2
    assert best.least and abs(1 / scales[0] ** 2 + 9 / scales[1] ** 2 - 1) < 1e-9
    for share in range(1, 100):
        assert noise <= 2 / (share / 100) + 9 / (1 - share / 100) + 1e-9
