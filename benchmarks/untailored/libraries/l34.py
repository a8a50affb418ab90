import numpy as np


def first_alarm(readings: list[float], threshold: float, epsilon: float):
    """Above-threshold: index and noisy value of the first reading that is over the threshold, None if there is none.

    Readings have sensitivity 1. Half of epsilon is for the threshold, half for the readings.
    """
    rng = np.random.default_rng()
    eps1 = epsilon / 2
    eps2 = epsilon - eps1
    noisy_threshold = threshold + rng.laplace(scale=1 / eps1)
    for i, reading in enumerate(readings):
        noisy = reading + rng.laplace(scale=2 / eps2)
        if noisy >= noisy_threshold:
            return i, noisy
    return None
