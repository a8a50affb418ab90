"""diffprivlib.tools: statistics of arrays, with the bounds that are given."""

import numpy as np

from diffprivlib.mechanisms import GeometricTruncated, LaplaceTruncated
from synth.stubs import shown, source


def _is_taken(random_state: source):
    """random_state is None or a source without a seed"""
    return random_state is None or isinstance(random_state, np.random.RandomState)


def mean(
    array,
    epsilon: float = 1.0,
    bounds=None,
    axis=None,
    dtype=None,
    keepdims: bool = False,
    random_state: source = None,
    accountant=None,
):
    """is the mean of what is clipped to the bounds, with Laplace noise, cut off to the bounds"""
    shown(axis is None)
    shown(dtype is None)
    shown(not keepdims)
    shown(accountant is None)
    shown(_is_taken(random_state))
    shown(isinstance(bounds, tuple))
    lower, upper = bounds
    shown(lower <= upper)
    clipped = np.clip(array, lower, upper)
    noise = LaplaceTruncated(
        epsilon=epsilon, sensitivity=(upper - lower) / len(clipped), lower=lower, upper=upper
    )
    return noise.randomise(np.mean(clipped))


def count_nonzero(
    array,
    epsilon: float = 1.0,
    axis=None,
    keepdims: bool = False,
    random_state: source = None,
    accountant=None,
):
    """counts the entries that are not zero, with geometric noise, cut off to the length"""
    shown(axis is None)
    shown(not keepdims)
    shown(accountant is None)
    shown(_is_taken(random_state))
    noise = GeometricTruncated(epsilon=epsilon, lower=0, upper=len(array))
    return noise.randomise(np.count_nonzero(array))
