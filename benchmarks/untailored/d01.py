import math

import numpy as np


class GaussianMechanism:
    def __init__(self, epsilon: float, delta: float, sensitivity: float = 1.0):
        if epsilon <= 0 or epsilon > 1:
            raise ValueError("epsilon must be in (0, 1]")
        if delta <= 0.0 or delta >= 1.0:
            raise ValueError(f"Invalid DP parameters: epsilon={epsilon}, delta={delta}")
        self.sigma = (sensitivity * math.sqrt(2.0 * math.log(1.25 / delta))) / epsilon
        self.rng = np.random.default_rng()

    def randomise(self, value: float, lower=None, upper=None) -> float:
        perturbed = value + self.rng.normal(0.0, self.sigma)
        if lower is not None:
            perturbed = max(lower, perturbed)
        if upper is not None:
            perturbed = min(upper, perturbed)
        return float(perturbed)
