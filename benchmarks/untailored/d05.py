import math

import numpy as np


def stable_mode(counts, epsilon, delta):
    """Propose-test-release of the most frequent item; None if it is not stable."""
    ordered = sorted(counts)
    gap = ordered[-1] - ordered[-2]
    noisy_gap = gap + np.random.laplace(0, 1 / epsilon)
    if noisy_gap > 1 + math.log(1 / (2 * delta)) / epsilon:
        return counts.index(max(counts))
    return None
