import math
import random


def _check_p(p, lo):
    if not (lo <= p <= 1):
        raise ValueError("p out of range")


class GRR:
    def __init__(self, k, epsilon):
        if k < 2:
            raise ValueError("k")
        self.k = k
        self.p = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
        self._rng = random.SystemRandom()

    def privatise(self, value):
        if not (0 <= value < self.k):
            raise ValueError("value")
        _check_p(self.p, 1 / self.k)
        if self._rng.random() < self.p:
            return value
        r = self._rng.randrange(self.k - 1)
        return r + 1 if r >= value else r
