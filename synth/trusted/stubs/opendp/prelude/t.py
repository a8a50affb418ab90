"""opendp.transformations: of lists of numbers, as exact numbers."""

from opendp.prelude._chains import Chain, Typed, behind
from synth.stubs import shown


class _Clamp:
    def __init__(self, lower, upper):
        self._lower = lower
        self._upper = upper

    def __call__(self, arg):
        return [min(max(entry, self._lower), self._upper) for entry in arg]

    def _after(self, first):
        return behind(first, self)


class _Sum:
    def __call__(self, arg):
        return sum(arg)

    def _after(self, first):
        return behind(first, self)


class _Count:
    def __call__(self, arg):
        return len(arg)

    def _after(self, first):
        return behind(first, self)


def make_clamp(input_domain, input_metric, bounds):
    """cuts each number of a list off to the bounds"""
    shown(bounds[0] <= bounds[1])
    return Chain(Typed(input_domain[0]), _Clamp(bounds[0], bounds[1]))


def then_clamp(bounds):
    """cuts each number of a list off to the bounds"""
    shown(bounds[0] <= bounds[1])
    return _Clamp(bounds[0], bounds[1])


def make_sum(input_domain, input_metric):
    """adds up the numbers of a list"""
    return Chain(Typed(input_domain[0]), _Sum())


def then_sum():
    """adds up the numbers of a list"""
    return _Sum()


def make_count(input_domain, input_metric):
    """counts the numbers of a list"""
    return Chain(Typed(input_domain[0]), _Count())


def then_count():
    """counts the numbers of a list"""
    return _Count()
