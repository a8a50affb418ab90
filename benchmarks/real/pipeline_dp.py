"""Computations of PipelineDP, written anew; the Laplace mechanism behind it is one of PyDP."""

import abc

import numpy as np


class LaplaceMechanism:
    def __init__(self, epsilon, sensitivity):
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.diversity = sensitivity / epsilon

    def add_noise(self, value):
        return value + np.random.laplace(0.0, self.diversity)


def equally_split_budget(eps, delta, no_mechanisms):
    if no_mechanisms <= 0:
        raise ValueError("at least one mechanism")
    eps_used = delta_used = 0
    budgets = []
    for _ in range(no_mechanisms - 1):
        budget = (eps / no_mechanisms, delta / no_mechanisms)
        eps_used += budget[0]
        delta_used += budget[1]
        budgets.append(budget)
    budgets.append((eps - eps_used, delta - delta_used))
    return budgets


class MeanMechanism:
    def __init__(self, range_middle, count_mechanism, sum_mechanism):
        self._range_middle = range_middle
        self._count_mechanism = count_mechanism
        self._sum_mechanism = sum_mechanism

    def compute_mean(self, count, normalized_sum):
        dp_count = self._count_mechanism.add_noise(count)
        denominator = max(1.0, dp_count)
        dp_normalized_sum = self._sum_mechanism.add_noise(normalized_sum)
        dp_mean = self._range_middle + dp_normalized_sum / denominator
        dp_sum = dp_mean * dp_count
        return dp_count, dp_sum, dp_mean


def dp_mean(values, min_value, max_value, eps):
    (eps_count, _), (eps_sum, _) = equally_split_budget(eps, 0.0, 2)
    middle = min_value + (max_value - min_value) / 2
    normalized = [min(max(v, min_value), max_value) - middle for v in values]
    mechanism = MeanMechanism(
        middle,
        LaplaceMechanism(epsilon=eps_count, sensitivity=1),
        LaplaceMechanism(epsilon=eps_sum, sensitivity=abs(middle - min_value)),
    )
    return mechanism.compute_mean(len(values), sum(normalized))


class ExponentialMechanism:
    class ScoringFunction(abc.ABC):
        @abc.abstractmethod
        def score(self, k):
            pass

        @property
        @abc.abstractmethod
        def global_sensitivity(self):
            pass

        @property
        @abc.abstractmethod
        def is_monotonic(self):
            pass

    def __init__(self, scoring_function):
        self._scoring_function = scoring_function

    def apply(self, eps, inputs_to_score_col):
        probs = self._calculate_probabilities(eps, inputs_to_score_col)
        return np.random.default_rng().choice(inputs_to_score_col, p=probs)

    def _calculate_probabilities(self, eps, inputs_to_score_col):
        scores = np.array(list(map(self._scoring_function.score, inputs_to_score_col)))
        denominator = self._scoring_function.global_sensitivity
        if not self._scoring_function.is_monotonic:
            denominator *= 2
        weights = np.exp(scores * eps / denominator)
        return weights / weights.sum()


class CountBelow(ExponentialMechanism.ScoringFunction):
    """How many values are at most k: monotone, of sensitivity 1."""

    def __init__(self, values):
        self._values = values

    def score(self, k):
        return sum(1 for v in self._values if v <= k)

    @property
    def global_sensitivity(self):
        return 1

    @property
    def is_monotonic(self):
        return True


def choose_cap(values, candidates, eps):
    return ExponentialMechanism(CountBelow(values)).apply(eps, candidates)
