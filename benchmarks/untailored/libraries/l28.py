import math
import random


def keep_probability(n: int, epsilon: float, delta: float) -> float:
    """The largest probability to keep a partition of n users that (epsilon, delta) allows (Desfontaines et al. 2020)."""
    pi = 0.0
    for _ in range(n):
        up = math.exp(epsilon) * pi + delta
        down = 1 - math.exp(-epsilon) * (1 - pi - delta)
        pi = min(up, down, 1.0)
    return pi


def should_keep(n_users: int, epsilon: float, delta: float) -> bool:
    """Whether a partition may be published."""
    if n_users == 0:
        return False
    return random.random() < keep_probability(n_users, epsilon, delta)
