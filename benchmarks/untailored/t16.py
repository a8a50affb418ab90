import math

import numpy as np


def median_utility(data, y):
    below = sum(1 for x in data if x < y)
    above = sum(1 for x in data if x > y)
    return -abs(below - above)


def private_median(data, R, epsilon):
    """Exponential mechanism for the median of integers between 1 and R."""
    data = [min(max(int(x), 1), R) for x in data]
    weights = [math.exp(epsilon * median_utility(data, y) / 2) for y in range(1, R + 1)]
    norm = sum(weights)
    probs = [w / norm for w in weights]
    return int(np.random.choice(range(1, R + 1), p=probs))
