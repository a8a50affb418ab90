import numpy as np


def subset_sums(x: list[float], eps: float) -> list[float]:
    """All subset sums of three values, with the budget divided by three."""
    out = []
    for mask in range(1, 8):
        total = 0.0
        for j in range(3):
            if (mask >> j) % 2 == 1:
                total += x[j]
        out.append(np.random.laplace(total, 3 / eps))
    return out
