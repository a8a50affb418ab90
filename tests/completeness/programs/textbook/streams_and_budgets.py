"""Mechanisms of textbooks on streams, trees and budgets that are kept by the program."""

from synth.lang import absolute_distance, change_one_distance, laplace, linf_distance, mechanism


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and a < b and len(x) > 0")
def average_between_bounds(x: list[float], a: float, b: float, eps: float) -> float:
    s = 0.0
    for v in x:
        s += max(a, min(v, b))
    mean = s / len(x)
    return laplace(mean, (b - a) / (len(x) * eps))


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0")
def sums_of_three(x: list[float], eps: float) -> list[float]:
    out = []
    for i in range(2, len(x)):
        out.append(laplace(x[i] + x[i - 1] + x[i - 2], 3 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def budget_in_a_variable(x: float, eps: float) -> tuple[float, float, float]:
    """Half of what is left, half of what is left then, and the rest."""
    left = eps
    mine = left / 2
    a = laplace(x, 1 / mine)
    left -= mine
    mine = left / 2
    b = laplace(x, 1 / mine)
    left -= mine
    return a, b, laplace(x, 1 / left)


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0")
def monitor_that_restarts(x: list[int], eps: float) -> list[bool]:
    """After each alarm a new threshold; an entry is in one of the epochs."""
    out = []
    c = 0
    t = laplace(8, 2 / eps)
    for v in x:
        c = max(c, v)
        if laplace(c, 4 / eps) > t:
            out.append(True)
            c = 0
            t = laplace(8, 2 / eps)
        else:
            out.append(False)
    return out


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0")
def decayed_sum_above_threshold(x: list[float], bar: float, eps: float) -> int:
    """What an entry adds is halved in each step: all noisy sums together cost 2 * eps/4."""
    t = laplace(bar, 2 / eps)
    s = 0.0
    for i in range(len(x)):
        s = x[i] - s / 2
        if laplace(s, 4 / eps) > t:
            return i
    return -1


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) == 4")
def tree_of_four(q: list[float], eps: float) -> tuple[float, float, float, float, float, float]:
    """Each entry is in one sum of two and in one of one: two draws move."""
    left = laplace(q[0] + q[1], 1 / eps)
    right = laplace(q[2] + q[3], 1 / eps)
    a = laplace(q[0], 1 / eps)
    b = laplace(q[1], 1 / eps)
    c = laplace(q[2], 1 / eps)
    d = laplace(q[3], 1 / eps)
    return left, right, a, b, c, d


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and len(q) == 4", epsilon="eps")
def haar_coefficients(q: list[float], eps: float) -> tuple[float, float, float, float]:
    """Xiao, Wang & Gehrke 2010: each entry is in three coefficients, and the noise of each has its weight."""
    scale = 3 / eps
    base = laplace((q[0] + q[1] + q[2] + q[3]) / 4, scale / 4)
    top = laplace((q[0] + q[1] - q[2] - q[3]) / 4, scale / 4)
    left = laplace(0.5 * (q[0] - q[1]), scale / 2)
    right = laplace((q[2] - q[3]) / 2, scale / 2)
    return base, top, left, right


@mechanism(adjacent={"x": linf_distance(1)}, requires="eps > 0")
def scales_that_grow_in_a_while(x: list[float], eps: float) -> list[float]:
    out = []
    i = 0
    while i < len(x):
        out.append(laplace(x[i], (i + 1) * (i + 1) / eps))
        i += 1
    return out
