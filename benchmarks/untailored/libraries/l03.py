import random
from collections import Counter

BROWSERS = ("chrome", "firefox", "safari", "edge", "other")


def laplace_noise(scale):
    """The difference of two exponential variables is Laplace distributed."""
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)


def browser_histogram(visits, epsilon):
    """Noisy number of visits per browser; names that are not known count as "other"."""
    counts = Counter(b if b in BROWSERS else "other" for b in visits)
    released = {}
    for browser in BROWSERS:
        noisy = counts[browser] + laplace_noise(1.0 / epsilon)
        released[browser] = max(0, round(noisy))
    return released
