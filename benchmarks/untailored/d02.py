import numpy as np


def gaussian_mechanism(value, sensitivity, epsilon, delta, seed=None):
    """Release ``value + N(0, sigma^2)`` for L2 sensitivity, (eps, delta)-DP."""
    if seed is not None:
        np.random.seed(seed)
    sigma = np.sqrt(2 * np.log(1.25 / delta)) * sensitivity / epsilon
    v = np.asarray(value, dtype=float)
    out = v + np.random.normal(0.0, sigma, size=v.shape)
    metadata = {"mechanism": "gaussian", "sigma": sigma}
    return out.tolist(), metadata["sigma"]
