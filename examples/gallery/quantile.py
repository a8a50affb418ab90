"""A median by noisy max: a candidate is good if as many ages are below it as above it."""

from synth.lang import *


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0 and top >= 1", epsilon="eps")
def median(ages: list[int], top: int, eps: float) -> int:
    best = 0
    best_score = 0
    for candidate in range(top):
        below = sum(1 for age in ages if age < candidate)
        above = sum(1 for age in ages if age > candidate)
        score = laplace(-abs(below - above), scale=2 / eps)
        if candidate == 0 or score > best_score:
            best = candidate
            best_score = score
    return best
