import math
import random


def top_k_items(scores: list[float], k: int, epsilon: float) -> list[int]:
    """k items of high score, by peeling: the exponential mechanism k times, without replacement, at epsilon / k each.

    A user may change any score by at most 1.
    """
    if k > len(scores):
        raise ValueError(f"k={k} but there are {len(scores)} items")
    eps_round = epsilon / k
    remaining = list(range(len(scores)))
    chosen = []
    while len(chosen) < k:
        weights = [math.exp(eps_round * scores[i] / 2) for i in remaining]
        pick = random.choices(remaining, weights=weights)[0]
        remaining.remove(pick)
        chosen.append(pick)
    return chosen
