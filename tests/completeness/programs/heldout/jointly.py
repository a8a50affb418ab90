"""Several uses of Gaussian noise that together need less than the sum of what each needs."""

from synth.lang import *
from math import log, sqrt


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def four_releases(x: float) -> tuple[float, float, float, float]:
    """As good as one with half of sigma: the least one for this claim is 3.73063..."""
    a = gaussian(x, 7.4614)
    b = gaussian(x, 7.4614)
    c = gaussian(x, 7.4614)
    d = gaussian(x, 7.4614)
    return a, b, c, d


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=3, delta=1e-5)
def unlike_sigmas(x: float) -> tuple[float, float]:
    """As good as one with sigma 1.9939."""
    return gaussian(x, 4), gaussian(x, 2.3)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def ten_rounds(x: float) -> list[float]:
    """The sum of squares is that of one release with sigma 3.7307."""
    out = []
    for _ in range(10):
        out.append(gaussian(x, sqrt(10) * 3.7307))
    return out


@mechanism(
    adjacent={"x": absolute_distance("Delta")},
    requires="n >= 1 and Delta > 0 and 0 < eps and eps <= 1 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def any_number_of_rounds(x: float, n: int, Delta: float, eps: float, delta: float) -> list[float]:
    """The classical calibration, times the root of the number of releases."""
    out = []
    for _ in range(n):
        out.append(gaussian(x, sqrt(n) * Delta * sqrt(2 * log(1.25 / delta)) / eps))
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="len(q) >= 1 and 0 < eps and eps <= 1 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def whole_vector(q: list[float], eps: float, delta: float) -> list[float]:
    """All entries differ: the l2 distance is the root of their number."""
    return gaussian(q, sqrt(len(q)) * sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def one_sharp_or_two(x: float) -> list[float]:
    """What is drawn next depends on what was released, and the sum of squares does not."""
    out = []
    first = gaussian(x, 2 * 3.7307)
    out.append(first)
    if first > 0:
        out.append(gaussian(x, 2 * 3.7307 / sqrt(3)))
    else:
        out.append(gaussian(x, 2 * 3.7307 / sqrt(2)))
        out.append(gaussian(x, 2 * 3.7307))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def twice_as_far(x: float) -> tuple[float, float]:
    """Distances 1 and 2: the squares sum up to 5."""
    return gaussian(x, sqrt(5) * 3.7307), gaussian(2 * x, sqrt(5) * 3.7307)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="1 + eps", delta=1e-5)
def beside_laplace(x: float, eps: float) -> list[float]:
    """The count of a loop of Gaussian noise between Laplace noise."""
    out = []
    for _ in range(4):
        out.append(gaussian(x, 7.4614))
        out.append(laplace(x, 4 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1), "q": linf_distance(1)}, requires="eps > 0", epsilon="1 + eps", delta=1e-5)
def between_parts(q: list[int], t: int, x: float, eps: float) -> tuple[float, int, float]:
    """Above threshold with its guards, and Gaussian noise before and behind."""
    before = gaussian(x, sqrt(2) * 3.7307)
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    behind = gaussian(x, sqrt(2) * 3.7307)
    return before, result, behind


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1, delta=1e-5)
def released_until_positive(x: float) -> float:
    """At most ten times, as the noise says."""
    y = gaussian(x, sqrt(10) * 3.7307)
    n = 1
    while y <= 0 and n < 10:
        y = gaussian(x, sqrt(10) * 3.7307)
        n = n + 1
    return y
