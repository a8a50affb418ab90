import math
import random


class SubsetSelectionClient:
    """Sends a random subset of the domain, which has the true value in it more often than not."""

    def __init__(self, d: int, epsilon: float):
        self.d = d
        self.epsilon = epsilon
        self.omega = max(1, round(d / (math.exp(epsilon) + 1)))
        num = math.exp(epsilon) * self.omega
        self.p = num / (num + d - self.omega)

    def obfuscate(self, value: int) -> list[int]:
        others = [x for x in range(self.d) if x != value]
        if random.random() < self.p:
            subset = random.sample(others, self.omega - 1)
            subset.append(value)
        else:
            subset = random.sample(others, self.omega)
        return sorted(subset)
