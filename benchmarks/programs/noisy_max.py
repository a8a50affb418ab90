"""Private selection: the candidate with the largest noisy score."""

from synth.lang import *


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 0")
def exponential_by_noise(score: Callable[[int], int], n: int, eps: float) -> int:
    """The exponential mechanism on candidates 1..n, by one-sided noise.

    Barthe et al. 2016, Figure 5.  Returns 0 when there is no candidate.
    """
    winner = 0
    best = 0
    for r in range(1, n + 1):
        noisy = exponential(score(r), scale=2 / eps)
        if noisy > best or r == 1:
            winner = r
            best = noisy
    return winner


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 0")
def exponential_by_noise_real(score: Callable[[int], float], n: int, eps: float) -> int:
    """The exponential mechanism on candidates 1..n with real scores, by one-sided noise."""
    winner = 0
    best = 0.0
    for r in range(1, n + 1):
        noisy = exponential(score(r), scale=2 / eps)
        if noisy > best or r == 1:
            winner = r
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def report_noisy_max(q: list[int], eps: float) -> int:
    """Index of the largest answer after two-sided noise (0 for an empty list)."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def report_noisy_max_real(q: list[float], eps: float) -> int:
    """Index of the largest real answer after two-sided noise (0 for an empty list)."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0")
def report_noisy_max_monotone(q: list[int], eps: float) -> int:
    """Noisy max for counts: adding a record moves all answers the same way, so half the noise does."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=1 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0")
def report_noisy_max_monotone_real(q: list[float], eps: float) -> int:
    """Noisy max for real answers that all move the same way."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=1 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner
