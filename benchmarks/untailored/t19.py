from dataclasses import dataclass

import numpy as np


@dataclass
class MeanParams:
    epsilon: float
    lower: float
    upper: float
    count_fraction: float = 0.5


def _clamp(v, lo, hi):
    return max(lo, min(hi, v))


def private_average(values, params: MeanParams):
    eps_count = params.epsilon * params.count_fraction
    eps_sum = params.epsilon - eps_count
    sens = max(abs(params.lower), abs(params.upper))
    total = sum(_clamp(v, params.lower, params.upper) for v in values)
    noisy_total = total + np.random.laplace(0, sens / eps_sum)
    noisy_count = len(values) + np.random.laplace(0, 1 / eps_count)
    if noisy_count < 1:
        noisy_count = 1
    return _clamp(noisy_total / noisy_count, params.lower, params.upper)
