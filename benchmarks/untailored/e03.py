import math

import numpy as np


def partition_release(n_users, epsilon, delta):
    """A partition is kept if its noisy number of users passes the threshold."""
    if n_users == 0:
        return None
    threshold = math.log(1 / (2 * delta)) / epsilon
    noisy = n_users + np.random.laplace(0, 1 / epsilon)
    return noisy if noisy >= threshold else None
