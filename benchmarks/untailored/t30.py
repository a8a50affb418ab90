import math
import random


def duchi_perturb(value, epsilon):
    """One-dimensional mean estimation, values in [-1, 1]."""
    if value < -1 or value > 1:
        raise ValueError("value out of range")
    e_eps = math.e ** epsilon
    c = (e_eps + 1) / (e_eps - 1)
    p = (value * (e_eps - 1) + e_eps + 1) / (2 * e_eps + 2)
    return c if random.random() < p else -c
