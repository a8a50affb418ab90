"""False claims about several uses of Gaussian noise: what a wrong rule for all of them together would prove."""

from synth.lang import *
from math import log, sqrt


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def four_releases_slightly_too_sharp(x: float) -> list[float]:
    """The sum of squares is that of one release with sigma 3.73; it needs 3.73063."""
    out = []
    for _ in range(4):
        out.append(gaussian(x, 7.46))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def five_releases(x: float) -> list[float]:
    """One more than sigma is for."""
    out = []
    for _ in range(5):
        out.append(gaussian(x, 7.4614))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def until_a_coin_falls(x: float) -> list[float]:
    """Two releases on average, but any number of them."""
    out = []
    again = True
    while again:
        out.append(gaussian(x, sqrt(2) * 3.7307))
        again = bernoulli(1 / 2)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def until_positive(x: float) -> int:
    """The noise itself says how often it is used."""
    y = gaussian(x, 3.7307)
    n = 1
    while y <= 0:
        y = gaussian(x, 3.7307)
        n = n + 1
    return n


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def farther_if_it_pays(x: float) -> tuple[float, float]:
    """The distance depends on what was released: on average the squares sum up to 1 + (0 + 4)/2, at most to 5."""
    first = gaussian(x, sqrt(3) * 3.7307)
    second = gaussian(2 * x if first > 0 else 0, sqrt(3) * 3.7307)
    return first, second


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def sharper_if_it_pays(x: float) -> list[float]:
    """One of two branches has less noise than the other; the claim is for the other."""
    out = []
    first = gaussian(x, sqrt(2) * 3.7307)
    out.append(first)
    if first > 0:
        out.append(gaussian(x, 3.7307))
    else:
        out.append(gaussian(x, sqrt(2) * 3.7307))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def as_often_as_the_secret_says(x: int) -> list[float]:
    """The number of releases is private."""
    out = []
    i = 0
    while i < 4:
        if i < x:
            out.append(gaussian(0.0, 7.4614))
        i = i + 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def moved_by_its_own_noise(x: float) -> tuple[bool, float]:
    """Whether the same noise, seen a second time, agrees with the first release."""
    y = gaussian(x, 3.7307)
    return y - x > 0, y


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def noise_used_twice(x: float) -> tuple[float, float]:
    """One draw around 0 hides two different values."""
    noise = gaussian(0.0, 7.4614)
    return x + noise, 2 * x + noise


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def laplace_for_nothing(x: float) -> tuple[float, float]:
    """The Gaussian noise takes the whole claim already."""
    return gaussian(x, 3.7307), laplace(x, 10)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="s > 0", epsilon="1/s", delta=1e-5)
def sigma_for_any_epsilon(x: float, s: float) -> float:
    """A sigma in proportion to 1 / epsilon is no calibration for large epsilon."""
    return gaussian(x, 3.7307 * s)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="n >= 0 and 0 < eps and eps <= 1 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def one_more_round(x: float, n: int, eps: float, delta: float) -> list[float]:
    """n + 1 releases with noise for n; with n = 0 the last one has none to speak of."""
    out = []
    for _ in range(n + 1):
        out.append(gaussian(x, sqrt(n + 1 / 1000) * sqrt(2 * log(1.25 / delta)) / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, epsilon=1, delta=1e-5)
def mixed_sorts(x: float, y: int) -> tuple[float, int]:
    """Each of the two, on reals and on integers, takes the whole claim."""
    return gaussian(x, 3.7307), gaussian(y, 5)


@mechanism(adjacent={"x": absolute_distance(1), "c": absolute_distance(1)}, epsilon="1", delta="0.00001")
def tail_and_noise(x: float, c: int) -> tuple[float, int]:
    """The noise takes the delta that the tail would need."""
    noisy = laplace(c, 1)
    shown = noisy if noisy > 13 else 0
    return gaussian(x, 3.7307), shown
