import numpy as np


def alarms(q, threshold, c, eps):
    """Sparse vector for c answers above the threshold; the noise of the queries does not know of c."""
    bar = threshold + np.random.laplace(0, 2 / eps)
    out = []
    left = c
    for value in q:
        above = value + np.random.laplace(0, 4 / eps) >= bar
        out.append(above)
        if above:
            left -= 1
            if left == 0:
                return out
    return out
