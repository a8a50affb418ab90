import math
import random


class SUEClient:
    def __init__(self, epsilon, d):
        self.d = d
        self.p = math.exp(epsilon) / (math.exp(epsilon) + 1)

    def _perturb_bit(self, bit):
        return bit if random.random() < self.p else 1 - bit

    def privatise(self, item):
        return [self._perturb_bit(int(i == item)) for i in range(self.d)]
