"""Above threshold, with the control flow written in other ways."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_early_return(q: list[int], t: int, eps: float) -> int:
    """Returns from within the loop."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_break(q: list[int], t: int, eps: float) -> int:
    """Breaks out of the loop, then returns."""
    result = len(q)
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold:
            result = i
            break
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_flag(q: list[int], t: int, eps: float) -> int:
    """A flag guards the rest of the loop; the loop itself runs on."""
    threshold = laplace(t, scale=2 / eps)
    found = False
    where = len(q)
    for i in range(len(q)):
        if not found:
            answer = laplace(q[i], scale=4 / eps)
            if threshold <= answer:
                found = True
                where = i
    return where


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_while(q: list[int], t: int, eps: float) -> int:
    """A while loop with its own counter."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    i = 0
    while i < len(q):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and result == len(q):
            result = i
        i += 1
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_while_flag(q: list[int], t: int, eps: float) -> int:
    """The flag is part of the loop's condition, and the counter stops at the answer."""
    noisy_t = laplace(t, scale=2 / eps)
    i, done = 0, False
    while i < len(q) and not done:
        if laplace(q[i], scale=4 / eps) < noisy_t:
            i = i + 1
        else:
            done = True
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_while_true(q: list[int], t: int, eps: float) -> int:
    """An endless loop that is left by two returns."""
    threshold = laplace(t, scale=2 / eps)
    position = 0
    while True:
        if position >= len(q):
            return position
        answer = laplace(q[position], scale=4 / eps)
        if answer >= threshold:
            return position
        position += 1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_continue(q: list[int], t: int, eps: float) -> int:
    """Queries below are skipped with continue."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer < threshold:
            continue
        return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_swapped_branches(q: list[int], t: int, eps: float) -> int:
    """Mirrored comparison, branches swapped, nested ifs for the conjunction."""
    r = len(q)
    bar = laplace(t, scale=2 / eps)
    for j in range(0, len(q)):
        value = laplace(q[j], scale=4 / eps)
        if value < bar:
            pass
        else:
            if r == len(q):
                r = j
    return r


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_negated(q: list[int], t: int, eps: float) -> int:
    """The comparison under a not, the conjunction as a disjunction."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if not (answer < threshold or result != len(q)):
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_conditional_expression(q: list[int], t: int, eps: float) -> int:
    """A conditional expression in place of the branch."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        result = i if threshold <= answer and result == len(q) else result
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_minimum_index(q: list[int], t: int, eps: float) -> int:
    """The least index above, by min."""
    threshold = laplace(t, scale=2 / eps)
    first = len(q)
    for i in range(len(q)):
        if threshold <= laplace(q[i], scale=4 / eps):
            first = min(first, i)
    return first


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_enumerate(q: list[int], t: int, eps: float) -> int:
    """Goes over the queries with enumerate."""
    threshold = laplace(t, scale=2 / eps)
    for i, x in enumerate(q):
        if laplace(x, scale=4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_manual_counter(q: list[int], t: int, eps: float) -> int:
    """Goes over the queries themselves, with a counter beside it."""
    threshold = laplace(t, scale=2 / eps)
    seen = 0
    for x in q:
        answer = laplace(x, scale=4 / eps)
        if answer >= threshold:
            return seen
        seen += 1
    return seen


@mechanism(adjacent={"query": linf_distance(1)}, requires="eps > 0 and n >= 0")
def at_callable(query: Callable[[int], int], n: int, t: int, eps: float) -> int:
    """The queries are a function; n of them are asked."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(n):
        if laplace(query(i), scale=4 / eps) >= threshold:
            return i
    return n


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_backwards(q: list[int], t: int, eps: float) -> int:
    """Goes from the end to the front: the last query above t, or -1."""
    threshold = laplace(t, scale=2 / eps)
    i = len(q) - 1
    while i >= 0:
        if laplace(q[i], scale=4 / eps) >= threshold:
            break
        i -= 1
    return i


def first_above(q, threshold, scale):
    """Index of the first entry noisily above the threshold."""
    for i in range(len(q)):
        if laplace(q[i], scale) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_helper_loop(q: list[int], t: int, eps: float) -> int:
    """The loop lives in a helper that returns early."""
    return first_above(q, laplace(t, 2 / eps), 4 / eps)
