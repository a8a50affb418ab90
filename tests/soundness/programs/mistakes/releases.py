"""Releases, each with one mistake."""

from dataclasses import dataclass
import random

import numpy as np

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance("s")}, requires="eps > 0 and s > 0", epsilon="eps")
def wrong_sensitivity(x: float, s: float, eps: float) -> float:
    return laplace(3 * x, 2 * s / eps)


@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def same_noise_twice(x: float, y: float, eps: float) -> tuple[float, float]:
    z = laplace(0.0, 1 / eps)
    return x + z, y + z


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def skipped_on_one_side(x: int, eps: float) -> int:
    """No noise where the count is 0."""
    if x == 0:
        return 0
    return laplace(x, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def clipped_far_out(x: int, eps: float) -> int:
    """Beyond a thousand nothing is hidden."""
    if x > 1000:
        return 1000 + x
    return laplace(x, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def far_out_real(x: float, eps: float) -> float:
    """Values above 500 get less noise."""
    if x >= 500:
        return laplace(x, 1 / (2 * eps))
    return laplace(x, 1 / eps)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0", epsilon="eps/2")
def vector_half_claim(q: list[float], eps: float) -> list[float]:
    return laplace(q, scale=1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="len(q)*eps/2")
def each_entry(q: list[float], eps: float) -> list[float]:
    return [laplace(v, 1 / eps) for v in q]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="(len(q) - 1)*eps + eps/2")
def long_sum_claim(q: list[int], eps: float) -> list[int]:
    """len(q)*eps is needed; half an eps less is claimed."""
    out = []
    for v in q:
        out.append(laplace(v, 1 / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="8*eps")
def eight_at_most(q: list[int], eps: float) -> list[int]:
    """Right up to eight answers."""
    return [laplace(v, 1 / eps) for v in q]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n >= 0", epsilon="3")
def numbers_of_rounds(x: int, n: int) -> list[int]:
    """A third for each round, and no limit on their number."""
    out = []
    for i in range(n):
        out.append(laplace(x, 3))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def geometric_one_sided(x: int, eps: float) -> int:
    """A geometric draw on one side only."""
    return x + exponential(0, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="0 < p and p < 1", epsilon="-log(p)")
def geometric_numpy(x: int, p: float) -> int:
    """The difference of two geometric draws costs -log(1 - p)."""
    return x + np.random.geometric(p) - np.random.geometric(p)


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="eps > 0 and cap > 0", epsilon="eps")
def mean_of_records(minutes: list[float], cap: float, eps: float) -> float:
    """Sum and count both with all of eps."""
    total = sum(min(max(m, 0), cap) for m in minutes)
    return laplace(total, cap / eps) / max(laplace(len(minutes), 1 / eps), 1)


@mechanism(adjacent={"rows": change_one_distance()}, requires="eps > 0 and cap > 0", epsilon="eps")
def replaced_record(rows: list[float], cap: float, eps: float) -> float:
    """A record that is replaced moves a sum over -cap..cap by 2*cap."""
    total = sum(max(min(v, cap), -cap) for v in rows)
    return laplace(total, cap / eps)


@mechanism(adjacent={"rows": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def two_counts(rows: list[tuple[int, float]], eps: float) -> tuple[int, int]:
    """A record may be in both counts."""
    young = 0
    rich = 0
    for age, income in rows:
        if age < 30:
            young += 1
        if income > 100:
            rich += 1
    return laplace(young, 1 / eps), laplace(rich, 1 / eps)


@mechanism(
    adjacent={"votes": add_remove_distance()},
    requires="eps > 0 and all(v in ('a', 'b', 'c') for v in votes)",
    epsilon="eps",
)
def tally(votes: list[str], eps: float) -> dict[str, int]:
    """The last cell has no noise."""
    counts = {"a": 0, "b": 0, "c": 0}
    for v in votes:
        counts[v] += 1
    return {"a": laplace(counts["a"], 1 / eps), "b": laplace(counts["b"], 1 / eps), "c": counts["c"]}


@mechanism(
    adjacent={"votes": change_one_distance()},
    requires="eps > 0 and all(0 <= v < 3 for v in votes)",
    epsilon="eps",
)
def histogram_replaced(votes: list[int], eps: float) -> list[int]:
    """Replacing one record moves two cells."""
    cells = [0, 0, 0]
    for v in votes:
        cells[v] += 1
    return [laplace(c, 1 / eps) for c in cells]


@mechanism(
    adjacent={"votes": add_remove_distance()},
    requires="eps > 0 and all(0 <= v < 4 for v in votes)",
    epsilon="eps",
)
def histogram_early(votes: list[int], eps: float) -> list[int]:
    """It stops at the first cell that is truly empty."""
    out = []
    for cell in range(4):
        count = sum(1 for v in votes if v == cell)
        if count == 0:
            break
        out.append(laplace(count, 1 / eps))
    return out


@dataclass
class Counter:
    eps: float

    def noisy(self, value: int) -> int:
        return laplace(value, 1 / self.eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def by_a_class(x: int, eps: float) -> int:
    """Two answers of one object, added up, each with all of eps."""
    counter = Counter(eps)
    return counter.noisy(x) + counter.noisy(x)


@mechanism(adjacent={"q": l2_distance(1)}, requires="len(q) == 4", zcdp="1/4")
def l2_gauss(q: list[float]) -> list[float]:
    """sigma = 1 gives rho = 1/2."""
    return [gaussian(v, 1) for v in q]


@mechanism(adjacent={"q": l2_distance(1)}, requires="eps > 0", epsilon="eps")
def l2_laplace(q: list[float], eps: float) -> list[float]:
    """Laplace noise for an l2 distance."""
    return [laplace(v, 1 / eps) for v in q]


@mechanism(adjacent={"x": absolute_distance(1)}, requires="mu > 0", gdp="mu")
def gauss_mu(x: float, mu: float) -> float:
    return gaussian(x, 1 / (2 * mu))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="rho > 0", zcdp="rho")
def gauss_rho(x: int, rho: float) -> int:
    """sigma² = 1/(2 rho) is needed; the square root is missing."""
    return gaussian(x, 1 / (2 * rho))


@mechanism(adjacent={"q": linf_distance(1)}, requires="rho > 0 and len(q) > 0", zcdp="rho")
def gauss_rho_list(q: list[float], rho: float) -> list[float]:
    """Each entry gets the noise of one."""
    return [gaussian(v, sqrt(1 / (2 * rho))) for v in q]


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="0 < eps and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def gauss_log(x: float, eps: float, delta: float) -> float:
    """sqrt(log(1.25/delta))/eps: the 2 is missing."""
    return gaussian(x, sqrt(log(1.25 / delta)) / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1", delta="0.00001")
def gauss_small(x: float) -> float:
    return gaussian(x, 3.5)


@mechanism(
    adjacent={"x": absolute_distance(1)},
    requires="eps > 0 and 0 < delta and delta < 1",
    epsilon="eps",
    delta="delta",
)
def release_if_large(x: int, eps: float, delta: float) -> int | None:
    """The threshold is a half of log(1/delta)/eps, and 1 is to be added."""
    if x > 0:
        y = laplace(x, 1 / eps)
        if y > log(1 / delta) / (2 * eps):
            return y
    return None


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1/2", delta="0.001")
def laplace_delta(x: float) -> float:
    return laplace(x, 1.9)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def float_noise_on_int(x: int, eps: float) -> float:
    """Rounding down to an even number moves it by 2."""
    half = x // 2
    return 2 * half + laplace(0.0, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0.3")
def eps_as_number(x: int) -> int:
    return laplace(x, 3)
