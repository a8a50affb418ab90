import numpy as np


def noisy_max_value(q, eps):
    """The value of the noisy maximum."""
    best = np.random.laplace(q[0], 2 / eps)
    i = 1
    while i < len(q):
        value = np.random.laplace(q[i], 2 / eps)
        if value > best:
            best = value
        i += 1
    return best
