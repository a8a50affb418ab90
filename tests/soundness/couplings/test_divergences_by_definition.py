"""Rényi divergences of shifted noise, summed up term by term, against the ρ that its square stands for."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

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
