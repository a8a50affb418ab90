import math
import random


def laplace(scale):
    u = random.random() - 0.5
    return -scale * math.copysign(1, u) * math.log(1 - 2 * abs(u))


def moving_sums(stream, w, eps):
    """The sum of each window of w successive values; a value is in at most w of them."""
    out = []
    start = 0
    while start + w <= len(stream):
        total = 0
        for j in range(start, start + w):
            total += stream[j]
        out.append(total + laplace(w / eps))
        start += 1
    return out
