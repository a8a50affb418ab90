import math

import numpy as np


def bounded_noise(value, eps, delta):
    """Truncated Laplace mechanism, by rejection: never off by more than a."""
    a = math.log(1 + (math.exp(eps) - 1) / (2 * delta)) / eps
    noise = np.random.laplace(0, 1 / eps)
    while abs(noise) > a:
        noise = np.random.laplace(0, 1 / eps)
    return value + noise
