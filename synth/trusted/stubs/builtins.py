"""Python's own functions, as far as they are no primitives of the reader.

Those that begin with an underscore are models of methods and operators, and of a function for some arguments.
"""

# ruff: noqa: SIM110, SIM113, C416 -- the reader takes these for their models

from synth.stubs import shown


def sum(iterable, /, start=0):
    """Adds up."""
    total = start
    for item in iterable:
        total += item
    return total


def divmod(x, y, /):
    """The quotient, rounded down, and what is left."""
    return x // y, x % y


def any(iterable, /):
    """Whether one of them is true; those behind it are not looked at."""
    for item in iterable:
        if item:
            return True
    return False


def all(iterable, /):
    """Whether none of them is false; those behind one that is are not looked at."""
    for item in iterable:
        if not item:
            return False
    return True


def next(iterable, default, /):
    """The first of them, or the default; those behind it are not looked at."""
    for item in iterable:
        return item
    return default


def _any(iterable, /):
    """The same as any, where nothing else happens while it looks at all of them."""
    found = False
    for item in iterable:
        found = found or bool(item)
    return found


def _all(iterable, /):
    """The same as all, where nothing else happens while it looks at all of them."""
    found = True
    for item in iterable:
        found = found and bool(item)
    return found


def max(iterable, /):
    """The first of the largest."""
    best = 0
    seen = 0
    for item in iterable:
        if seen == 0 or item > best:
            best = item
        seen += 1
    shown(seen > 0)
    return best


def min(iterable, /):
    """The first of the smallest."""
    best = 0
    seen = 0
    for item in iterable:
        if seen == 0 or item < best:
            best = item
        seen += 1
    shown(seen > 0)
    return best


def _max(numbers, /):
    """The same as max, of a list."""
    shown(len(numbers) > 0)
    best = numbers[0]
    for item in numbers:
        if item > best:
            best = item
    return best


def _min(numbers, /):
    """The same as min, of a list."""
    shown(len(numbers) > 0)
    best = numbers[0]
    for item in numbers:
        if item < best:
            best = item
    return best


def _max_or(iterable, default):
    """The first of the largest, or else the default."""
    best = default
    seen = 0
    for item in iterable:
        if seen == 0 or item > best:
            best = item
        seen += 1
    return best


def _min_or(iterable, default):
    """The first of the smallest, or else the default."""
    best = default
    seen = 0
    for item in iterable:
        if seen == 0 or item < best:
            best = item
        seen += 1
    return best


def _index_of_max(numbers):
    """The index of the first of the largest."""
    shown(len(numbers) > 0)
    best = 0
    for place in range(len(numbers)):
        if numbers[place] > numbers[best]:
            best = place
    return best


def _index_of_min(numbers):
    """The index of the first of the smallest."""
    shown(len(numbers) > 0)
    best = 0
    for place in range(len(numbers)):
        if numbers[place] < numbers[best]:
            best = place
    return best


def _max_by(iterable, key):
    """The first of those with the largest key."""
    best = 0
    most = 0
    seen = 0
    for item in iterable:
        mark = key(item)
        if seen == 0 or mark > most:
            best, most = item, mark
        seen += 1
    shown(seen > 0)
    return best


def _min_by(iterable, key):
    """The first of those with the smallest key."""
    best = 0
    least = 0
    seen = 0
    for item in iterable:
        mark = key(item)
        if seen == 0 or mark < least:
            best, least = item, mark
        seen += 1
    shown(seen > 0)
    return best


def _max_of_list_by(entries, key):
    """The same as _max_by, of a list."""
    shown(len(entries) > 0)
    best = entries[0]
    most = 0
    seen = 0
    for item in entries:
        mark = key(item)
        if seen == 0 or mark > most:
            best, most = item, mark
        seen += 1
    return best


def _min_of_list_by(entries, key):
    """The same as _min_by, of a list."""
    shown(len(entries) > 0)
    best = entries[0]
    least = 0
    seen = 0
    for item in entries:
        mark = key(item)
        if seen == 0 or mark < least:
            best, least = item, mark
        seen += 1
    return best


def _max_by_or(iterable, default, key):
    """The first of those with the largest key, or else the default."""
    best = default
    most = 0
    seen = 0
    for item in iterable:
        mark = key(item)
        if seen == 0 or mark > most:
            best, most = item, mark
        seen += 1
    return best


def _min_by_or(iterable, default, key):
    """The first of those with the smallest key, or else the default."""
    best = default
    least = 0
    seen = 0
    for item in iterable:
        mark = key(item)
        if seen == 0 or mark < least:
            best, least = item, mark
        seen += 1
    return best


def map(function, iterable, /):
    """Each entry's value of a function."""
    return (function(item) for item in iterable)


def filter(function, iterable, /):
    """The entries of which a function is true."""
    return (item for item in iterable if function(item))


def _sorted_by(iterable, key, reverse):
    """A new list in the order of the keys, which are all computed before."""
    pairs = []
    for item in iterable:
        pairs.append((key(item), item))
    result = []
    for pair in pairs:
        longer = []
        placed = False
        for other in result:
            if not placed and (other[0] < pair[0] if reverse else pair[0] < other[0]):
                longer.append(pair)
                placed = True
            longer.append(other)
        if not placed:
            longer.append(pair)
        result = [other for other in longer]
    return [pair[1] for pair in result]


def sorted(iterable, /, *, key=None, reverse=False):
    """A new list, in which equal entries keep their order."""
    if key is not None:
        return _sorted_by(iterable, key, reverse)
    result = []
    for item in iterable:
        longer = []
        placed = False
        for other in result:
            if not placed and (other < item if reverse else item < other):
                longer.append(item)
                placed = True
            longer.append(other)
        if not placed:
            longer.append(item)
        result = [other for other in longer]
    return result


def _count(entries, value):
    """How many entries are equal to a value."""
    number = 0
    for item in entries:
        if item == value:
            number += 1
    return number


def _contains(entries, value):
    """Whether an entry is equal to a value."""
    found = False
    for item in entries:
        found = found or item == value
    return found


def _index(entries, value):
    """The index of the first entry that is equal to a value."""
    place = -1
    for number, item in enumerate(entries):
        if place < 0 and item == value:
            place = number
    shown(place >= 0)
    return place


def _with_entry(entries, place, value):
    """The entries, with another one at a place."""
    return [value if number == place else item for number, item in enumerate(entries)]


def _without_entry(entries, place):
    """The entries without the one at a place."""
    return [item for number, item in enumerate(entries) if number != place]


def _with_inserted(entries, place, value):
    """The entries with one more before a place, which is between 0 and their number."""
    longer = [entries[number] for number in range(place)]
    longer.append(value)
    longer.extend([entries[number] for number in range(place, len(entries))])
    return longer
