"""Noise whose scale changes from one iteration to the next: what the loop counts decides it."""

from math import sqrt

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n >= 1", epsilon="2*eps")
def falling(q: Callable[[int], float], n: int, eps: float) -> list[float]:
    """Less and less noise; 1/sqrt(1) + ... + 1/sqrt(n) is at most 2*sqrt(n)."""
    out = []
    for i in range(n):
        out.append(laplace(q(i), scale=sqrt(n * (n - i)) / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="2*eps")
def rising(q: list[int], eps: float) -> list[int]:
    """More and more noise, on integers."""
    out = []
    for i in range(len(q)):
        spread = sqrt(len(q) * (i + 1)) / eps
        out.append(laplace(q[i], scale=spread))
    return out


@mechanism(adjacent={"q": linf_distance("b")}, requires="eps > 0 and n >= 1 and b > 0", epsilon="2*b*eps")
def rising_until(q: Callable[[int], float], b: float, n: int, t: float, eps: float) -> list[float]:
    """The same with an early end, and a private branch on what is drawn."""
    out = []
    for i in range(n):
        x = laplace(q(i), scale=sqrt(i + 1) * sqrt(n) / eps)
        out.append(x)
        if x > t:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def squares(q: list[float], eps: float) -> list[float]:
    """1 + 1/4 + 1/9 + ... is below 2."""
    out = []
    for i, x in enumerate(q):
        out.append(laplace(x, scale=(i + 1) * (i + 1) / eps))
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="eps > 0 and n >= 1 and c > 0",
    epsilon="2*eps/c + eps",
)
def two_phases(q: Callable[[int], float], n: int, c: float, eps: float) -> list[float]:
    """Weights as in the vertex cover, w = c/eps*sqrt(n/(n - i)); and then noise of one scale."""
    out = []
    for i in range(n):
        w = c / eps * sqrt(n / (n - i))
        out.append(laplace(q(i), scale=(n - i) * w))
    for i in range(n):
        out.append(laplace(q(i), scale=n / eps))
    return out


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def once(q: list[float], eps: float) -> list[float]:
    """The distance may all be spent where the scale is smallest."""
    out = []
    for i in range(len(q)):
        out.append(laplace(q[i], scale=(i + 1) / eps))
    return out
