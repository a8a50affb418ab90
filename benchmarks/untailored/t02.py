import numpy as np


def dp_mean(x, lo, hi, epsilon, rng):
    """epsilon-DP estimate of the mean of x (values clipped to [lo, hi]) via the Laplace mechanism."""
    x = np.clip(np.asarray(x, dtype=float), lo, hi)
    sensitivity = (hi - lo) / len(x)
    return float(np.clip(x.mean() + rng.laplace(loc=0.0, scale=sensitivity / epsilon), lo, hi))
