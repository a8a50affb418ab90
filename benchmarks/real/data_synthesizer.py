"""How DataSynthesizer describes a numerical attribute, written anew."""

import numpy as np


def normalize_given_distribution(frequencies):
    distribution = np.array(frequencies, dtype=float)
    distribution = distribution.clip(0)
    summation = distribution.sum()
    if summation > 0:
        return distribution / summation
    else:
        return np.full_like(distribution, 1 / distribution.size)


class NumericalAttribute:
    def __init__(self, name, histogram_size, data):
        self.name = name
        self.histogram_size = histogram_size
        self.data = data
        self.min = None
        self.max = None
        self.distribution_bins = None
        self.distribution_probabilities = None

    def infer_domain(self, numerical_range=None):
        if numerical_range:
            self.min, self.max = numerical_range
        else:
            self.min = float(self.data.min())
            self.max = float(self.data.max())

    def infer_distribution(self):
        distribution = np.histogram(self.data, bins=self.histogram_size, range=(self.min, self.max))
        self.distribution_bins = distribution[1][:-1]
        self.distribution_probabilities = normalize_given_distribution(distribution[0])

    def inject_laplace_noise(self, epsilon, num_valid_attributes):
        if epsilon > 0:
            sensitivity = 2 / self.data.size
            privacy_budget = epsilon / num_valid_attributes
            noise_scale = sensitivity / privacy_budget
            laplace_noises = np.random.laplace(0, scale=noise_scale, size=len(self.distribution_probabilities))
            noisy_distribution = self.distribution_probabilities + laplace_noises
            self.distribution_probabilities = normalize_given_distribution(noisy_distribution)

    def to_json(self):
        return {
            "name": self.name,
            "min": self.min,
            "max": self.max,
            "distribution_bins": self.distribution_bins.tolist(),
            "distribution_probabilities": self.distribution_probabilities.tolist(),
        }


def describe_in_range(data, low, high, bins, epsilon):
    attribute = NumericalAttribute("age", bins, data)
    attribute.infer_domain(numerical_range=[low, high])
    attribute.infer_distribution()
    attribute.inject_laplace_noise(epsilon, 1)
    return attribute.to_json()


def describe(data, bins, epsilon):
    attribute = NumericalAttribute("age", bins, data)
    attribute.infer_domain()
    attribute.infer_distribution()
    attribute.inject_laplace_noise(epsilon, 1)
    return attribute.to_json()
