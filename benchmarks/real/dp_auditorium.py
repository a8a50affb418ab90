"""Mechanisms that DP-Auditorium tests, written anew."""

import collections
import dataclasses
from collections.abc import Callable

import numpy as np

_ZERO_TOLERANCE = 1e-12


@dataclasses.dataclass
class MeanMechanismConfig:
    epsilon: float
    delta: float = 0.0
    min_value: float = 0.0
    max_value: float = 1.0
    use_noised_counts_for_calculating_mean: bool = True
    use_noised_counts_for_calculating_noise_scale: bool = True


class MeanMechanism:
    def __init__(self, config, rng):
        self._noised_mean = config.use_noised_counts_for_calculating_mean
        self._noised_scale = config.use_noised_counts_for_calculating_noise_scale
        self._epsilon = config.epsilon
        self._delta = config.delta
        self._epsilon_budget_scale = 1.0
        self._rng = rng
        self._max_value = config.max_value
        self._min_value = config.min_value
        if self._noised_mean or self._noised_scale:
            self._epsilon_budget_scale = 0.5
        if self._delta == 0.0:
            self._noise_factor = 1.0
            self._noise_function = self._rng.laplace
        else:
            self._noise_factor = np.sqrt(2.0 * np.log(1.25 / self._delta))
            self._noise_function = self._rng.normal

    def _get_counts(self, data, num_samples):
        noise_scale = 1.0 / self._epsilon_budget_scale / self._epsilon
        noisy_counts = len(data) + self._rng.laplace(0, noise_scale, (num_samples, 1))
        if self._noised_mean:
            if self._noised_scale:
                return noisy_counts, noisy_counts
            else:
                return noisy_counts, len(data)
        elif self._noised_scale:
            return len(data), noisy_counts
        else:
            return len(data), len(data)

    def __call__(self, data, num_samples):
        data = np.clip(data, self._min_value, self._max_value)
        counts_for_mean, counts_for_noise_scale = self._get_counts(data, num_samples)
        value_sum = np.sum(data)
        noise_scale = (
            self._noise_factor
            * np.abs(self._max_value - self._min_value)
            / self._epsilon_budget_scale
            / self._epsilon
            / counts_for_noise_scale
        )
        noise_scale = np.maximum(_ZERO_TOLERANCE, noise_scale)
        return value_sum / counts_for_mean + self._noise_function(0.0, noise_scale, (num_samples, 1))


def audited_mean(data, epsilon, rng):
    return MeanMechanism(MeanMechanismConfig(epsilon=epsilon), rng)(data, 1)


class NoisyMaxMechanism:
    def __init__(self, epsilon, num_elements, rng):
        self.epsilon = epsilon
        self.num_elements = num_elements
        self.rng = rng

    def __call__(self, data, num_samples):
        counts = collections.Counter(data)
        counts_array = [counts[i] for i in range(self.num_elements)]
        noise = self.rng.gumbel(loc=0, scale=2 / self.epsilon, size=(num_samples, self.num_elements))
        noisy_counts = counts_array + noise
        return np.argmax(noisy_counts, axis=1)


@dataclasses.dataclass
class Query:
    query_calculator: Callable[[np.ndarray], np.ndarray]
    sensitivity: float


def _get_sum_query(min_value, max_value, num_queries):
    def clipped_sum_queries(data):
        clipped_data = np.clip(data, min_value, max_value)
        return np.sum(clipped_data) * np.ones(num_queries)

    return Query(sensitivity=max_value - min_value, query_calculator=clipped_sum_queries)


class SVT5:
    """All queries are the clipped sum, compared with one noisy threshold, without noise of their own."""

    def __init__(self, epsilon, threshold, min_value, max_value, num_queries, rng):
        self._epsilon = epsilon
        self._threshold = threshold
        self._queries = _get_sum_query(min_value, max_value, num_queries)
        self._rng = rng

    def __call__(self, data, num_samples):
        query_values = self._queries.query_calculator(data)
        if query_values.ndim > 1:
            raise ValueError("one value for each query")
        scale = 2 * self._queries.sensitivity / self._epsilon
        noisy_threshold = self._threshold + self._rng.laplace(0, scale, size=(num_samples, 1))
        noisy_queries = np.tile(query_values, (num_samples, 1))
        return np.where(noisy_queries >= noisy_threshold, 1.0, 0.0)
