import numpy as np


def geometric_mechanism(arr, eps, sensitivity):
    p = 1 - np.exp(-eps / sensitivity)
    z = np.random.geometric(p, len(arr)) - np.random.geometric(p, len(arr))
    noisy_arr = arr + z
    return np.clip(np.array(noisy_arr), 0, None)
