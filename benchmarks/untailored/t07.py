import math
import random

import numpy as np


def randomized_response(data, k, eps):
    p = math.exp(eps) / (math.exp(eps) + k - 1)
    noise_results = np.zeros(len(data), dtype=int)
    for idx, num in enumerate(data):
        randomized_value = num
        if random.random() > p:
            while randomized_value == num:
                randomized_value = np.random.randint(0, k)
        noise_results[idx] = randomized_value

    return noise_results
