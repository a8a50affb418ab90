import math

import numpy as np


class DPAnalytics:
    def __init__(self, epsilon, delta, cap):
        self.eps_count = epsilon * 0.25
        self.eps_sum = epsilon * 0.75
        self.delta = delta
        self.cap = cap

    def _gauss(self, x):
        sigma = self.cap * math.sqrt(2 * math.log(1.25 / self.delta)) / self.eps_sum
        return np.random.normal(x, sigma)

    def report(self, purchases):
        n, s = 0, 0.0
        for amount in purchases:
            n += 1
            s += max(0.0, min(amount, self.cap))
        count = np.random.laplace(n, 1 / self.eps_count)
        total = self._gauss(s)
        return {"count": count, "total": total}
