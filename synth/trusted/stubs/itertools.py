"""itertools: iterators that are made of others."""

from synth.stubs import shown


def product(first, second, /):
    """gives all pairs, the last part moving fastest"""
    others = list(second)
    return ((a, b) for a in list(first) for b in others)


def chain(iterable, /):
    """gives the entries of one iterable after the other"""
    return (item for item in iterable)


def accumulate(iterable):
    """gives the sums of the first entries"""
    sums = []
    total = 0
    for item in iterable:
        total = total + item
        sums.append(total if sums else item)
    return (item for item in sums)


def combinations(iterable, r):
    """gives all pairs of entries, in order"""
    shown(r == 2)
    items = list(iterable)
    return ((items[i], items[j]) for i in range(len(items)) for j in range(i + 1, len(items)))


def pairwise(iterable, /):
    """gives each entry with the next one"""
    items = list(iterable)
    return ((items[i], items[i + 1]) for i in range(len(items) - 1))


def repeat(object, times: int):
    """gives one value so many times"""
    return (object for _ in range(times))


def zip_longest(first, second, /, *, fillvalue):
    """gives the entries of two side by side, and the value for what the shorter one lacks"""
    left = list(first)
    right = list(second)
    return (
        (left[i] if i < len(left) else fillvalue, right[i] if i < len(right) else fillvalue)
        for i in range(max(len(left), len(right)))
    )
