import numpy as np


def first_above(q, threshold, eps):
    """AboveThreshold with a fresh threshold for each query."""
    for i, value in enumerate(q):
        bar = np.random.laplace(threshold, 2 / eps)
        if np.random.laplace(value, 4 / eps) >= bar:
            return i
    return len(q)
