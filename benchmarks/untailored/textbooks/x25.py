import math
import random


def pooled_sum(values, cap, eps, delta):
    """Gaussian mechanism with distributed noise: each of the n parties adds an n-th of the variance."""
    sigma = cap * math.sqrt(2 * math.log(1.25 / delta)) / eps
    share = sigma / math.sqrt(len(values))
    total = 0.0
    for v in values:
        total += min(max(v, 0.0), cap)
        total += random.gauss(0, share)
    return total
