import numpy as np


class HEClient:
    def __init__(self, epsilon, d):
        self.set_params(epsilon, d)

    def set_params(self, epsilon, d):
        self.epsilon = epsilon
        self.d = d
        self.scale = 2 / self.epsilon

    def _one_hot(self, index):
        v = [0.0] * self.d
        v[index] = 1.0
        return v

    def privatise(self, data):
        oh_vec = self._one_hot(data - 1)
        noise = np.random.laplace(loc=0, scale=self.scale, size=self.d)
        return oh_vec + noise
