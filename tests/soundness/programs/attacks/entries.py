"""Entries of local lists that don't exist: whatever is said of them must not reach other states."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def entry_that_never_is(x: int, n: int, eps: float) -> int:
    """Taking ``xs[5]`` for an entry that was appended makes all that follows vacuous.

    True loss: 50*eps, for n >= 1000.
    """
    xs = [7]
    y = xs[5] if len(xs) > 5 else 0
    return laplace(x if n < 1000 else 50 * x, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def entry_in_a_condition(x: int, n: int, eps: float) -> int:
    """As above, in the second half of an ``and``.

    True loss: 50*eps, for n >= 1000.
    """
    xs = [7]
    z = 0
    if len(xs) > 5 and xs[5] == 3:
        z = 1
    return laplace(x if n < 1000 else 50 * x, 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps*len(q)")
def last_entry_if_any(q: list[int], n: int, eps: float) -> list[int]:
    """The list is empty whenever its first entry is asked for; it is appended to afterwards.

    True loss: 9*eps*len(q), for n >= 1000.
    """
    seen = []
    out = []
    for y in q:
        last = seen[0] if len(seen) > 0 else 0
        out.append(laplace(y if n < 1000 else 9 * y, 1 / eps))
    seen.append(1)
    return out
