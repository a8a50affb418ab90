import math
import random


def quantile(data, candidates, q, eps):
    """Exponential mechanism; the score of a candidate is how far its rank is from q * n."""
    goal = q * len(data)
    weights = []
    for c in candidates:
        rank = 0
        for x in data:
            if x <= c:
                rank += 1
        weights.append(math.exp(-eps * abs(rank - goal) / 2))
    u = random.random() * sum(weights)
    acc = 0.0
    for i in range(len(candidates)):
        acc += weights[i]
        if u < acc:
            return candidates[i]
    return candidates[-1]
