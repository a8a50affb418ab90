"""opendp.measurements: noise around numbers, which the real ones round to a grid around floats.

They raise but where the feature contrib is enabled.
"""

import synth.lang as lang
from opendp.prelude import _domains, _metrics
from opendp.prelude._chains import Chain, Typed
from synth.stubs import shown, untried


class _Laplace:
    def __init__(self, scale: float):
        self._scale = scale

    def __call__(self, arg):
        return lang.laplace(arg, self._scale)


class _Laplaces:
    def __init__(self, scale: float):
        self._scale = scale

    def __call__(self, arg):
        return [lang.laplace(entry, self._scale) for entry in arg]


class _Gaussian:
    def __init__(self, scale: float):
        self._scale = scale

    def __call__(self, arg):
        return lang.gaussian(arg, self._scale)


class _Gaussians:
    def __init__(self, scale: float):
        self._scale = scale

    def __call__(self, arg):
        return [lang.gaussian(entry, self._scale) for entry in arg]


class _ThenLaplace:
    def __init__(self, scale: float):
        self._scale = scale

    def _after(self, first):
        if isinstance(first, tuple):
            return _with_laplace(Typed(first[0]), first[0], first[1], self._scale)
        return _with_laplace(first, first._domain, first._metric, self._scale)


class _ThenGaussian:
    def __init__(self, scale: float):
        self._scale = scale

    def _after(self, first):
        if isinstance(first, tuple):
            return _with_gaussian(Typed(first[0]), first[0], first[1], self._scale)
        return _with_gaussian(first, first._domain, first._metric, self._scale)


def make_laplace(input_domain, input_metric, scale: float, k=None):
    """draws from the Laplace law around a number, or each of a list, and rounds nothing, with contrib on"""
    shown(scale > 0)
    shown(k is None)
    return _with_laplace(Typed(input_domain), input_domain, input_metric, scale)


def then_laplace(scale: float, k=None):
    """draws from the Laplace law around a number, or each of a list, and rounds nothing, with contrib on"""
    shown(scale > 0)
    shown(k is None)
    return _ThenLaplace(scale)


def make_gaussian(input_domain, input_metric, scale: float, k=None):
    """draws from the normal law around a number, or each of a list, and rounds nothing, with contrib on"""
    shown(scale > 0)
    shown(k is None)
    return _with_gaussian(Typed(input_domain), input_domain, input_metric, scale)


def then_gaussian(scale: float, k=None):
    """draws from the normal law around a number, or each of a list, and rounds nothing, with contrib on"""
    shown(scale > 0)
    shown(k is None)
    return _ThenGaussian(scale)


def _with_laplace(first, domain, metric, scale):
    untried()
    if isinstance(domain, (_domains.Integer, _domains.Real)):
        shown(isinstance(metric, _metrics.Absolute))
        return Chain(first, _Laplace(scale))
    shown(isinstance(domain, (_domains.Integers, _domains.Reals)))
    shown(isinstance(metric, _metrics.L1))
    return Chain(first, _Laplaces(scale))


def _with_gaussian(first, domain, metric, scale):
    untried()
    if isinstance(domain, (_domains.Integer, _domains.Real)):
        shown(isinstance(metric, _metrics.Absolute))
        return Chain(first, _Gaussian(scale))
    shown(isinstance(domain, (_domains.Integers, _domains.Reals)))
    shown(isinstance(metric, _metrics.L2))
    return Chain(first, _Gaussians(scale))
