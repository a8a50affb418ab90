import bisect
import itertools
import math
import random


def dp_median(data: list[float], lower: float, upper: float, steps: int, epsilon: float) -> float:
    """Median of the data by the exponential mechanism, over a grid of steps + 1 points."""
    n = len(data)
    grid = [lower + i * (upper - lower) / steps for i in range(steps + 1)]
    utilities = []
    for point in grid:
        rank = sum(1 for x in data if x <= point)
        utilities.append(-abs(rank - n / 2))

    # replacing a record changes a rank by at most 1
    best = max(utilities)
    weights = [math.exp(epsilon * (u - best) / 2) for u in utilities]
    cumulative = list(itertools.accumulate(weights))
    r = random.random() * cumulative[-1]
    return grid[bisect.bisect_right(cumulative, r)]
