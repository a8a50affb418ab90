import numpy as np


def histogram(values: list[float], n_bins: int, epsilon: float) -> list[float]:
    """Equal-width histogram with Laplace noise; the sensitivity is 2 as a replaced record leaves a bin and enters another."""
    lo, hi = min(values), max(values)
    counts = [0] * n_bins
    if hi > lo:
        width = (hi - lo) / n_bins
        for v in values:
            index = min(int((v - lo) / width), n_bins - 1)
            counts[index] += 1
    else:
        counts[0] = len(values)
    return [c + np.random.laplace(0, 2 / epsilon) for c in counts]
