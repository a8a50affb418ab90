from typing import Dict, List

import numpy as np


class DifferentialPrivacyEngine:
    def __init__(self, epsilon_budget: float = 1.0):
        self.epsilon_budget = epsilon_budget
        self.epsilon_used = 0.0
        self.query_history: List[Dict] = []

    def laplace_mechanism(self, true_value: float, sensitivity: float, epsilon: float) -> float:
        """Apply Laplace mechanism for differential privacy"""
        if self.epsilon_used + epsilon > self.epsilon_budget:
            raise ValueError("Privacy budget exceeded")

        noise_scale = sensitivity / epsilon
        noise = np.random.laplace(0, noise_scale)
        private_value = true_value + noise

        self.epsilon_used += epsilon
        self.query_history.append({
            "mechanism": "laplace",
            "epsilon": epsilon,
            "sensitivity": sensitivity,
            "noise_scale": noise_scale,
        })
        return private_value
