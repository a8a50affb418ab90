import numpy as np


def hadamard_entry(row, col):
    return -1 if bin(row & col).count("1") % 2 else 1


def hadamard_response(v, log_k, epsilon):
    K = 2 ** log_k
    row = np.random.randint(K)
    bit = hadamard_entry(row, v)
    if np.random.random() > np.exp(epsilon) / (1 + np.exp(epsilon)):
        bit = -bit
    return row, bit
