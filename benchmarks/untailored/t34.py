import numpy as np


def permute_and_flip(scores, epsilon, sensitivity, rng):
    best = max(scores)
    for i in rng.permutation(len(scores)):
        if rng.random() <= np.exp(epsilon * (scores[i] - best) / (2 * sensitivity)):
            return int(i)
