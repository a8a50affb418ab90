"""scipy.special."""

from numpy import exp, log, max, sum
from synth.stubs import as_array, shown


def softmax(x, axis=None):
    """is the exponentials of numbers, divided by their sum"""
    shown(axis is None)
    numbers = as_array(x)
    weights = exp(numbers - max(numbers))
    return weights / sum(weights)


def logsumexp(a, axis=None):
    """is the logarithm of the sum of exponentials"""
    shown(axis is None)
    return log(sum(exp(as_array(a))))
