import numpy as np


def kmeans_step(points: list[float], left: float, right: float, r: float, eps_n: float, eps_s: float):
    """What one step of 2-means needs: sizes and sums of the clusters of two centres."""
    sizes = [0, 0]
    sums = [0.0, 0.0]
    for p in points:
        p = max(-r, min(r, p))
        side = 0 if abs(p - left) <= abs(p - right) else 1
        sizes[side] += 1
        sums[side] += p
    out = []
    for side in (0, 1):
        n = np.random.laplace(sizes[side], 2 / eps_n)
        s = np.random.laplace(sums[side], 2 * r / eps_s)
        out.append((n, s))
    return out
