import random


class NoisySum:
    def __init__(self, epsilon, bound):
        self.epsilon = epsilon
        self.bound = bound
        self.total = 0

    def add(self, x):
        if x > self.bound:
            x = self.bound
        if x < -self.bound:
            x = -self.bound
        self.total += x

    def release(self, xs):
        for x in xs:
            self.add(x)
        rate = self.epsilon / self.bound
        noise = random.expovariate(rate) - random.expovariate(rate)
        return self.total + noise
