"""Loops that noise leaves early, where nobody learns in which round: all need ``eps``, or nothing.

Run 2 draws the same answers as run 1; that some answer is above the threshold, or that none is, is kept by the
threshold alone.  Whether a run draws further answers behind the first one above changes nothing.
"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def any_of_a_generator(q: list[float], t: float, eps: float) -> bool:
    """As any_above; Python's any stops at the first True."""
    threshold = laplace(t, scale=1 / eps)
    return any(laplace(x, scale=1 / eps) >= threshold for x in q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def all_of_a_generator(q: list[int], t: int, eps: float) -> str:
    """As any_above, of answers that are below."""
    bar = laplace(t, scale=1 / eps)
    if all(bar <= laplace(x, scale=3 / eps) for x in q):
        return "all"
    return "not all"


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def one_with_break(q: list[float], t: float, eps: float) -> int:
    """As any_above, with a number and a break."""
    noisy = laplace(t, scale=1 / eps)
    seen = 0
    for i in range(len(q)):
        answer = laplace(q[i], scale=2 / eps)
        if answer < noisy:
            continue
        seen = 1
        break
    return seen


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def found_in_while(q: list[float], t: float, eps: float) -> bool:
    """As any_above, with a flag at the head of the loop."""
    noisy = laplace(t, scale=1 / eps)
    found = False
    i = 0
    while not found and i < len(q):
        if laplace(q[i], scale=1 / eps) >= noisy:
            found = True
        i += 1
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def not_found_yet(q: list[float], t: float, eps: float) -> bool:
    """As any_above, with a flag around the draw."""
    noisy = laplace(t, scale=1 / eps)
    found = False
    for x in q:
        if not found:
            if laplace(x, scale=1 / eps) >= noisy:
                found = True
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def nothing_is_told(q: list[float], eps: float) -> int:
    """Returns 0 whatever is drawn."""
    for x in q:
        if laplace(x, scale=1 / eps) > 0:
            break
    return 0
