import numpy as np


def bisect_quantile(ages: list[float], q: float, low: float, high: float, steps: int, eps: float) -> float:
    """Quantile by binary search with noisy ranks."""
    target = q * len(ages)
    for _ in range(steps):
        mid = (low + high) / 2
        below = sum(1 for a in ages if a <= mid)
        if below + np.random.laplace(scale=steps / eps) >= target:
            high = mid
        else:
            low = mid
    return (low + high) / 2
