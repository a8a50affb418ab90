"""Noisy max over a function's values, in while loops whose length is a public parameter.

Paying for every candidate and paying twice for the winner cost the same where there are two candidates.
"""

from synth.lang import *


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_less(score: Callable[[int], int], Delta: int, eps: float, n: int) -> int:
    """Candidates 0..n-1."""
    winner = 0
    best = 0
    k = 0
    while k < n:
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if noisy > best or k == 0:
            winner = k
            best = noisy
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_greater(score: Callable[[int], float], Delta: float, eps: float, n: int) -> int:
    """The limit stands on the left, and is computed before the loop."""
    winner = 0
    best = 0.0
    k = 1
    end = n + 1
    while end > k:
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if noisy > best or k == 1:
            winner = k
            best = noisy
        k = k + 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_unequal(score: Callable[[int], int], Delta: int, eps: float, n: int) -> int:
    """Until the counter meets the limit."""
    winner = 0
    best = 0
    k = 0
    while k != n:
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if k == 0 or noisy >= best:
            winner = k
            best = noisy
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_down(score: Callable[[int], float], Delta: float, eps: float, n: int) -> int:
    """From n down to 1: the loop compares with a constant."""
    winner = 0
    best = 0.0
    left = n
    while left > 0:
        noisy = laplace(score(left), scale=2 * Delta / eps)
        if left == n or noisy > best:
            winner = left
            best = noisy
        left -= 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_break_first(score: Callable[[int], int], Delta: int, eps: float, n: int) -> int:
    """Left by a break before the draw."""
    winner = 0
    best = 0
    k = 0
    while True:
        if k >= n:
            break
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if k == 0 or noisy > best:
            winner = k
            best = noisy
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n > 0")
def while_break_last(score: Callable[[int], float], Delta: float, eps: float, n: int) -> int:
    """Left by a break after the draw, at the last candidate."""
    winner = 0
    best = 0.0
    k = 0
    while True:
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if k == 0 or noisy > best:
            winner = k
            best = noisy
        if k == n - 1:
            break
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_flag(score: Callable[[int], int], Delta: int, eps: float, n: int) -> int:
    """A flag says whether there are more."""
    winner = 0
    best = 0
    k = 0
    more = n > 0
    while more:
        noisy = laplace(score(k), scale=2 * Delta / eps)
        if k == 0 or noisy > best:
            winner = k
            best = noisy
        k += 1
        more = k < n
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and low <= high")
def while_between(score: Callable[[int], float], low: int, high: int, Delta: float, eps: float) -> int:
    """Both ends are parameters, and only their difference says how long the loop is."""
    winner = low
    best = 0.0
    k = low
    while k <= high:
        noisy = exponential(score(k), scale=2 * Delta / eps)
        if noisy > best or k == low:
            winner = k
            best = noisy
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and low <= high")
def for_between(score: Callable[[int], float], low: int, high: int, Delta: float, eps: float) -> int:
    """Both ends are parameters, in a for loop."""
    winner = low
    best = 0.0
    for k in range(low, high + 1):
        noisy = exponential(score(k), scale=2 * Delta / eps)
        if noisy > best or k == low:
            winner = k
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n >= 0")
def while_first_entries(q: list[float], Delta: float, eps: float, n: int) -> int:
    """Only the first n entries of a sequence, if it has as many."""
    winner = 0
    best = 0.0
    k = 0
    while k < n and k < len(q):
        noisy = laplace(q[k], scale=2 * Delta / eps)
        if k == 0 or noisy > best:
            winner = k
            best = noisy
        k += 1
    return winner


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0")
def counted_first(score: Callable[[int], int], n: int, eps: float) -> int:
    """The number of the winner, from 1: the counter moves before the comparison."""
    best = 0
    winner = 0
    k = 0
    while k < n:
        noisy = exponential(score(k), scale=2 / eps)
        k += 1
        if noisy > best or k == 1:
            best = noisy
            winner = k
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def counted_list(q: list[int], eps: float) -> int:
    """The number of the winner, from 1, over a list."""
    best = 0
    winner = 0
    k = 0
    for x in q:
        noisy = laplace(x, scale=2 / eps)
        k = k + 1
        if winner == 0 or noisy > best:
            winner = k
            best = noisy
    return winner
