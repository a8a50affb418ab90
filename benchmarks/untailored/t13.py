import math
import random
from typing import List


class PrivacyManager:
    def __init__(self, epsilon: float):
        self.epsilon = epsilon
        self.privacy_budget_used = 0.0

    def exponential_mechanism(self, quality_scores: List[float], sensitivity: float):
        probabilities = {}
        total = 0.0

        for candidate, score in enumerate(quality_scores):
            probability = math.exp(self.epsilon * score / (2 * sensitivity))
            probabilities[candidate] = probability
            total += probability

        for candidate in probabilities:
            probabilities[candidate] /= total

        selected = random.choices(list(probabilities.keys()), weights=list(probabilities.values()), k=1)[0]
        self.privacy_budget_used += self.epsilon
        return selected
