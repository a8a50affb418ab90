"""opendp.transformations: of lists of numbers, as exact numbers, with the feature contrib enabled."""

from opendp.prelude import _domains, _metrics
from opendp.prelude._chains import Clamped, Transformation, Typed, is_of_lists
from synth.stubs import plain, shown, untried


class _Clamp:
    def __init__(self, lower, upper):
        self._lower = lower
        self._upper = upper

    def __call__(self, arg):
        return [min(max(entry, self._lower), self._upper) for entry in arg]

    def _after(self, first):
        if isinstance(first, tuple):
            return _clamped(Typed(first[0]), first[0], first[1], self)
        return _clamped(first, first._domain, first._metric, self)


class _Sum:
    def __call__(self, arg):
        return sum(arg)

    def _after(self, first):
        shown(first._is_bounded())
        if isinstance(first._domain, _domains.Integers):
            return Transformation(first, self, _domains.Integer(), _metrics.Absolute())
        return Transformation(first, self, _domains.Real(), _metrics.Absolute())


class _Count:
    def __call__(self, arg):
        return len(arg)

    def _after(self, first):
        if isinstance(first, tuple):
            return _counted(Typed(first[0]), first[0], first[1], self)
        return _counted(first, first._domain, first._metric, self)


def make_clamp(input_domain, input_metric, bounds):
    """cuts each number of a list off to the bounds"""
    return _clamped(Typed(input_domain), input_domain, input_metric, _cut(bounds))


def then_clamp(bounds):
    """cuts each number of a list off to the bounds"""
    return _cut(bounds)


def then_sum():
    """adds up the numbers of a list, which have bounds"""
    return _Sum()


def make_count(input_domain, input_metric):
    """counts the numbers of a list"""
    return _counted(Typed(input_domain), input_domain, input_metric, _Count())


def then_count():
    """counts the numbers of a list"""
    return _Count()


def _is_clear(domain):
    """a domain of lists of integers, or of reals with nan=False"""
    return isinstance(domain, (_domains.Integers, _domains.Reals))


def _cut(bounds):
    shown(isinstance(bounds, tuple))
    lower, upper = plain(bounds)
    shown(lower <= upper)
    return _Clamp(lower, upper)


def _clamped(first, domain, metric, step):
    untried()
    shown(_is_clear(domain))
    shown(isinstance(metric, _metrics.Symmetric))
    number = Typed(domain)
    lower = number.holding(step._lower)
    upper = number.holding(step._upper)
    return Clamped(first, _Clamp(lower, upper), domain, metric)


def _counted(first, domain, metric, step):
    untried()
    shown(is_of_lists(domain))
    shown(isinstance(metric, _metrics.Symmetric))
    return Transformation(first, step, _domains.Integer(), _metrics.Absolute())
