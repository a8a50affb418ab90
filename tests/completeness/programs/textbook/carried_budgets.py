"""Budgets that a loop halves, or takes its shares from; two of them are wrong."""

from synth.lang import absolute_distance, laplace, mechanism


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1")
def half_of_what_is_left(x: float, n: int, eps: float) -> list[float]:
    """An infinite stream: eps/2, eps/4, and so on."""
    out = []
    e = eps
    for i in range(n):
        e = e / 2
        out.append(laplace(x, 1 / e))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def shares_and_the_rest(x: float, n: int, eps: float) -> list[float]:
    out = []
    left = eps
    for i in range(n):
        share = left / 2
        out.append(x + laplace(0.0, 1 / share))
        left = left - share
    out.append(laplace(x, 1 / left))
    return out


@mechanism(adjacent={"x": absolute_distance("D")}, requires="eps > 0 and D > 0", epsilon="eps")
def countdown(x: float, n: int, D: float, eps: float) -> list[float]:
    out = []
    e = eps / 2
    while n > 0:
        out.append(laplace(x, D / e))
        e *= 0.5
        n -= 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 2", epsilon="eps")
def halved_too_late(x: float, n: int, eps: float) -> list[float]:
    """The first answer takes all of the budget: nearly 2*eps."""
    out = []
    e = eps
    for i in range(n):
        out.append(laplace(x, 1 / e))
        e = e / 2
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 1", epsilon="eps")
def three_quarters_are_kept(x: float, n: int, eps: float) -> list[float]:
    """Half of the budget each time, of which only a quarter is taken off."""
    out = []
    left = eps
    for i in range(n):
        out.append(laplace(x, 2 / left))
        left = left * 0.75
    return out
