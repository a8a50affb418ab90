import numpy as np


class AboveThreshold:
    def __init__(self, threshold, epsilon, sensitivity=1.0):
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.noisy_threshold = threshold + np.random.laplace(scale=2.0 * sensitivity / epsilon)
        self.halted = False

    def query(self, value):
        if self.halted:
            raise RuntimeError("halted")
        nu = np.random.laplace(scale=4.0 * self.sensitivity / self.epsilon)
        if value + nu >= self.noisy_threshold:
            self.halted = True
            return True
        return False

    def first_above(self, queries):
        for i, q in enumerate(queries):
            if self.query(q):
                return i
        return None
