import math
import random


def randomize_bit(truth, epsilon):
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    if random.random() <= p:
        return truth
    return bool(random.getrandbits(1))
