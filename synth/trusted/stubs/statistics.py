"""statistics: means and medians of lists."""

from synth.stubs import shown


def mean(data):
    """is the mean"""
    shown(len(data) > 0)
    return sum(data) / len(data)


def fmean(data):
    """is the mean"""
    shown(len(data) > 0)
    return sum(data) / len(data)


def median(data):
    """is the middle entry, or the mean of the two in the middle"""
    ordered = sorted(data)
    shown(len(ordered) > 0)
    if len(ordered) % 2 == 1:
        return ordered[len(ordered) // 2]
    return (ordered[len(ordered) // 2 - 1] + ordered[len(ordered) // 2]) / 2


def median_low(data):
    """is the middle entry, or the smaller of the two in the middle"""
    ordered = sorted(data)
    shown(len(ordered) > 0)
    return ordered[(len(ordered) - 1) // 2]


def median_high(data):
    """is the middle entry, or the larger of the two in the middle"""
    ordered = sorted(data)
    shown(len(ordered) > 0)
    return ordered[len(ordered) // 2]
