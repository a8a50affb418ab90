import math
import random


def release(value, sensitivity, epsilon, delta):
    sigma = sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return value + random.gauss(0, math.sqrt(sigma))
