"""opendp.measurements: noise around numbers, which the real ones round to a grid around floats."""

import synth.lang as lang
from opendp.prelude._chains import Chain, Typed
from synth.stubs import shown


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
        return (
            make_laplace(first[0], first[1], self._scale)
            if isinstance(first, tuple)
            else Chain(first, _Laplace(self._scale))
        )


class _ThenGaussian:
    def __init__(self, scale: float):
        self._scale = scale

    def _after(self, first):
        return (
            make_gaussian(first[0], first[1], self._scale)
            if isinstance(first, tuple)
            else Chain(first, _Gaussian(self._scale))
        )


def make_laplace(input_domain, input_metric, scale: float, k=None):
    """draws from the Laplace law around a number, or each number of a list, and rounds nothing"""
    shown(scale > 0)
    return (
        Chain(Typed(input_domain[0]), _Laplaces(scale))
        if isinstance(input_domain, tuple)
        else Chain(Typed(input_domain), _Laplace(scale))
    )


def then_laplace(scale: float, k=None):
    """draws from the Laplace law around a number, or each number of a list, and rounds nothing"""
    shown(scale > 0)
    return _ThenLaplace(scale)


def make_gaussian(input_domain, input_metric, scale: float, k=None):
    """draws from the normal law around a number, or each number of a list, and rounds nothing"""
    shown(scale > 0)
    return (
        Chain(Typed(input_domain[0]), _Gaussians(scale))
        if isinstance(input_domain, tuple)
        else Chain(Typed(input_domain), _Gaussian(scale))
    )


def then_gaussian(scale: float, k=None):
    """draws from the normal law around a number, or each number of a list, and rounds nothing"""
    shown(scale > 0)
    return _ThenGaussian(scale)
