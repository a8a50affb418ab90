"""Scales of noise that an answer before them chose: clipping to a noisy bound, budgets by a noisy count."""

import numpy as np

from synth.lang import absolute_distance, add_remove_distance, change_one_distance, laplace, mechanism


@mechanism(adjacent={"xs": add_remove_distance(1)}, requires="eps > 0", epsilon="2*eps")
def clipped_to_a_noisy_count(xs: list[float], eps: float) -> float:
    many = sum(1 for v in xs if v > 5) + laplace(0.0, 1 / eps)
    bound = max(0.1, many)
    total = sum(max(0.0, min(v, bound)) for v in xs)
    return total + laplace(0.0, bound / eps)


@mechanism(adjacent={"xs": add_remove_distance(1)}, requires="eps > 0 and cap > 0", epsilon="2*eps")
def doubled_where_many_are_clipped(xs: list[float], cap: float, eps: float) -> float:
    over = sum(1 for v in xs if v > cap) + laplace(0.0, 1 / eps)
    bound = 2 * cap if over > 10 else cap
    total = sum(max(0.0, min(v, bound)) for v in xs)
    return total + laplace(0.0, bound / eps)


@mechanism(adjacent={"incomes": change_one_distance()}, requires="epsilon > 0", epsilon="epsilon")
def largest_then_sum(incomes: list[float], start: float, epsilon: float) -> tuple[float, float]:
    high = start
    if len(incomes) > 0:
        high = max(min(1.0, max(0.0, v)) for v in incomes)
    width = high + np.random.laplace(0, 4 / epsilon)
    if width < 0.5:
        width = 0.5
    s = 0.0
    for v in incomes:
        s += min(width, max(0.0, v))
    return width, s + np.random.laplace(0, 4 * width / (3 * epsilon))


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def more_noise_for_more(a: float, b: float, eps: float) -> float:
    first = a + laplace(0.0, 1 / eps)
    scale = max(1.0, first) / eps
    return laplace(b, scale)


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def less_noise_for_less(a: float, b: float, eps: float) -> float:
    first = a + laplace(0.0, 1 / eps)
    scale = min(1.0, max(0.5, first)) / eps
    return laplace(b, scale)


@mechanism(adjacent={"a": absolute_distance(1), "b": absolute_distance(1)}, requires="eps > 0", epsilon="2*eps")
def noise_for_what_is_not_told(a: float, b: float, eps: float) -> tuple[float, float]:
    first = a + laplace(0.0, 1 / eps)
    scale = max(1.0, a) / eps
    return first, laplace(b, scale)


@mechanism(adjacent={"xs": add_remove_distance(1)}, requires="eps > 0", epsilon="2*eps")
def clipped_to_more_than_counted(xs: list[float], eps: float) -> float:
    many = sum(1 for v in xs if v > 5) + laplace(0.0, 1 / eps)
    bound = max(0.1, many)
    total = sum(max(0.0, min(v, 2 * bound)) for v in xs)
    return total + laplace(0.0, bound / eps)
