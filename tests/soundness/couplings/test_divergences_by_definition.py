"""Rényi divergences of shifted noise, summed up term by term, against the ρ that its square stands for."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from synth.trusted.logic.arithmetic.concentration import enough_of_concentrated
from synth.trusted.logic.terms import REAL, number

ORDERS = (1.01, 1.5, 2.0, 4.0, 16.0, 64.0)
REACH = 400
"""Beyond it noise of these scales has less than 1e-40 of its mass, and the densities' ratio is the same."""


def _laplace(scale: float) -> Callable[[int], float]:
    return lambda place: -abs(place) / scale


def _gaussian(sigma: float) -> Callable[[int], float]:
    return lambda place: -(place**2) / (2 * sigma**2)


def _renyi(log_mass: Callable[[int], float], step: int, order: float) -> float:
    """D_α of noise from the same noise moved by ``step``, in nats; ``log_mass`` needn't be normalised."""
    places = range(-REACH, REACH + 1)
    total = math.log(math.fsum(math.exp(log_mass(place)) for place in places))
    exponents = [order * log_mass(place) + (1 - order) * log_mass(place - step) for place in places]
    most = max(exponents)
    inner = most + math.log(math.fsum(math.exp(item - most) for item in exponents))
    return (inner - total) / (order - 1)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("step", [1, 2, 5])
@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("noise", [_laplace, _gaussian], ids=["laplace", "gaussian"])
def test_a_square_is_twice_rho(
    noise: Callable[[float], Callable[[int], float]], scale: float, step: int, order: float
) -> None:
    """Sums over integers: on the reals the noise is their limit for large scales."""
    assert _renyi(noise(scale), step, order) <= (step / scale) ** 2 / 2 * order + 1e-9


def test_half_of_the_square_is_too_little() -> None:
    assert _renyi(_gaussian(4.0), 1, 2.0) > (1 / 4.0) ** 2 / 4 * 2


def _choice(rate: float, scores: tuple[float, ...]) -> list[float]:
    """The logarithms of the chances."""
    total = math.log(math.fsum(math.exp(rate * score) for score in scores))
    return [rate * score - total for score in scores]


def _renyi_of(one: list[float], other: list[float], order: float) -> float:
    exponents = [order * p + (1 - order) * q for p, q in zip(one, other, strict=True)]
    most = max(exponents)
    return (most + math.log(math.fsum(math.exp(item - most) for item in exponents))) / (order - 1)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rate", [0.1, 0.7, 2.0])
def test_a_choice_by_scores_counts_a_square(rate: float, order: float) -> None:
    """The logarithms of the ratios lie in an interval as wide as what scores move against each other."""
    for scores in ((0.0, 0.0), (0.0, 1.0), (-0.5, 0.5, 0.0), (3.0, 0.0, 0.0, -1.0)):
        for moves in product((-1.0, 0.25, 1.0), repeat=len(scores)):
            moved = tuple(score + move for score, move in zip(scores, moves, strict=True))
            width = rate * (max(moves) - min(moves))
            found = _renyi_of(_choice(rate, scores), _choice(rate, moved), order)
            assert found <= (width / 2) ** 2 / 2 * order + 1e-9


def test_less_than_the_square_of_a_choice_is_too_little() -> None:
    one, other = _choice(0.02, (0.5, -0.5)), _choice(0.02, (-0.5, 0.5))
    assert _renyi_of(one, other, 1.01) > 0.98 * (0.04 / 2) ** 2 / 2 * 1.01


def _lost(log_masses: list[Callable[[int], float]], epsilon: float, reach: int) -> float:
    """The least δ at ε for several draws, all of them moved by 1: a sum over what they can be together."""
    losses = {0.0: 1.0}
    for log_mass in log_masses:
        places = range(-reach, reach + 1)
        total = math.fsum(math.exp(log_mass(place)) for place in places)
        steps = [
            (log_mass(place) - log_mass(place - 1), math.exp(log_mass(place)) / total) for place in places
        ]
        found: dict[float, float] = {}
        for loss, mass in losses.items():
            for step, chance in steps:
                key = round(loss + step, 9)
                found[key] = found.get(key, 0.0) + mass * chance
        losses = found
    return math.fsum(mass * -math.expm1(epsilon - loss) for loss, mass in losses.items() if loss > epsilon)


def _is_enough(square: float, epsilon: float, delta: float) -> bool:
    goals = enough_of_concentrated(*(number(Fraction(item), REAL) for item in (square, epsilon, delta)))
    return goals == ["true"]


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 2.5])
@pytest.mark.parametrize(
    "scales",
    [[_laplace(2.0)] * 3, [_gaussian(2.0)] * 3, [_gaussian(1.5), _laplace(3.0)], [_laplace(0.7)]],
    ids=["laplace", "gaussian", "both", "one"],
)
def test_a_rho_is_worth_no_less_than_what_is_lost(
    scales: list[Callable[[int], float]], epsilon: float
) -> None:
    squares = {-1 / 2.0: 1 / 4, -1 / 8.0: 1 / 4, -1 / 4.5: 1 / 2.25, -1 / 3.0: 1 / 9, -1 / 0.7: 1 / 0.49}
    square = sum(squares[scale(1)] for scale in scales)
    lost = _lost(scales, epsilon, 40)
    assert not _is_enough(square, epsilon, lost * 0.999)
    assert _is_enough(square, epsilon, 1.0)


def _least(square: float, epsilon: float) -> float:
    """The δ of the best α on a fine grid (Canonne, Kamath & Steinke 2020, Prop. 7)."""
    rho = square / 2
    orders = (1 + 10 ** (place / 1000) for place in range(-3000, 3500))
    return min(
        math.exp((order - 1) * (order * rho - epsilon) + order * math.log1p(-1 / order)) / (order - 1)
        for order in orders
        if (order - 1) * (order * rho - epsilon) < 600
    )


@pytest.mark.parametrize("square", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_best_order_is_found(square: float, epsilon: float) -> None:
    least = _least(square, epsilon)
    assert _is_enough(square, epsilon, least * 1.001) and not _is_enough(square, epsilon, least * 0.999)
