import statistics

import numpy as np


def dp_mean(ages: list[float], epsilon: float, lower: float = 0.0, upper: float = 100.0) -> float:
    """Differentially private mean age: with n people one person changes it by at most (upper - lower) / n."""
    if not ages:
        return (lower + upper) / 2
    clipped = [min(max(a, lower), upper) for a in ages]
    sensitivity = (upper - lower) / len(clipped)
    return statistics.fmean(clipped) + np.random.laplace(loc=0, scale=sensitivity / epsilon)
