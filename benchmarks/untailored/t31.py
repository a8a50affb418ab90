import math
import random


class PiecewiseMechanism:
    def __init__(self, epsilon):
        self.z = math.exp(epsilon / 2)
        self.C = (self.z + 1) / (self.z - 1)

    def perturb(self, t):
        left = (self.C + 1) / 2 * t - (self.C - 1) / 2
        right = left + self.C - 1
        if random.random() < self.z / (self.z + 1):
            return random.uniform(left, right)
        y = random.uniform(-self.C, 1)
        if y < left:
            return y
        return y + (right - left)
