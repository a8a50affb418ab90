"""bisect: places in lists that ascend."""

from synth.stubs import shown, sought


def bisect_left(a, x):
    """is the number of sums of weights that a uniform draw exceeds"""
    shown(not isinstance(a, dict))
    sought(x)
    place = 0
    for i, entry in enumerate(a):
        if entry < x:
            shown(i == 0 or a[i - 1] < x)
            place += 1
    return place


def bisect_right(a, x):
    """is the number of sums of weights that a uniform draw is not below"""
    shown(not isinstance(a, dict))
    sought(x)
    place = 0
    for i, entry in enumerate(a):
        if entry <= x:
            shown(i == 0 or a[i - 1] <= x)
            place += 1
    return place


def bisect(a, x):
    """is the number of sums of weights that a uniform draw is not below"""
    return bisect_right(a, x)
