import numpy as np


def laplace_sample(scale):
    u = np.random.uniform(-0.5, 0.5)
    return -scale * np.sign(u) * np.log(1 - 2 * abs(u))


def report_noisy_max_with_value(scores, epsilon, sensitivity):
    scale = sensitivity / epsilon
    noisy_scores = [score + laplace_sample(scale) for score in scores]
    max_idx = np.argmax(noisy_scores)
    return max_idx, noisy_scores[max_idx]
