import numpy as np


def adaptive_sparse(q: list[float], threshold: float, k: int, sigma: float, eps: float):
    """Adaptive sparse vector with gaps: an answer far above the threshold costs half of one that is just above."""
    share = eps / (2 * k)
    bar = threshold + np.random.laplace(0, 2 / eps)
    out = []
    left = 2 * k
    for value in q:
        if left < 2:
            break
        coarse = value + np.random.laplace(0, 4 / share) - bar
        if coarse >= sigma:
            out.append(("far", coarse))
            left -= 1
        else:
            fine = value + np.random.laplace(0, 2 / share) - bar
            if fine >= 0:
                out.append(("near", fine))
                left -= 2
            else:
                out.append(("below", 0.0))
    return out
