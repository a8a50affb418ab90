import math

import numpy as np


def padded_size(n_records, epsilon, delta):
    shift = math.log(1 / (2 * delta)) / epsilon
    noise = np.random.laplace(shift, 1 / epsilon)
    if noise < 0:
        noise = 0
    return n_records + noise
