import numpy as np


def top_k(scores, k, epsilon):
    remaining = list(range(len(scores)))
    chosen = []
    for _ in range(k):
        noisy = [scores[i] + np.random.laplace(0, 2 / epsilon) for i in remaining]
        best = remaining[int(np.argmax(noisy))]
        chosen.append(best)
        remaining.remove(best)
    return chosen
