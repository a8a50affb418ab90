import numpy as np

CATEGORIES = ["north", "south", "east", "west"]


class DPService:
    def __init__(self, budget):
        self.budget = budget

    def _spend(self, epsilon):
        if epsilon > self.budget:
            raise RuntimeError("budget exhausted")
        self.budget -= epsilon

    def _sample_count_noise(self, epsilon):
        return np.random.laplace(0.0, 1.0 / epsilon)

    def histogram(self, values, epsilon):
        self._spend(epsilon)
        counts = {c: 0.0 for c in CATEGORIES}
        for v in values:
            if v in counts:
                counts[v] += 1.0
        for c in counts:
            noise = self._sample_count_noise(epsilon)
            counts[c] = max(0.0, counts[c] + noise)
        return counts
