"""opendp.measurements: noise around numbers, which the real ones round to a grid around floats."""

import synth.lang as lang
from synth.stubs import shown


class LaplaceMeasurement:
    def __init__(self, zero, scale: float):
        self._zero = zero
        self._scale = scale

    def __call__(self, arg):
        return lang.laplace(arg + self._zero, self._scale)


class GaussianMeasurement:
    def __init__(self, zero, scale: float):
        self._zero = zero
        self._scale = scale

    def __call__(self, arg):
        return lang.gaussian(arg + self._zero, self._scale)


def make_laplace(input_domain, input_metric, scale: float, k=None):
    """draws from the Laplace law around a number, and rounds nothing"""
    shown(scale > 0)
    return LaplaceMeasurement(input_domain, scale)


def make_gaussian(input_domain, input_metric, scale: float, k=None):
    """draws from the normal law around a number, and rounds nothing"""
    shown(scale > 0)
    return GaussianMeasurement(input_domain, scale)
