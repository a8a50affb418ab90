import numpy as np


def _laplace(value, sensitivity, epsilon):
    return value + np.random.laplace(0, sensitivity / epsilon)


def dp_variance(values, upper, epsilon):
    """Variance of values between 0 and upper; the number of values is public."""
    n = len(values)
    eps_each = epsilon / 2
    clipped = [min(max(v, 0.0), upper) for v in values]
    mean = _laplace(sum(clipped) / n, upper / n, eps_each)
    mean_sq = _laplace(sum(v ** 2 for v in clipped) / n, upper ** 2 / n, eps_each)
    var = mean_sq - mean ** 2
    return max(var, 0.0)
