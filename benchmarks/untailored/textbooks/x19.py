import random


def lap(scale):
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)


def clip(v):
    return max(-1.0, min(1.0, v))


def regression_statistics(rows, eps):
    """Sufficient statistics of a simple linear regression."""
    n = 0
    sx = sy = sxx = sxy = 0.0
    for x, y in rows:
        x, y = clip(x), clip(y)
        n += 1
        sx += x
        sy += y
        sxx += x * x
        sxy += x * y
    return [lap(5 / eps) + s for s in (n, sx, sy, sxx, sxy)]
