import numpy as np


def noisy_gradients(grad, clip, epsilon, delta):
    """Every coordinate is clipped to [-clip, clip]."""
    g = np.clip(grad, -clip, clip)
    sigma = np.sqrt(2 * np.log(1.25 / delta)) * 2 * clip / epsilon
    return g + np.random.normal(0, sigma, size=len(grad))
