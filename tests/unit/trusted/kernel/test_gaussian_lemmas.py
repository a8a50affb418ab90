"""The lemmas behind [Norm] and [Tail], by rigorous numerics on grids."""

from __future__ import annotations

from itertools import product
from math import exp
from statistics import NormalDist

import flint
import pytest
from flint import arb

from synth.trusted.logic.arithmetic.gaussian_divergence import (
    discrete_divergence,
    divergence,
    enough,
    enough_of_integers,
    enough_of_reals,
)
from synth.trusted.logic.terms import read

SIGMAS = ("0.3", "0.7", "1", "2", "3.7", "10", "60")
EPSILONS = ("0", "0.1", "0.5", "1", "2", "5")
DISTANCES = ("0.5", "1", "2", "7")
HUGE = f"(* {' '.join([str(10**20) + '.0'] * 20)})"


@pytest.fixture(autouse=True)
def precision() -> None:
    flint.ctx.prec = 160


def _tail(sigma: arb, distance: arb, epsilon: arb) -> arb:
    """t: where the densities differ by exp(epsilon), in units of sigma."""
    return sigma * epsilon / distance - distance / (2 * sigma)


def _decay(sigma: arb, distance: arb, epsilon: arb) -> arb:
    """exp(-(sigma² epsilon² / distance² - epsilon) / 2), the closed form that the kernel uses."""
    return (-(sigma * sigma * epsilon * epsilon / (distance * distance) - epsilon) / 2).exp()


@pytest.mark.parametrize(("sigma", "epsilon", "distance"), list(product(SIGMAS, EPSILONS, DISTANCES)))
def test_closed_form_of_real_noise(sigma: str, epsilon: str, distance: str) -> None:
    values = arb(sigma), arb(distance), arb(epsilon)
    exact, t = divergence(*values), _tail(*values)
    if t >= 0:
        assert exact <= _decay(*values) / 2
    else:
        assert exact <= arb("0.5") + arb("0.4") * values[1] / (2 * values[0])


@pytest.mark.parametrize(("sigma", "epsilon", "distance"), list(product(SIGMAS, EPSILONS, (1, 2, 7))))
def test_closed_form_of_integer_noise(sigma: str, epsilon: str, distance: int) -> None:
    width, nats = arb(sigma), arb(epsilon)
    reach = int(60 * float(sigma)) + 60
    masses = {v: (-(arb(v) * v) / (2 * width * width)).exp() for v in range(-reach, reach + distance + 1)}
    total = sum(masses.values(), arb(0))
    lost = arb(0)
    for v in range(-reach, reach + 1):
        gain = masses[v] - nats.exp() * masses[v + distance]
        if gain > 0:
            lost += gain
    if _tail(width, arb(distance), nats) >= 0:
        assert lost / total <= _decay(width, arb(distance), nats) + arb("1e-30")
    found = discrete_divergence(width, distance, nats)
    assert abs(found - lost / total) <= arb("1e-30")
    assert found >= lost / total - arb("1e-40")


@pytest.mark.parametrize(
    ("sigma", "within", "epsilon", "delta", "verdict"),
    [
        ("3.74", "1.0", "1.0", "0.0000101", "true"),
        ("3.74", "1.0", "1.0", "0.00001", "false"),
        ("3.2", "1.0", "0.5", "0.01", "true"),
        ("3.2", "2.5", "0.5", "0.01", "false"),
        ("1.0", "0.9", "0.0", "0.0", "true"),
        ("1.0", "1.0", HUGE, "0.01", "true"),
        (HUGE, "1.0", "1.0", "0.01", "true"),
        (HUGE, HUGE, "1.0", "0.01", "false"),
        (f"(/ 1.0 {HUGE})", "1.0", "1.0", "0.99", "false"),
        ("(- 1.0)", "1.0", "1.0", "1.0", "false"),
    ],
)
def test_numbers_on_the_integers(sigma: str, within: str, epsilon: str, delta: str, verdict: str) -> None:
    (goal,) = enough_of_integers(*map(read, (sigma, within, epsilon, delta)))
    assert goal == verdict


@pytest.mark.parametrize(
    ("square", "epsilon", "delta", "verdict"),
    [
        ("(* 4.0 (/ 1.0 (* 7.4614 7.4614)))", "1.0", "0.00001", "true"),
        ("(* 4.0 (/ 1.0 (* 7.4612 7.4612)))", "1.0", "0.00001", "false"),
        ("(+ (/ 1.0 16.0) (/ 1.0 (* 2.3 2.3)))", "3.0", "0.00001", "true"),
        ("(/ 1.0 (* 2.0 (|log:1^| 125000.0)))", "1.0", "0.00001", "true"),
        ("1.0", "0.0", "0.3829", "false"),
        ("1.0", "0.0", "0.38293", "true"),
        ("(- 1.0)", "1.0", "1.0", "false"),
        ("1.0", "(- 1.0)", "1.0", "false"),
        (HUGE, "1.0", "0.99", "false"),
        (f"(/ 1.0 {HUGE})", "0.0", "0.01", "true"),
    ],
)
def test_numbers_on_the_reals(square: str, epsilon: str, delta: str, verdict: str) -> None:
    (goal,) = enough(*map(read, (square, epsilon, delta)))
    assert goal == verdict


@pytest.mark.parametrize(
    ("sigma", "within", "epsilon", "delta", "verdict"),
    [
        ("3.7307", "1.0", "1.0", "0.00001", "true"),
        ("3.7306", "1.0", "1.0", "0.00001", "false"),
        ("7.4614", "2.0", "1.0", "0.00001", "true"),
        ("(|sqrt:1^| 13.9182)", "1.0", "1.0", "0.00001", "true"),
        ("(|sqrt:1^| 13.917)", "1.0", "1.0", "0.00001", "false"),
        ("1.0", "1.0", "(- 1.0)", "1.0", "false"),
    ],
)
def test_numbers_of_one_real_draw(sigma: str, within: str, epsilon: str, delta: str, verdict: str) -> None:
    first, goal = enough_of_reals(*map(read, (sigma, within, epsilon, delta)))
    assert "<" in str(first), "the distance is positive"
    assert goal == verdict


@pytest.mark.parametrize("epsilon", [-0.5, 0.0, 0.3, 1.0, 2.5])
@pytest.mark.parametrize("later", [(0.6, 0.6), (0.6, 0.0), (0.0, 0.6), (0.2, 0.5)])
def test_steps_that_depend_on_the_first_draw(epsilon: float, later: tuple[float, float]) -> None:
    """A first draw moved by 0.8·sigma, and a second one by what its sign says: no more than one by sigma.

    Given the first draw w, the loss is normal; what exceeds epsilon is integrated over w.
    """
    normal, first, width = NormalDist(), 0.8, 1e-3
    total = 0.0
    for place in range(-9000, 9000):
        w = (place + 0.5) * width
        known, second = first * w + first * first / 2, later[w > 0]
        lost = max(0.0, 1 - exp(epsilon - known))
        if second:
            reach = (known - epsilon) / second + second / 2
            lost = normal.cdf(reach) - exp(epsilon - known) * normal.cdf(reach - second)
        total += normal.pdf(w) * width * lost
    bound = float(divergence(arb(1), arb(1), arb(epsilon)).mid())
    assert total <= bound + 1e-6
    if later == (0.6, 0.6):
        assert total == pytest.approx(bound, abs=1e-6)


def test_divergence_of_known_numbers() -> None:
    """Balle & Wang 2018: at epsilon = 1 and delta = 1e-5 the least sigma is 3.7306."""
    one = arb(1)
    assert divergence(arb("3.7307"), one, one) <= arb("1e-5")
    assert divergence(arb("3.7306"), one, one) > arb("1e-5")
