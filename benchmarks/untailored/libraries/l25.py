import math

import numpy as np


def privatize_gradient(grads, clip_norm, batch_size, epsilon, delta):
    """Average of per-example gradients (two weights), each clipped to L2 norm `clip_norm`, with Gaussian noise."""
    if not 0 < epsilon < 1:
        raise ValueError("the analysis of the Gaussian mechanism needs 0 < epsilon < 1")

    total = np.zeros(2)
    for gx, gy in grads:
        norm = math.sqrt(gx**2 + gy**2)
        factor = min(1.0, clip_norm / (norm + 1e-12))
        total[0] += gx * factor
        total[1] += gy * factor

    sigma = clip_norm * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    total += np.random.normal(0.0, sigma, size=2)
    return total / batch_size
