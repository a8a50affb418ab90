"""Noisy max, each broken in one place."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def max_scale_halved(q: list[int], eps: float) -> int:
    """Half the noise, without monotone scores."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=1 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def max_value_released(q: list[int], eps: float) -> tuple[int, int]:
    """The winning noisy value is released too."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner, best


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def max_without_noise(q: list[int], eps: float) -> int:
    """The noisy value is computed, the exact one compared."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or q[i] > best:
            winner = i
            best = q[i]
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def max_one_draw(q: list[int], eps: float) -> int:
    """One draw is added to all."""
    noise = laplace(0, scale=2 / eps)
    winner = 0
    best = 0
    for i, x in enumerate(q):
        if i == 0 or x + noise > best:
            winner = i
            best = x + noise
    return winner


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def one_sided_scale_halved(score: Callable[[int], int], n: int, eps: float) -> int:
    """One-sided noise with half its scale."""
    winner = 0
    best = exponential(score(0), scale=1 / eps)
    for r in range(1, n):
        noisy = exponential(score(r), scale=1 / eps)
        if noisy > best:
            winner = r
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def first_without_noise(q: list[int], eps: float) -> int:
    """The first one, read before the loop, has no noise."""
    winner = 0
    best = q[0]
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def exact_value_kept(q: list[int], eps: float) -> int:
    """The winner is remembered with its exact value."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = q[i]
    return winner


@mechanism(
    adjacent={"score": linf_distance(1)},
    requires="eps > 0 and n > 0 and m > 1",
    epsilon="eps",
)
def rounds_claimed_eps(score: Callable[[int, int], int], n: int, m: int, eps: float) -> list[int]:
    """m rounds for the price of one."""
    winners = []
    for j in range(m):
        winner = 0
        best = laplace(score(j, 0), scale=2 / eps)
        for r in range(1, n):
            noisy = laplace(score(j, r), scale=2 / eps)
            if noisy > best:
                winner = r
                best = noisy
        winners.append(winner)
    return winners


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def min_from_the_same_draws(q: list[int], eps: float) -> tuple[int, int]:
    """Largest and smallest from the same draws, for the price of one."""
    top = 0
    bottom = 0
    most = laplace(q[0], scale=2 / eps)
    least = most
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if noisy > most:
            top, most = i, noisy
        if noisy < least:
            bottom, least = i, noisy
    return top, bottom


@mechanism(
    adjacent={"before": linf_distance(1), "after": linf_distance(1)},
    requires="eps > 0 and len(before) == len(after)",
    epsilon="eps",
)
def change_sensitivity(before: list[int], after: list[int], eps: float) -> int:
    """The difference of two private numbers has sensitivity 2, not 1."""
    winner = -1
    best = 0
    for i in range(len(before)):
        rise = laplace(after[i] - before[i], scale=2 / eps)
        if winner < 0 or rise > best:
            winner = i
            best = rise
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def winner_value_exact(q: list[int], eps: float) -> tuple[int, int]:
    """The exact value of the winner is released."""
    winner = 0
    best = laplace(q[0], scale=2 / eps)
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if noisy > best:
            winner = i
            best = noisy
    return winner, q[winner]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noise_on_leaders_only(q: list[float], eps: float) -> int:
    """Noise is only added to what is larger than the best so far."""
    winner = 0
    best = 0.0
    for i, x in enumerate(q):
        if i == 0 or x > best:
            noisy = laplace(x, scale=2 / eps)
            if i == 0 or noisy > best:
                winner = i
                best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def unused_noise(q: list[int], eps: float) -> int:
    """Noisy answers are collected, the argmax looks at the exact ones."""
    noisy = []
    for x in q:
        noisy.append(laplace(x, scale=2 / eps))
    winner = 0
    for i in range(len(q)):
        if q[i] > q[winner]:
            winner = i
    return winner
