import numpy as np


def add_noise(counts, epsilon):
    noise = np.random.laplace(0, 1 / epsilon)
    return [max(0, c + noise) for c in counts]
