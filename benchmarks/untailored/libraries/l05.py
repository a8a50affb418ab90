from collections import defaultdict

import numpy as np


def clip(x, lo, hi):
    return lo if x < lo else hi if x > hi else x


def sales_by_region(rows: list[tuple[int, float]], n_regions: int, cap: float, epsilon: float) -> list[tuple[int, float]]:
    """SELECT region, SUM(amount) FROM sales GROUP BY region, with amounts clipped to [0, cap].

    A sale belongs to one region only, so every region may use the whole epsilon.
    """
    rng = np.random.default_rng()
    totals = defaultdict(float)
    for region, amount in rows:
        totals[region] += clip(amount, 0.0, cap)

    table = []
    for region in range(n_regions):
        table.append((region, totals[region] + rng.laplace(0.0, cap / epsilon)))
    return table
