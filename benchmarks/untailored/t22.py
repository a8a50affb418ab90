import math
import random


def geometric_noise(alpha):
    # Pr[X=x] = (1-alpha)/(1+alpha)*alpha^|x|
    u = random.random()
    if u <= (1 - alpha) / (1 + alpha):
        return 0
    else:
        s = random.random()
        if s < 0.5:
            return -int(math.floor(math.log((1 - u) * (1 + alpha) / 2) / math.log(alpha)))
        else:
            return int(math.floor(math.log((1 - u) * (1 + alpha) / 2) / math.log(alpha)))


def release_degree(degree, eps):
    return degree + geometric_noise(math.exp(-eps))
