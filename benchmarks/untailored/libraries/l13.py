import numpy as np


def gumbel_argmax(scores, epsilon, sensitivity=1.0):
    """Exponential mechanism by the Gumbel trick.

    Same distribution as sampling i with probability ~ exp(epsilon * scores[i] / (2 * sensitivity)), without overflows.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.size == 0:
        raise ValueError("no candidates")
    noise = np.random.gumbel(loc=0.0, scale=2.0 * sensitivity / epsilon, size=len(scores))
    return int(np.argmax(scores + noise))
