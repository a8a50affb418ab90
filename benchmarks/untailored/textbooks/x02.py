import random


def noisy_winner(scores: list[float], eps: float) -> int:
    """Report noisy max with one-sided exponential noise, in one pass."""
    winner = 0
    best = scores[0] + random.expovariate(eps / 2)
    i = 1
    while i < len(scores):
        value = scores[i] + random.expovariate(eps / 2)
        if value > best:
            best = value
            winner = i
        i += 1
    return winner
