import numpy as np


def dp_randomized_response(val, epsilon, n_categories):
    if np.random.random() < np.exp(epsilon) / (np.exp(epsilon) + n_categories - 1):
        return val
    else:
        return np.random.choice(n_categories)
