"""Relatives of noisy max: other noise, several rounds, values of the winner."""

from synth.lang import *


@mechanism(adjacent={"score": linf_distance(1, monotone=True)}, requires="eps > 0 and n > 0")
def max_monotone_one_sided(score: Callable[[int], int], n: int, eps: float) -> int:
    """One-sided noise for scores that all move the same way.

    Up: +1 at the winner, of which the scores give back up to 1: at most one step of eps.  Down:
    0 at the winner, at most one step again (and never negative).  Others: nothing.  Sum: eps.
    """
    winner = 0
    best = exponential(score(0), scale=1 / eps)
    for r in range(1, n):
        noisy = exponential(score(r), scale=1 / eps)
        if noisy > best:
            winner = r
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_mixed_noise(q: list[int], eps: float) -> int:
    """Two-sided noise on even positions, one-sided noise on odd ones.

    +1 at the winner, whichever noise it has: at most 2*eps/2.  Others: nothing.  Sum: eps.
    """
    winner = 0
    best = 0
    for i, x in enumerate(q):
        if i % 2 == 0:
            noisy = laplace(x, scale=2 / eps)
        else:
            noisy = exponential(x, scale=2 / eps)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"score": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and n > 0")
def max_flagged_noise(
    score: Callable[[int], float], rough: Callable[[int], bool], n: int, Delta: float, eps: float
) -> int:
    """A public flag chooses the noise of each candidate.

    +Delta at the winner: 2*Delta steps of eps/(2*Delta) with either noise.  Sum: eps.
    """
    scale = 2 * Delta / eps
    winner = -1
    best = 0.0
    for r in range(n):
        noisy = laplace(score(r), scale) if rough(r) else exponential(score(r), scale)
        if winner == -1 or noisy > best:
            winner, best = r, noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="e1 > 0 and e2 > 0 and len(q) > 0")
def max_with_value(q: list[int], e1: float, e2: float) -> tuple[int, int]:
    """The winner, and a fresh noisy value of it.

    +1 at the winner: 2*e1/2.  The fresh value: e2.  Sum: e1 + e2.
    """
    winner = 0
    best = laplace(q[0], scale=2 / e1)
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / e1)
        if noisy > best:
            winner = i
            best = noisy
    return winner, laplace(q[winner], scale=1 / e2)


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0 and m >= 0")
def max_rounds(score: Callable[[int, int], int], n: int, m: int, eps: float) -> list[int]:
    """The noisy max among n candidates, in each of m rounds.

    Each round +1 at its winner: eps.  Sum: m*eps.
    """
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


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and 0 <= k and k <= n")
def top_k_by_peeling(score: Callable[[int], int], n: int, k: int, eps: float) -> list[int]:
    """k rounds of noisy max, each among those not yet picked.

    Each round +1 at its winner: eps.  Sum: k*eps.
    """
    picked = []
    for _ in range(k):
        winner = -1
        best = 0
        for r in range(n):
            taken = False
            for p in picked:
                if p == r:
                    taken = True
            if taken:
                continue
            noisy = laplace(score(r), scale=2 / eps)
            if winner < 0 or noisy > best:
                winner = r
                best = noisy
        picked.append(winner)
    return picked


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0 and m > 0")
def max_on_grid(score: Callable[[int, int], int], n: int, m: int, eps: float) -> tuple[int, int]:
    """One noisy max over the pairs of two nested loops.

    +1 at the winning pair: 2*eps/2.  Sum: eps.
    """
    row, column = 0, 0
    best = 0
    for i in range(n):
        for j in range(m):
            noisy = laplace(score(i, j), scale=2 / eps)
            if (i == 0 and j == 0) or noisy > best:
                row, column = i, j
                best = noisy
    return row, column


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 0")
def max_with_prior(
    score: Callable[[int], float], prior: Callable[[int], float], n: int, eps: float
) -> int | None:
    """A public bonus for each candidate.

    The bonus is the same in both runs: +1 at the winner, 2*eps/2.  Sum: eps.
    """
    winner = None
    best = 0.0
    for r in range(n):
        noisy = laplace(score(r) + prior(r), scale=2 / eps)
        if winner is None or noisy >= best:
            winner = r
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_or_nothing(q: list[int], t: int, eps: float) -> int | None:
    """The noisy max, or nothing if it is below a noisy threshold.

    A winner: +1 on it, 2*eps/2, nothing on the threshold.  Nothing: +1 on the threshold, eps/2.
    The worse of the two: eps.
    """
    bar = laplace(t, scale=2 / eps)
    winner = None
    best = bar
    for i, x in enumerate(q):
        noisy = laplace(x, scale=2 / eps)
        if noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(
    adjacent={"before": linf_distance(1), "after": linf_distance(1)},
    requires="eps > 0 and len(before) == len(after)",
)
def largest_change(before: list[int], after: list[int], eps: float) -> int:
    """The position with the noisily largest rise.

    A difference moves by up to 2: +2 at the winner, 4 steps of eps/4.  Sum: eps.
    """
    winner = -1
    best = 0
    for i in range(len(before)):
        rise = laplace(after[i] - before[i], scale=4 / eps)
        if winner < 0 or rise > best:
            winner = i
            best = rise
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="e1 > 0 and e2 > 0 and len(q) > 0")
def max_and_min(q: list[int], e1: float, e2: float) -> tuple[int, int]:
    """Noisy max and noisy min in one pass, with noise of their own.

    +1 at the largest: 2*e1/2.  -1 at the smallest: 2*e2/2.  Sum: e1 + e2.
    """
    top = 0
    bottom = 0
    most = laplace(q[0], scale=2 / e1)
    least = laplace(q[0], scale=2 / e2)
    for i in range(1, len(q)):
        up = laplace(q[i], scale=2 / e1)
        down = laplace(q[i], scale=2 / e2)
        if up > most:
            top, most = i, up
        if down < least:
            bottom, least = i, down
    return top, bottom
