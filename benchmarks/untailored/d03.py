import math

import numpy as np

LABELS = ["cat", "dog", "bird"]


def gaussian_histogram(labels, epsilon, delta):
    counts = [0] * len(LABELS)
    for label in labels:
        for j, name in enumerate(LABELS):
            if label == name:
                counts[j] += 1
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [c + np.random.normal(0, sigma) for c in counts]
