import math
from collections import Counter

import numpy as np


def heavy_hitters(words: list[str], epsilon: float, delta: float) -> dict[str, float]:
    """Words that many people typed, with noisy counts. Nobody knows the vocabulary beforehand, one person gives one word.

    Words of which the noisy count is at most the threshold are dropped, so a word that one person alone has typed shows
    up with probability delta.
    """
    threshold = 1 + math.log(1 / (2 * delta)) / epsilon
    result = {}
    for word, count in sorted(Counter(words).items()):
        noisy = count + np.random.laplace(scale=1 / epsilon)
        if noisy > threshold:
            result[word] = noisy
    return result
