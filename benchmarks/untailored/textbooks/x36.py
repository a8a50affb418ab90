import math
import random


def facility(homes: list[float], sites: list[float], r: float, eps: float) -> int:
    """Private 1-median: a site with a small sum of distances to homes in 0..r, by the exponential mechanism."""
    costs = []
    for s in sites:
        cost = 0.0
        for h in homes:
            cost += abs(min(max(h, 0.0), r) - s)
        costs.append(cost)
    best = min(costs)
    weights = [math.exp(-eps * (cost - best) / 2) for cost in costs]
    return random.choices(range(len(sites)), weights=weights)[0]
