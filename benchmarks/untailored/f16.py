import numpy as np


def clamped_sum(values, lower, upper, epsilon):
    sensitivity = upper - lower
    total = 0
    for v in values:
        if v < lower:
            v = lower
        elif v > upper:
            v = upper
        total += v
    return total + np.random.laplace(0, sensitivity / epsilon)
