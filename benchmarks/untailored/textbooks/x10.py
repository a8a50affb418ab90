import numpy as np


def clipped(values, b):
    return sum(min(max(v, 0), b) for v in values)


def auto_sum(values: list[float], top: int, eps1: float, eps2: float) -> tuple[int, float]:
    """Sum whose clipping bound is found by AboveThreshold: raise it until the sum stops growing."""
    bar = np.random.laplace(0, 2 / eps1)
    b = 1
    while b < top:
        growth = clipped(values, b) - clipped(values, b + 1)  # -1 to 0 for each record
        if growth + np.random.laplace(0, 2 / eps1) >= bar:
            break
        b += 1
    return b, clipped(values, b) + np.random.laplace(0, b / eps2)
