import numpy as np


def max_with_gap(q, eps):
    """Noisy max that also tells for free how far ahead of the runner-up it was."""
    first = np.random.laplace(q[0], 2 / eps)
    second = np.random.laplace(q[1], 2 / eps)
    place = 0
    if second > first:
        first, second = second, first
        place = 1
    for i in range(2, len(q)):
        value = np.random.laplace(q[i], 2 / eps)
        if value > first:
            second = first
            first = value
            place = i
        elif value > second:
            second = value
    return place, first - second
