"""Noisy max, written in other ways."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_last_of_equals(q: list[int], eps: float) -> int:
    """Of equal noisy answers the last one wins."""
    arg, top = 0, 0
    for i in range(len(q)):
        value = laplace(q[i], scale=2 / eps)
        if i == 0 or value >= top:
            arg, top = i, value
    return arg


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def max_first_read(q: list[int], eps: float) -> int:
    """The first answer is read before the loop."""
    best = laplace(q[0], scale=2 / eps)
    winner = 0
    for i in range(1, len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if noisy > best:
            best = noisy
            winner = i
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_none(q: list[int], eps: float) -> int | None:
    """Best and winner start as None."""
    best = None
    winner = None
    for i, x in enumerate(q):
        noisy = laplace(x, scale=2 / eps)
        if best is None or noisy > best:
            best = noisy
            winner = i
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_started(q: list[float], eps: float) -> int:
    """A flag says whether there is a best one yet; on reals, with added noise."""
    started = False
    best = 0.0
    winner = -1
    i = 0
    while i < len(q):
        noisy = q[i] + laplace(0.0, 2 / eps)
        if not started:
            started = True
            best = noisy
            winner = i
        elif noisy > best:
            best = noisy
            winner = i
        i += 1
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_skip(q: list[int], eps: float) -> int:
    """Losers are skipped with continue; the comparison is mirrored."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noise = laplace(0, 2 / eps)
        noisy = q[i] + noise
        if i > 0 and not (best < noisy):
            continue
        winner = i
        best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_conditional(q: list[int], eps: float) -> int:
    """Conditional expressions and max in place of a branch."""
    winner = 0
    best = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        winner = i if i == 0 or noisy > best else winner
        best = noisy if i == 0 else max(best, noisy)
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_backwards(q: list[int], eps: float) -> int:
    """From the last to the first."""
    winner = len(q)
    best = 0
    for k in range(len(q)):
        i = len(q) - 1 - k
        noisy = laplace(q[i], scale=2 / eps)
        if winner == len(q) or best < noisy:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def min_noisy(q: list[int], eps: float) -> int:
    """The smallest noisy answer."""
    winner = 0
    least = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy < least:
            winner = i
            least = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_negated(q: list[float], eps: float) -> int:
    """The largest, as the smallest of the negated ones."""
    winner = 0
    least = 0.0
    for i, x in enumerate(q):
        loss = laplace(-x, 2 / eps)
        if i == 0 or loss < least:
            winner, least = i, loss
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_collected(q: list[int], eps: float) -> int:
    """All noisy answers first, in a list; then the argmax over the list."""
    noisy = []
    for x in q:
        noisy.append(laplace(x, scale=2 / eps))
    winner = 0
    for i in range(len(noisy)):
        if noisy[i] > noisy[winner]:
            winner = i
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def max_collected_best(q: list[float], eps: float) -> int:
    """All noisy answers first; the second loop remembers index and value."""
    noisy = []
    for i in range(len(q)):
        noisy.append(q[i] + laplace(0.0, 2 / eps))
    winner = -1
    best = 0.0
    for i, value in enumerate(noisy):
        if winner < 0 or value > best:
            winner = i
            best = value
    return winner


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0")
def max_callable(score: Callable[[int], int], n: int, eps: float) -> int:
    """Scores are a function; candidates 0..n-1."""
    best = laplace(score(0), scale=2 / eps)
    winner = 0
    candidate = 1
    while candidate < n:
        value = laplace(score(candidate), scale=2 / eps)
        if value > best:
            best, winner = value, candidate
        candidate += 1
    return winner


def better(candidate, best, first):
    """Whether a candidate replaces the best so far."""
    return first or candidate > best


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and Delta > 0")
def max_helper(q: list[float], Delta: float, eps: float) -> int:
    """Any sensitivity, and a helper that compares."""
    scale = 2 * Delta / eps
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], scale)
        if better(noisy, best, i == 0):
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n >= 0")
def one_sided_added(score: Callable[[int], int], n: int, eps: float) -> int:
    """One-sided noise, added; the counter of a while loop starts at one."""
    winner = 0
    best = 0
    r = 1
    while r <= n:
        noisy = score(r) + exponential(0, 2 / eps)
        if r == 1 or noisy > best:
            winner = r
            best = noisy
        r = r + 1
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def one_sided_none(q: list[float], eps: float) -> int:
    """One-sided noise on real answers, best starts as None, mirrored comparison."""
    winner = len(q)
    best = None
    for i, x in enumerate(q):
        noise = exponential(0.0, 2 / eps)
        if best is None or best <= x + noise:
            best = x + noise
            winner = i
    return winner


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0")
def monotone_enumerate(q: list[int], eps: float) -> int:
    """Monotone noisy max with enumerate, added noise and ties to the last."""
    winner, best = 0, 0
    for i, x in enumerate(q):
        noisy = x + laplace(0, 1 / eps)
        if i == 0 or not (noisy < best):
            winner, best = i, noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and len(q) > 0")
def monotone_first_read(q: list[float], eps: float) -> int:
    """Monotone noisy max on reals, the first answer read before the loop."""
    best = laplace(q[0], 1 / eps)
    winner = 0
    for i in range(1, len(q)):
        noisy = laplace(q[i], 1 / eps)
        if noisy - best > 0:
            winner = i
            best = noisy
    return winner
