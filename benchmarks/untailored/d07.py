import math
import random


class ApproxDEClient:
    def __init__(self, epsilon, delta, d):
        self.d = d
        self.delta = delta
        self.p = (math.exp(epsilon) + (d - 1) * delta) / (math.exp(epsilon) + d - 1)

    def privatise(self, data):
        if random.random() < self.p:
            return data
        domain = list(range(self.d))
        domain.remove(data)
        return random.choice(domain)
