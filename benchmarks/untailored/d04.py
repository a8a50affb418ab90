import math

import numpy as np


def stability_histogram(words, epsilon, delta):
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    threshold = 1 + math.log(1 / (2 * delta)) / epsilon
    out = {}
    for w, c in counts.items():
        noisy = c + np.random.laplace(0, 1 / epsilon)
        if noisy > threshold:
            out[w] = noisy
    return out
