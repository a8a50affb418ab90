import math
import random


def approx_krr(value, k, epsilon, delta):
    if random.random() < 2 * delta:
        return value
    p = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    if random.random() < p:
        return value
    return random.choice([v for v in range(k) if v != value])
