import statistics

import numpy as np


class PrivacyPreservingDataAnalysis:
    def __init__(self, epsilon=1.0):
        self.epsilon = epsilon

    def _laplace(self, value, sensitivity):
        return value + np.random.laplace(0, sensitivity / self.epsilon)

    def private_mean(self, data):
        true_mean = statistics.mean(data)
        sensitivity = (max(data) - min(data) + 1) / len(data)
        return self._laplace(true_mean, sensitivity)
