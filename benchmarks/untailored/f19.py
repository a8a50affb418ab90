import numpy as np


def prefix_sums(stream, epsilon):
    """Every prefix gets its own noise of scale 1/epsilon."""
    out = []
    running = 0
    for x in stream:
        running += x
        out.append(running + np.random.laplace(0, 1 / epsilon))
    return out
