import numpy as np


def quantile(array, quant, epsilon, bounds_lower, bounds_upper):
    r"""Compute the differentially private quantile of the array.

    The quantile is picked from the intervals between two neighbouring values by the exponential mechanism, an interval
    weighs as much as it is long; then a point is drawn uniformly from the interval.
    """
    if quant < 0 or quant > 1:
        raise ValueError("Quantile must be in [0, 1]")
    if bounds_lower >= bounds_upper:
        raise ValueError("Lower bound must be below upper bound")

    array = np.clip(np.asarray(array, dtype=float), bounds_lower, bounds_upper)
    k = array.size
    array = np.append(array, [bounds_lower, bounds_upper])
    array.sort()

    interval_sizes = np.diff(array)
    utility = -np.abs(np.arange(0, k + 1) - quant * k)
    log_weights = epsilon * utility / 2
    probabilities = interval_sizes * np.exp(log_weights - np.max(log_weights))
    probabilities /= probabilities.sum()

    idx = np.random.choice(k + 1, p=probabilities)
    return np.random.uniform(array[idx], array[idx + 1])
