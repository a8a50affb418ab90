import numpy as np


def numeric_above_threshold(queries, threshold, epsilon, sensitivity=1):
    """Index and noisy answer of the first query that is above; (-1, 0.0) if there is none."""
    eps1 = 8 / 9 * epsilon
    eps2 = epsilon - eps1
    t_hat = threshold + np.random.laplace(0, 2 * sensitivity / eps1)
    for i in range(len(queries)):
        if queries[i] + np.random.laplace(0, 4 * sensitivity / eps1) < t_hat:
            continue
        return i, queries[i] + np.random.laplace(0, sensitivity / eps2)
    return -1, 0.0
