from dataclasses import dataclass

import numpy as np


@dataclass
class MeanResult:
    mean: float
    count: float


def bounded_mean(values, lower, upper, epsilon):
    """Mean of values that are clamped to [lower, upper].

    The sum is that of the distances to the middle of the interval, so that one record moves it by half of the width only.
    Half of the budget is for the number of records, half for the sum.
    """
    if lower >= upper:
        raise ValueError("lower must be below upper")
    middle = lower + (upper - lower) / 2
    half_width = (upper - lower) / 2
    eps_count = epsilon / 2
    eps_sum = epsilon - eps_count

    clamped = np.clip(values, lower, upper)
    normalized_sum = np.sum(clamped - middle)

    noisy_count = len(values) + np.random.laplace(0, 1 / eps_count)
    noisy_sum = normalized_sum + np.random.laplace(0, half_width / eps_sum)

    denominator = max(noisy_count, 1.0)
    mean = noisy_sum / denominator + middle
    return MeanResult(mean=min(max(mean, lower), upper), count=noisy_count)
