"""opendp/opendp, issue 2911: the largest of scores with exponential noise, and the claim of the exponential mechanism."""

from synth.lang import *


@mechanism(adjacent={"scores": linf_distance(1)}, requires="len(scores) == 2", zcdp="1/2")
def report_noisy_max(scores: list[float]) -> int:
    best = 0
    best_score = exponential(scores[0], 1)
    for i in range(1, len(scores)):
        score = exponential(scores[i], 1)
        if score > best_score:
            best = i
            best_score = score
    return best
