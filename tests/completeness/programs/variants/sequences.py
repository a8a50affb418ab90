"""Mechanisms that run one after the other, and choices that depend on what came before."""

from synth.lang import *


def first_above(q, t, eps):
    threshold = laplace(t, scale=2 / eps)
    found = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if threshold <= answer and found == len(q):
            found = i
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def five_thresholds(q: list[int], a: int, b: int, c: int, d: int, e: int, eps: float):
    first = first_above(q, a, eps)
    second = first_above(q, b, eps)
    third = first_above(q, c, eps / 2)
    fourth = first_above(q, d, eps)
    fifth = first_above(q, e, eps / 2)
    return first, second, third, fourth, fifth


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def best_and_its_value(q: list[float], eps: float):
    """The value of the winner is asked with fresh noise."""
    best = 0.0
    winner = 0
    for i in range(len(q)):
        noisy = laplace(q[i], scale=2 / eps)
        if i == 0 or noisy > best:
            best, winner = noisy, i
    value = 0.0
    if winner < len(q):
        value = laplace(q[winner], scale=1 / eps)
    return winner, value


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def noisy_length_of_a_loop(q: list[int], eps: float):
    """What was released decides how many entries are summed."""
    total = 0
    for x in q:
        total += x
    size = laplace(total, scale=1 / eps)
    part = 0
    for i in range(len(q)):
        if i < size:
            part += q[i]
    return size, laplace(part, scale=1 / eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def two_halves(q: list[int], middle: int, eps: float):
    """One entry differs: only one of the two sums does."""
    low = 0
    high = 0
    for i in range(len(q)):
        if i < middle:
            low += q[i]
        else:
            high += q[i]
    first = laplace(low, scale=1 / eps)
    second = laplace(high, scale=1 / eps)
    return first, second


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def growing_list(q: list[int], eps: float):
    """One list that grows in three stretches."""
    out = []
    for x in q:
        out.append(laplace(x, scale=1 / eps))
    out.append(0)
    for x in q:
        out.append(laplace(2 * x, scale=2 / eps))
    total = 0
    for x in q:
        total += x
    out.append(laplace(total, scale=3 / eps))
    for x in q:
        if x == 0:
            total += 1
    out.append(laplace(total, scale=2 / eps))
    total = 0
    out.append(laplace(total, scale=2 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def scale_by_what_came_before(x: int, eps: float):
    first = laplace(x, scale=1 / eps)
    wide = first > 10
    second = laplace(x, scale=2 / eps if wide else 1 / eps)
    return second


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="eps > 0",
    epsilon="eps + 1",
    delta="0.00001",
)
def threshold_then_normal(q: list[int], t: int, eps: float):
    found = first_above(q, t, eps)
    value = 0
    if found < len(q):
        value = gaussian(q[found], 6)
    return found, value


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="2", delta="0.00002")
def tail_then_normal(x: int):
    noisy = laplace(x, 1)
    shown = noisy if noisy > 13 else 0
    return shown, gaussian(x, 6)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def nine_answers(q: list[int], t: int, eps: float):
    """A number as the limit of a sparse vector."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        answer = laplace(x, scale=36 / eps)
        above = threshold <= answer
        out.append(above)
        if above:
            count += 1
            if count == 9:
                return out
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def letters(q: list[int], eps: float):
    """A chain of branches on noise."""
    out = []
    for x in q:
        y = laplace(x, scale=1 / eps)
        if y >= 60:
            out.append(0)
        elif y >= 50:
            out.append(1)
        elif y >= 40:
            out.append(2)
        elif y >= 30:
            out.append(3)
        elif y >= 20:
            out.append(4)
        elif y >= 10:
            out.append(5)
        elif y >= 0:
            out.append(6)
        else:
            out.append(7)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def modes(x: int, a: bool, b: bool, c: bool, d: bool, e: bool, f: bool, eps: float):
    """A chain of public switches."""
    if a:
        y = laplace(x, scale=1 / eps)
    elif b:
        y = laplace(-x, scale=1 / eps)
    elif c:
        y = laplace(2 * x, scale=2 / eps)
    elif d:
        y = laplace(3 * x, scale=3 / eps)
    elif e:
        y = laplace(x - 1, scale=1 / eps)
    elif f:
        y = laplace(1 - x, scale=1 / eps)
    else:
        y = 0
    return y


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def ten_releases(q: list[int], eps: float):
    """Ten draws per entry, into one list."""
    out = []
    for x in q:
        out.append(laplace(x, scale=8 / eps))
        out.append(laplace(x, scale=8 / eps))
        out.append(laplace(x, scale=8 / eps))
        out.append(laplace(x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
        out.append(laplace(-x, scale=8 / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 1")
def select_then_measure(q: list[int], t: int, c: int, eps: float):
    """The indices that were found are inside, and no more than c."""
    threshold = laplace(t, 2/eps)
    chosen = []
    count = 0
    for i in range(len(q)):
        if count < c:
            if laplace(q[i], 4*c/eps) >= threshold:
                chosen.append(i)
                count += 1
    out = []
    for i in chosen:
        out.append(laplace(q[i], c/eps))
    return chosen, out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def pick_largest_count(q: list[int], eps: float):
    """The largest of the released counts is asked again."""
    noisy = []
    for x in q:
        noisy.append(laplace(x, 1/eps))
    best = 0
    for i in range(len(noisy)):
        if noisy[i] > noisy[best]:
            best = i
    if len(q) == 0:
        return 0
    return laplace(q[best], 1/eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def read_and_grow(q: list[int], eps: float):
    """A list that is read and then grows can't be cut between the two."""
    out = []
    y = laplace(q[0] if len(q) > 0 else 0, 1/eps)
    out.append(y)
    total = 0
    for z in out:
        total += z
    out.append(laplace(q[0] + total if len(q) > 0 else 0, 1/eps))
    w = laplace(0, 1/eps)
    v = laplace(q[0] if len(q) > 0 else 0, 1/eps)
    return (out, w, v)
