import numpy as np


class THEClient:
    """Histogram encoding with thresholding: one-hot, Laplace noise, and what is above theta is reported as a one."""

    def __init__(self, epsilon, d, theta):
        if not 0.5 < theta < 1:
            raise ValueError("theta must be in (0.5, 1)")
        self.epsilon = epsilon
        self.d = d
        self.theta = theta
        self.rng = np.random.default_rng()

    def privatise(self, item):
        vector = [0] * self.d
        vector[item] = 1
        noisy = [bit + self.rng.laplace(scale=2 / self.epsilon) for bit in vector]
        return [1 if v > self.theta else 0 for v in noisy]
