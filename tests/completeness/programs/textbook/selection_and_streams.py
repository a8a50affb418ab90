"""Selection with a prior, restarts and windows, scales that are handed on: as textbooks write them."""

from collections.abc import Callable

from synth.lang import choice, linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0")
def shorter_is_better(q: Callable[[int], float], n: int, eps: float) -> int:
    """A candidate's weight falls with its place, whatever the data are."""
    return choice(n, lambda r: eps * q(r) / 2 - r)


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0")
def score_with_a_prior(
    prior: Callable[[int], float], score: Callable[[int], float], n: int, eps: float
) -> int:
    return choice(n, lambda r: prior(r) + eps * score(r) / 2)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps / 2")
def prior_with_the_whole_budget(q: list[float], eps: float) -> int:
    """The base measure takes nothing off: scores that move both ways cost twice as much."""
    return choice(len(q), lambda r: eps * q[r] / 2 - r)
