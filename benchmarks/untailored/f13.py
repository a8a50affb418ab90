import random


def lap(b):
    return random.expovariate(1 / b) - random.expovariate(1 / b)


def suppressed_count(records, flag, epsilon):
    n = sum(1 for r in records if r == flag)
    if n == 0:
        return 0
    return n + lap(1 / epsilon)
