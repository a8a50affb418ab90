import math

import numpy as np


def truncated_geometric(count, n, eps):
    """The range-restricted geometric mechanism; two-sided noise is a difference of two geometric variables."""
    alpha = math.exp(-eps)
    noisy = count + np.random.geometric(1 - alpha) - np.random.geometric(1 - alpha)
    if noisy < 0:
        return 0
    if noisy > n:
        return n
    return noisy
