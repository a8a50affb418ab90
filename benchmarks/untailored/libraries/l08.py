import random
from math import exp

PRIME = 2147483647


def _hash(value, a, b, g):
    return ((a * value + b) % PRIME) % g


def olh_report(value, epsilon):
    """Optimal local hashing: a hash function and the perturbed hash of the value."""
    g = int(round(exp(epsilon))) + 1
    a = random.randrange(1, PRIME)
    b = random.randrange(PRIME)
    hashed = _hash(value, a, b, g)

    p = exp(epsilon) / (exp(epsilon) + g - 1)
    if random.random() < p:
        return a, b, hashed

    # one of the others, uniformly
    noise = random.randrange(g - 1)
    if noise >= hashed:
        noise += 1
    return a, b, noise
