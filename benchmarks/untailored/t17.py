import numpy as np


def dp_histogram(data, lower, upper, n_bins, epsilon):
    width = (upper - lower) / n_bins
    counts = np.zeros(n_bins, dtype=int)
    for x in data:
        idx = int((x - lower) // width)
        idx = min(max(idx, 0), n_bins - 1)
        counts[idx] += 1
    noisy = counts + np.random.laplace(scale=1 / epsilon, size=n_bins)
    noisy[noisy < 0] = 0
    return noisy
