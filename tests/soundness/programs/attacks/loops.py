"""Loops that only compute: tried first without an invariant, and what that left behind when it failed."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def loop_in_a_computing_loop(x: int, n: int, eps: float) -> int:
    """An inner loop's head that an attempt registered, without its clauses, ends all runs there.

    True loss: 50*eps, for n >= 1000.
    """
    xs = [7]
    z = 0
    for i in range(n):
        for j in range(3):
            z = xs[0]
    return laplace(x if n < 1000 else 50 * x, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def entry_in_a_computing_loop(x: int, n: int, eps: float) -> int:
    """The clause that nothing is known of entries that don't exist must outlive a failed attempt.

    True loss: 50*eps, for n >= 1000.
    """
    xs = []
    z = 0
    for i in range(n):
        z = xs[0] if len(xs) > 0 else 0
    xs.append(1)
    return laplace(x if n < 1000 else 50 * x, 1 / eps)
