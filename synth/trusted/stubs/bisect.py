"""bisect: places in lists that ascend."""

from synth.stubs import sought


def bisect_left(a, x):
    """is the number of sums of weights that a uniform draw exceeds"""
    sought(x)
    place = 0
    for entry in a:
        if entry < x:
            place += 1
    return place


def bisect_right(a, x):
    """is the number of sums of weights that a uniform draw is not below"""
    sought(x)
    place = 0
    for entry in a:
        if entry <= x:
            place += 1
    return place


def bisect(a, x):
    """is the number of sums of weights that a uniform draw is not below"""
    return bisect_right(a, x)
