import random

import numpy as np


def name_and_shame(bits: list[int], eps: float, delta: float):
    """A noisy count, and each record in the clear with probability delta."""
    shamed = []
    ones = 0
    for bit in bits:
        ones += bit
        if random.random() < delta:
            shamed.append(bit)
        else:
            shamed.append(None)
    return np.random.laplace(ones, 1 / eps), shamed
