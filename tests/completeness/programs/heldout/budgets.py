"""Several budgets, repetition, and scales that depend on public data or on earlier outputs."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="e1 > 0 and e2 > 0")
def two_releases(x: int, e1: float, e2: float) -> tuple[int, int]:
    """The same number twice.

    e1 for the first, e2 for the second.  Sum: e1 + e2.
    """
    return laplace(x, scale=1 / e1), laplace(x, scale=1 / e2)


@mechanism(adjacent={"x": absolute_distance("Delta")}, requires="eps > 0 and Delta > 0 and k >= 0")
def repeated_release(x: float, Delta: float, k: int, eps: float) -> list[float]:
    """The same number k times.

    Delta steps of eps/Delta each time.  Sum: k*eps.
    """
    out = []
    for _ in range(k):
        out.append(laplace(x, Delta / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and k > 0")
def release_until(x: int, t: int, k: int, eps: float) -> list[int]:
    """Releases until one of them reaches t, k times at most.

    eps each time; where to stop is seen from the output.  Sum: k*eps.
    """
    out = []
    for _ in range(k):
        y = laplace(x, scale=1 / eps)
        out.append(y)
        if y >= t:
            break
    return out


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="e1 > 0 and e2 > 0 and b > 0",
)
def count_then_sum(q: list[int], b: int, e1: float, e2: float) -> tuple[int, int]:
    """How many entries are positive, and what they add up to.

    The count differs by at most 1: e1.  The sum of the positive parts by at most b: e2.
    Sum: e1 + e2.
    """
    count = 0
    total = 0
    for x in q:
        if x > 0:
            count += 1
            total += x
    return laplace(count, 1 / e1), laplace(total, b / e2)


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="e1 > 0 and e2 > 0 and b > 0",
)
def noisy_average(q: list[float], t: float, b: float, e1: float, e2: float) -> float:
    """Noisy sum over noisy count of the entries above t, kept between 0 and 1.

    The count differs by at most 1: e1.  What the entries exceed t by adds up to sums that differ
    by at most b: e2.  The rest is post-processing.  Sum: e1 + e2.
    """
    count = 0
    excess = 0.0
    for x in q:
        if x > t:
            count += 1
            excess += x - t
    noisy_count = laplace(count, 1 / e1)
    noisy_excess = laplace(excess, b / e2)
    average = noisy_excess / max(1, noisy_count)
    return min(1.0, max(0.0, average))


@mechanism(
    adjacent={"count": absolute_distance(1), "total": absolute_distance("b")},
    requires="eps > 0 and b > 0",
)
def scale_by_mode(count: int, total: int, by_count: bool, b: int, eps: float) -> int:
    """A public flag chooses the number and its scale.

    Either 1 step of eps, or b steps of eps/b.  Either way: eps.
    """
    if by_count:
        scale = 1 / eps
        value = count
    else:
        scale = b / eps
        value = total
    return laplace(value, scale)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def scale_by_outcome(x: int, t: int, eps: float) -> tuple[int, int]:
    """The first release decides how precise the second one is.

    eps/2 for the first; the second costs eps/2 or eps/4.  The worse: eps.
    """
    first = laplace(x, scale=2 / eps)
    scale = 2 / eps if first >= t else 4 / eps
    second = laplace(x, scale)
    return first, second


@mechanism(
    adjacent={"x": absolute_distance(1), "y": absolute_distance(1)},
    requires="e1 > 0 and e2 > 0",
)
def two_numbers(x: int, y: int, e1: float, e2: float) -> tuple[int, int]:
    """Two private numbers, both of which may differ; the second one twice as sensitive.

    x: e1.  3*y - y = 2*y moves by 2: two steps of e2.  Sum: e1 + 2*e2.
    """
    noisy_x = laplace(x, 1 / e1)
    noisy_y = laplace(3 * y - y, 1 / e2)
    return noisy_x, noisy_y


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def release_first_k(q: list[int], k: int, eps: float) -> list[int]:
    """The first k entries, all of which may differ (zero past the end of the list).

    eps for each entry.  Sum: k*eps.
    """
    out = []
    for i in range(k):
        out.append(laplace(q[i], 1 / eps) if i < len(q) else 0)
    return out
