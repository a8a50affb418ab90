"""Records that are clipped by their size, as gradients are."""

import numpy as np
import numpy.typing as npt

from synth.lang import add_remove_distance, change_one_distance, laplace, mechanism


@mechanism(adjacent={"gs": add_remove_distance()}, requires="eps > 0 and c > 0", epsilon="eps")
def divided_by_the_excess(gs: list[float], c: float, eps: float) -> float:
    total = 0.0
    for g in gs:
        norm = abs(g)
        total += g / max(1, norm / c)
    return total + np.random.laplace(0, c / eps)


def clip(value: float, limit: float) -> float:
    scale = min(1.0, limit / (abs(value) + 1e-6))
    return value * scale


@mechanism(adjacent={"gs": add_remove_distance()}, requires="eps > 0 and c > 0", epsilon="eps")
def scaled_by_a_helper(gs: list[float], c: float, eps: float) -> float:
    return sum(clip(g, c) for g in gs) + np.random.laplace(0, c / eps)


@mechanism(adjacent={"gs": add_remove_distance()}, requires="eps > 0 and c > 0", epsilon="eps")
def rescaled_in_a_branch(gs: list[float], c: float, eps: float) -> float:
    total = 0.0
    for g in gs:
        if abs(g) > c:
            g = g * (c / abs(g))
        total += g
    return laplace(total, c / eps)


@mechanism(adjacent={"gs": change_one_distance()}, requires="eps > 0 and c > 0", epsilon="eps")
def by_entry(gs: npt.NDArray[np.float64], c: float, eps: float) -> float:
    clipped = gs / np.maximum(1, np.abs(gs) / c)
    return clipped.sum() + np.random.laplace(0, 2 * c / eps)


@mechanism(adjacent={"gs": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def to_a_number(gs: list[float], eps: float) -> float:
    return laplace(sum([g / max(1, abs(g) / 5) for g in gs]), 5 / eps)


@mechanism(adjacent={"gs": add_remove_distance()}, requires="eps > 0 and c > 0", epsilon="eps")
def clipped_from_above_only(gs: list[float], c: float, eps: float) -> float:
    """What is far below 0 stays as it is."""
    total = 0.0
    for g in gs:
        total += g / max(1, g / c)
    return total + np.random.laplace(0, c / eps)
