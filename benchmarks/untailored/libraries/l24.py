from math import exp

import numpy as np


class Staircase:
    """Staircase mechanism of Geng and Viswanath, with the gamma that is optimal for the L1 error."""

    def __init__(self, epsilon, sensitivity):
        if epsilon <= 0 or sensitivity <= 0:
            raise ValueError("epsilon and sensitivity must be positive")
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.gamma = 1 / (1 + exp(epsilon / 2))

    def randomise(self, value):
        sign = -1 if np.random.random() < 0.5 else 1
        geometric_rv = np.random.geometric(1 - exp(-self.epsilon)) - 1
        unif_rv = np.random.random()
        inner = self.gamma / (self.gamma + (1 - self.gamma) * exp(-self.epsilon))
        binary_rv = 0 if np.random.random() < inner else 1
        if binary_rv == 0:
            magnitude = geometric_rv + self.gamma * unif_rv
        else:
            magnitude = geometric_rv + self.gamma + (1 - self.gamma) * unif_rv
        return value + sign * magnitude * self.sensitivity
