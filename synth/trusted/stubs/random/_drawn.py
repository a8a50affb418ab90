"""Draws without replacement: what the samplers of libraries have in common."""

import synth.lang as lang

from synth.stubs import shown


def _drawn_from(a, size: int):
    """as many entries as asked for, one after the other, each of those that are left"""
    count = +a if isinstance(a, int) else len(a)  # no truth value
    shown(size >= 0 and size <= count)
    left = list(range(a)) if isinstance(a, int) else list(a)
    drawn = []
    for place in range(size):
        other = lang.uniform_int(place, count - 1)
        assert len(left) == count
        chosen = left[other]
        if isinstance(a, int):
            assert chosen >= 0 and chosen < count
        left[other] = left[place]
        drawn.append(chosen)
    return drawn
