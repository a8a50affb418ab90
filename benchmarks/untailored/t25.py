import numpy as np


def noisy_value(beta):
    # beta = sensitivity / epsilon
    u1 = np.random.random()
    u2 = np.random.random()
    if u1 <= 0.5:
        n_value = -beta * np.log(1. - u2)
    else:
        n_value = beta * np.log(u2)
    return n_value


def laplacian_noise_masking(g, sensitivity, epsilon):
    beta = sensitivity / epsilon
    noisy_mask = np.zeros(len(g))
    for i in range(noisy_mask.shape[0]):
        noisy_mask[i] = noisy_value(beta)
    return g + noisy_mask
