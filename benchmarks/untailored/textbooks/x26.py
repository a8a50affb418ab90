import math

import numpy as np


def popular_items(items: list[int], eps: float, delta: float) -> dict[int, float]:
    """Stability-based histogram over an unknown domain; a replaced record touches two items."""
    counts = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    bar = 1 + 2 * math.log(1 / delta) / eps
    released = {}
    for item in sorted(counts):
        noisy = counts[item] + np.random.laplace(0, 2 / eps)
        if noisy > bar:
            released[item] = noisy
    return released
