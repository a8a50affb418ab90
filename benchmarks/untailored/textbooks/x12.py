import numpy as np

LEVELS = 3


def binary_counter(stream: list[int], eps: float) -> list[float]:
    """The binary mechanism for continual counting of up to 2 ** LEVELS - 1 steps."""
    exact = [0] * LEVELS
    noisy = [0.0] * LEVELS
    out = []
    for t in range(1, len(stream) + 1):
        level = 0
        while (t >> level) % 2 == 0:
            level += 1
        psum = stream[t - 1]
        for j in range(level):
            psum += exact[j]
            exact[j] = 0
            noisy[j] = 0.0
        exact[level] = psum
        noisy[level] = psum + np.random.laplace(0, LEVELS / eps)
        out.append(sum(noisy))
    return out
