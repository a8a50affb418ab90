import random

import numpy as np


def sampled_count(incomes: list[float], limit: float, p: float, eps: float) -> float:
    """Noisy count of a Poisson sample: privacy amplification by subsampling."""
    count = 0
    for income in incomes:
        if random.random() < p:
            if income > limit:
                count += 1
    return count + np.random.laplace(0, 1 / eps)
