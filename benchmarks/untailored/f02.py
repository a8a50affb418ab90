import numpy as np


def add_differential_privacy_noise(value, epsilon, sensitivity=1.0):
    noise = np.random.laplace(0, epsilon / sensitivity)
    return max(0, value + noise)
