"""opendp: what is applied one after the other, to numbers of a type."""

from synth.stubs import typed


class Chain:
    def __init__(self, first, second):
        self._first = first
        self._second = second

    def __call__(self, arg):
        return self._second(self._first(arg))


class Typed:
    """Takes numbers of the type of a domain, and raises for others."""

    def __init__(self, zero):
        self._zero = zero

    def __call__(self, arg):
        return typed(arg, self._zero)


def behind(first, then):
    """is what is done with numbers of a domain, or after something else"""
    return Chain(Typed(first[0][0]), then) if isinstance(first, tuple) else Chain(first, then)
