import numpy as np


def sparse_values(queries, threshold, epsilon, cutoff):
    rho = np.random.laplace(0, 2 / epsilon)
    answers = []
    found = 0
    for q in queries:
        noisy = q + np.random.laplace(0, 2 * cutoff / epsilon)
        if noisy >= threshold + rho:
            answers.append(noisy)
            found += 1
            if found >= cutoff:
                break
        else:
            answers.append(None)
    return answers
