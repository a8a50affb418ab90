"""One record of a list of public length is replaced by another: what the program clips to bounds the change."""

from synth.lang import *


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and hi > lo")
def clipped_sum(x: list[float], lo: float, hi: float, eps: float) -> float:
    """The sum moves by at most hi - lo: eps."""
    total = 0.0
    for v in x:
        total += min(max(v, lo), hi)
    return laplace(total, (hi - lo) / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0")
def clipped_to_numbers(x: list[int], eps: float) -> int:
    """The sum moves by at most 70: 2*eps."""
    total = 0
    for v in x:
        total += min(max(v, -10), 60)
    return laplace(total, 35 / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0")
def count_above(x: list[float], eps: float) -> int:
    """The count moves by at most 1: eps."""
    count = 0
    for v in x:
        if v > 10:
            count += 1
    return laplace(count, 1 / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0")
def clipped_sizes(x: list[float], b: float, eps: float) -> float:
    """Each summand is in [0, b]: eps."""
    total = 0.0
    for v in x:
        total += min(abs(v), b)
    return laplace(total, b / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0")
def count_truths(x: list[bool], eps: float) -> int:
    """The count moves by at most 1: eps."""
    count = 0
    for v in x:
        if v:
            count += 1
    return laplace(count, 1 / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0", epsilon="eps")
def clipped_with_too_little_noise(x: list[int], eps: float) -> int:
    """From -10 to 60 are 70, not 60: false."""
    total = 0
    for v in x:
        total += min(max(v, -10), 60)
    return laplace(total, 60 / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0", epsilon="eps")
def not_clipped(x: list[int], eps: float) -> int:
    """The sum moves by any amount: no bound."""
    total = 0
    for v in x:
        total += v
    return laplace(total, 70 / eps)
