"""Above threshold, published wrong."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above_threshold_value(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """Releases the very noisy value that crossed the threshold, with its index.

    Barthe et al. 2016, Figure 6.  (The figure returns the value alone, which hides how many
    queries were below; it's the pair that leaks without bound.)
    """
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    value = 0
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
            value = answer
    return (result, value)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above_threshold_value_real(q: list[float], t: float, eps: float) -> tuple[int, float]:
    """Releases the very noisy value that crossed the threshold, with its index, on reals."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    value = 0.0
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
            value = answer
    return (result, value)
