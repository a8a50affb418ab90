"""Relatives of above threshold: other conditions for the first index, and yes/no answers."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def below_threshold(q: list[int], t: int, eps: float) -> int | None:
    """The first query noisily below t.

    Threshold -1: eps/2.  Above: nothing.  At the answer -1: 2*eps/4.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    for i, x in enumerate(q):
        if laplace(x, scale=4 / eps) < threshold:
            return i
    return None


@mechanism(adjacent={"q": linf_distance(1)}, requires="e1 > 0 and e2 > 0")
def above_threshold_two_budgets(q: list[float], t: float, e1: float, e2: float) -> int:
    """Above threshold with its two scales chosen freely.

    Threshold +1: e1.  At the answer +1: 2 steps of e2.  Sum: e1 + 2*e2.
    """
    threshold = laplace(t, 1 / e1)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], 1 / e2)
        if answer >= threshold and result == len(q):
            result = i
    return result


@mechanism(
    adjacent={"q": linf_distance(1), "p": linf_distance(1)},
    requires="eps > 0 and len(p) == len(q)",
)
def low_and_high(q: list[int], p: list[int], low: int, high: int, eps: float) -> int:
    """The first index at which q is below one threshold and p above another.

    Low threshold -1, high threshold +1: eps/4 each; where one of the two comparisons fails it
    fails in the other run too, at no cost.  At the answer -1 on q and +1 on p: 2*eps/8 each.
    Sum: eps.
    """
    bottom = laplace(low, scale=4 / eps)
    top = laplace(high, scale=4 / eps)
    for i in range(len(q)):
        a = laplace(q[i], scale=8 / eps)
        b = laplace(p[i], scale=8 / eps)
        if a <= bottom and b >= top:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first_in_band(q: list[float], low: float, high: float, eps: float) -> int:
    """The first query between two noisy thresholds, asked twice with noise of its own.

    Low threshold +1, high threshold -1: eps/4 each.  At the answer +1 on the first and -1 on the
    second noise; both are centred at the same query, which moves by some d between -1 and 1, so
    together they cost (1 + d) + (1 - d) = 2 steps of eps/8, not 4.  Sum: 3*eps/4.
    """
    noisy_low = laplace(low, scale=4 / eps)
    noisy_high = laplace(high, scale=4 / eps)
    i = 0
    while i < len(q):
        if laplace(q[i], scale=8 / eps) >= noisy_low:
            if laplace(q[i], scale=8 / eps) <= noisy_high:
                break
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def any_above(q: list[int], t: int, eps: float) -> bool:
    """Whether any query is noisily above; which one stays hidden.

    False: threshold +1, all answers null.  True: threshold -1, all answers null, so whichever
    query was above still is.  Either way one step of eps.
    """
    threshold = laplace(t, scale=1 / eps)
    found = False
    for x in q:
        if laplace(x, scale=2 / eps) >= threshold:
            found = True
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def any_above_early(q: list[float], t: float, eps: float) -> bool:
    """Whether any query is noisily above; leaves as soon as one is.

    As any_above: eps.  On True the second run may leave earlier than the first.
    """
    threshold = laplace(t, scale=1 / eps)
    for x in q:
        if laplace(x, scale=1 / eps) >= threshold:
            return True
    return False


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def all_above_exact(q: list[int], t: int, eps: float) -> bool:
    """Whether all queries are above the noisy threshold; no noise on the queries is needed.

    True: threshold -1.  False: threshold +1.  One step of eps.
    """
    threshold = laplace(t, scale=1 / eps)
    okay = True
    for x in q:
        okay = okay and x >= threshold
    return okay


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first_above_each_half(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """Above threshold on the even and on the odd positions, a threshold each.

    Two mechanisms of eps/2 each on different queries, but all queries may differ: each threshold
    +1 (eps/4), each answer +1 (2*eps/8).  Sum: eps.
    """
    even_t = laplace(t, scale=4 / eps)
    odd_t = laplace(t, scale=4 / eps)
    even = -1
    odd = -1
    for i in range(len(q)):
        answer = laplace(q[i], scale=8 / eps)
        if i % 2 == 0:
            if even < 0 and answer >= even_t:
                even = i
        else:
            if odd < 0 and answer >= odd_t:
                odd = i
    return even, odd


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def last_above(q: list[int], t: int, eps: float) -> int:
    """The last query above, or -1: each one found replaces the one before.

    Threshold +1: eps/2.  At the answer +1: 2*eps/4.  Before it anything may happen; after it all
    are below, at no cost.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    result = -1
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            result = i
    return result
