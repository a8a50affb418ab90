import math
import random

import numpy as np


def staircase(value: float, sensitivity: float, gamma: float, eps: float) -> float:
    """The staircase mechanism: which stair, which part of it, where on it, and on which side."""
    b = math.exp(-eps)
    stair = np.random.geometric(1 - b) - 1
    u = random.random()
    if random.random() < gamma / (gamma + (1 - gamma) * b):
        size = stair + gamma * u
    else:
        size = stair + gamma + (1 - gamma) * u
    if random.random() < 0.5:
        size = -size
    return value + sensitivity * size
