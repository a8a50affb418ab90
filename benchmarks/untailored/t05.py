from typing import Union

import numpy as np


class LocalDifferentialPrivacy:
    """Local differential privacy for client-side privacy"""

    def __init__(self, epsilon: float = 1.0):
        self.epsilon = epsilon

    def randomized_response(self, true_value: Union[int, float], domain_size: int = 2):
        if domain_size == 2:
            p = 1 / (1 + np.exp(self.epsilon))  # Probability of flipping
            if np.random.random() < p:
                return 1 - true_value
            else:
                return true_value
        else:
            p = np.exp(self.epsilon) / (domain_size - 1 + np.exp(self.epsilon))
            if np.random.random() < p:
                return true_value
            else:
                other_values = [i for i in range(domain_size) if i != true_value]
                return np.random.choice(other_values)
