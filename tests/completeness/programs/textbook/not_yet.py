"""Mechanisms of textbooks that have no proof yet, or none of their least bound."""

from synth.lang import *


@mechanism(
    adjacent={"x": absolute_distance(1)}, requires="eps > 0 and 0 < p < 1", epsilon="log(1 + p*(exp(eps) - 1))"
)
def subsampled_laplace(x: float, p: float, eps: float) -> float:
    """Amplification by sampling: the value is used with chance p."""
    u = min(max(x, 0), 1)
    return laplace(u if bernoulli(p) else 0.0, 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
def winner_with_its_lead(q: list[float], eps: float) -> tuple[int, float]:
    """Noisy max with the gap to the runner-up (Ding, Wang, Xiao, Kifer & Zhang)."""
    best, top, second = 0, 0.0, 0.0
    for i in range(len(q)):
        y = laplace(q[i], 2 / eps)
        if i == 0:
            top = y
        elif y > top:
            best, top, second = i, y, top
        elif i == 1 or y > second:
            second = y
    return best, top - second
