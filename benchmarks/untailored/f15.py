import numpy as np


def noisy_weights(weights, sensitivity, epsilon):
    scale = sensitivity / epsilon
    noise = np.array([np.random.normal(0, scale) for _ in range(len(weights))])
    return weights + noise
