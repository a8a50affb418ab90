"""Above threshold: which query is the first to be noisily above a noisy threshold?"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above_threshold(q: list[int], t: int, eps: float) -> int:
    """Index of the first query noisily above t, or len(q).

    Barthe et al. 2016, Figure 1; the loop runs on after the first hit.
    """
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above_threshold_real(q: list[float], t: float, eps: float) -> int:
    """Index of the first real query noisily above t, or len(q)."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above_threshold_fresh(q: list[int], t: int, eps: float) -> tuple[int, int | None]:
    """The first query above t, and its answer with noise of its own.

    Barthe et al. 2016, section 6: releasing the value is fine as long as its noise is fresh.
    """
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    value = None
    if result < len(q):
        value = laplace(q[result], scale=1 / eps)
    return (result, value)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above_threshold_fresh_real(q: list[float], t: float, eps: float) -> tuple[int, float | None]:
    """The first real query above t, and its answer with noise of its own."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
    value = None
    if result < len(q):
        value = laplace(q[result], scale=1 / eps)
    return (result, value)
