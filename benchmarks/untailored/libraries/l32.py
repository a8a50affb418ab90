import math
import random


class AgePublisher:
    """Counts per age band. With a seed the release can be reproduced by the auditors."""

    BANDS = [(0, 18), (18, 40), (40, 65), (65, 120)]

    def __init__(self, epsilon, seed=2024):
        self.epsilon = epsilon
        self.seed = seed

    def _noise(self):
        rng = random.Random(self.seed)
        u = rng.random() - 0.5
        return -math.copysign(1, u) * math.log(1 - 2 * abs(u)) / self.epsilon

    def publish(self, ages):
        released = []
        for lo, hi in self.BANDS:
            count = sum(1 for age in ages if lo <= age < hi)
            released.append(count + self._noise())
        return released
