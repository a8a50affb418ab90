import numpy as np


def find_over_limit(answers, limit, epsilon):
    noisy_limit = limit + np.random.laplace(0, 1 / epsilon)
    flags = []
    for a in answers:
        if a > noisy_limit:
            flags.append(1)
            break
        flags.append(0)
    return flags
