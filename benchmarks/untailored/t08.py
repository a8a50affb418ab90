import numpy as np


class OUEClient:
    """Client side of optimised unary encoding."""

    def __init__(self, epsilon, d, index_mapper=None):
        self.epsilon = epsilon
        self.d = d
        self.p = 0.5
        self.q = 1 / (np.exp(epsilon) + 1)
        if index_mapper is None:
            self.index_mapper = lambda x: x - 1
        else:
            self.index_mapper = index_mapper

    def _encode(self, data):
        bits = np.zeros(self.d, dtype=int)
        bits[self.index_mapper(data)] = 1
        return bits

    def privatise(self, data):
        bits = self._encode(data)
        for i in range(self.d):
            prob = self.p if bits[i] == 1 else self.q
            bits[i] = np.random.binomial(1, prob)
        return bits
