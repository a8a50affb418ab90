import numpy as np


def average_session(minutes, cap, epsilon):
    clipped = [min(max(m, 0), cap) for m in minutes]
    if not clipped:
        return 0.0
    noisy_sum = sum(clipped) + np.random.laplace(0, cap / epsilon)
    return noisy_sum / len(clipped)
