"""opendp: what is applied one after the other."""


class Chain:
    def __init__(self, first, second):
        self._first = first
        self._second = second

    def __call__(self, arg):
        return self._second(self._first(arg))
