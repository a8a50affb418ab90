"""Python's own functions, as far as they are no primitives of the reader."""


def sum(iterable, start=0):
    """Adds up."""
    total = start
    for item in iterable:
        total += item
    return total
