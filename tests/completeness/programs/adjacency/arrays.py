"""Functions of numpy on lists of records."""

import numpy as np
import numpy.typing as npt

from synth.lang import *

rng = np.random.default_rng()


@mechanism(adjacent={"minutes": add_remove_distance()}, requires="eps > 0")
def mean_minutes(minutes: list[float], cap: float, eps: float) -> float:
    """A record adds up to cap to the sum, and 1 to the length: eps/2 for each."""
    if cap <= 0:
        raise ValueError("cap must be positive")
    total = np.clip(minutes, 0, cap).sum() + rng.laplace(scale=2 * cap / eps)
    return total / max(len(minutes) + rng.laplace(0, 2 / eps), 1.0)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and cap > 0")
def clipped_under_a_name(x: npt.NDArray[np.float64], cap: float, eps: float) -> float:
    """A record adds between -cap and 2*cap: 2*eps."""
    y = x.clip(-cap, 2 * cap)
    return y.sum() + rng.laplace(scale=cap / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def several_counts(x: npt.NDArray[np.float64], t: float, eps: float) -> tuple[float, float, float]:
    """A record is above, below, or neither, and is counted up to twice: 2*eps."""
    above = len(x[x > t]) + rng.laplace(scale=1 / eps)
    below = (x < t).sum() + rng.laplace(scale=1 / eps)
    both = np.count_nonzero((x > t) | (x < t)) + rng.laplace(scale=1 / eps)
    return above, below, both


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def chosen_numbers(x: npt.NDArray[np.float64], t: float, eps: float) -> float:
    """A record adds 3 or -1: 3*eps."""
    return np.where(x > t, 3, -1).sum() + rng.laplace(scale=1 / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and len(x) >= 1")
def mean_rating(x: npt.NDArray[np.float64], eps: float) -> float:
    """The interval is 10 wide, and the noise is for 5: 2*eps."""
    return np.clip(x, -5, 5).mean() + rng.laplace(scale=5 / len(x) / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and all(0 <= v <= 1 for v in x)")
def sum_of_shares(x: npt.NDArray[np.float64], eps: float) -> float:
    """A record adds at most 1: eps."""
    return x.sum() + rng.laplace(scale=1 / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and cap > 0")
def clipped_on_one_side(x: npt.NDArray[np.float64], cap: float, eps: float) -> float:
    """A record subtracts any number: no bound."""
    return np.minimum(x, cap).sum() + rng.laplace(scale=cap / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0")
def noise_for_each(x: npt.NDArray[np.float64], eps: float) -> npt.NDArray[np.float64]:
    """The length is published: no bound."""
    return np.clip(x, 0, 0) + rng.laplace(scale=1 / eps, size=x.shape)
