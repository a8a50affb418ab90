import random


def compare_all(q: list[float], threshold: float, eps: float) -> list[bool]:
    """Sparse vector that adds noise to the threshold alone, and goes on to the end."""
    bar = threshold + random.expovariate(eps / 2) - random.expovariate(eps / 2)
    out = []
    i = 0
    while i != len(q):
        out.append(q[i] >= bar)
        i += 1
    return out
