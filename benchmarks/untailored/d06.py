import math
import random


def positive_noise(epsilon, delta):
    shift = 1 + math.log(1 / (2 * delta)) / epsilon
    u = random.random() - 0.5
    lap = -(1 / epsilon) * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))
    return max(0.0, shift + lap)


def padded_size(n_records, epsilon, delta):
    """Never underestimates how many records there are."""
    return n_records + positive_noise(epsilon, delta)
