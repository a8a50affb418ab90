"""The best of several, one after the other: what is found is taken off the list."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and 1 <= k <= len(q)", epsilon="eps")
def peeling_by_scores(q: list[float], k: int, eps: float) -> list[int]:
    """The k best of several, one after the other: what is chosen is taken off the list."""
    left = list(range(len(q)))
    out = []
    for _ in range(k):
        j = exponential_mechanism(len(left), lambda r: q[left[r]], eps / k, 1)
        out.append(left[j])
        left.pop(j)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 3", epsilon="eps")
def peeling_at_the_price_of_one(q: list[float], eps: float) -> list[int]:
    """Each of three rounds has the whole budget."""
    left = list(range(len(q)))
    out = []
    for _ in range(3):
        j = exponential_mechanism(len(left), lambda r: q[left[r]], eps, 1)
        out.append(left.pop(j))
    return out
