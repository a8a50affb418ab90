"""opendp: what is applied one after the other, to numbers of a type."""

from opendp.prelude import _domains
from synth.stubs import plain, typed, untried


class Chain:
    def __init__(self, first, second):
        self._first = first
        self._second = second

    def __call__(self, arg):
        return self._second(self._first(arg))


class Transformation(Chain):
    """What it gives is in a domain, with a metric."""

    def __init__(self, first, second, domain, metric):
        self._first = first
        self._second = second
        self._domain = domain
        self._metric = metric

    def _is_bounded(self):
        return False


class Clamped(Transformation):
    """What it gives has bounds."""

    def _is_bounded(self):
        return True


class Typed:
    """Takes numbers of the type of a domain, and raises for others."""

    def __init__(self, domain):
        self._zero = 0 if isinstance(domain, (_domains.Integer, _domains.Integers)) else 0.0

    def __call__(self, arg):
        untried()
        return self.holding(plain(arg))

    def holding(self, arg):
        return typed(arg, self._zero)


def is_of_lists(domain):
    """Whether a domain is one of lists."""
    return isinstance(domain, (_domains.Integers, _domains.Reals, _domains.Unclears))
