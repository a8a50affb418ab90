"""Small programs at which the search and the kernel once disagreed, or one of them stopped.

Where one is refused, the line is marked.
"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def every_second(q: list[int], eps: float):
    best = 0
    winner = 0
    for i in range(0, len(q), 2):
        y = laplace(q[i], 2 / eps)
        if i == 0 or y > best:
            best = y
            winner = i
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def every_third_in_a_while(q: list[int], eps: float):
    top = 0
    place = -1
    at = 0
    while at < len(q):
        noisy = laplace(q[at], 2 / eps)
        if place < 0 or top < noisy:
            top = noisy
            place = at
        at += 3
    return place


@mechanism(adjacent={"x": absolute_distance(1), "y": absolute_distance(1)}, requires="eps > 0")
def squares(x: float, y: int, eps: float):
    z = laplace(x, 1 / eps)
    w = laplace(y, 1 / eps)
    return z * z + w * w > 3


@mechanism(adjacent={"q": l1_distance(1)}, requires="0 < eps and eps <= 1 and 0 < delta and delta < 1", epsilon="eps", delta="delta")
def gaussian_sum_l1(q: list[float], eps: float, delta: float):
    s = 0.0
    for x in q:
        s += x
    return gaussian(s, sqrt(2 * log(1.25 / delta)) / eps)


@mechanism(adjacent={"q": l1_distance(1)}, requires="len(q) > 1 and eps > 0", epsilon="eps + 1", delta="0.00001")
def gaussian_beside_laplace_l1(q: list[float], eps: float):
    a = laplace(q[0], 1 / eps)
    b = laplace(q[1], 1 / eps)
    return a, b, gaussian(q[0], 4)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def score_and_noise_l1(q: list[int], eps: float):
    if len(q) < 2:
        return 0, 0, 0
    bit = randomized_response(q[0] > 0, eps)
    return bit, laplace(q[0], 1 / eps), laplace(q[1], 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def division_by_the_length(q: list[int], eps: float):
    out = []
    for v in q:
        out.append(laplace(v, 1 / eps) / len(q))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def length_minus_one(q: list[int], eps: float):
    if len(q) == 0:
        return 0
    i = uniform_int(0, len(q) - 1)
    return laplace(q[i], 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def choice_among_entries(q: list[int], eps: float):
    if not len(q):
        return -1
    return choice(len(q), lambda r: eps * q[r] / 2)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def empty_in_an_else(q: list[int], eps: float):
    if len(q) >= 1:
        last = len(q) - 1
        return exponential_mechanism(last + 1, lambda r: q[r], eps, 1)
    return -1


@mechanism(adjacent={"x": absolute_distance(1), "t": absolute_distance(1)}, requires="eps > 0")
def times_true(x: int, t: int, eps: float):
    kept = []
    kept.append(t * (x >= x))
    return laplace(kept[0], 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def reciprocal_of_a_local(x: float, eps: float):
    k = 3 - 1
    n = k - 1
    return laplace(x * (1 / n), 1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def reciprocal_in_a_loop(q: list[int], eps: float):
    n = 0
    n = n + 1
    out = []
    for v in q:
        out.append(laplace(v * (1 / n), 1 / eps))
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def cancelled(x: int, k: int, eps: float):
    n = k + 2 - k
    return laplace(x // n, 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def drawn_scale(x: float, eps: float):
    k = uniform_int(1, 2)
    return laplace(x, k / eps)  # refused


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def drawn_rate(x: float, eps: float):
    k = uniform_int(1, 2)
    return laplace(x, eps / k)  # refused


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def drawn_scale_in_a_loop(x: float, eps: float):
    out = []
    for i in range(3):
        k = uniform_int(1, 2)
        out.append(laplace(x, k / eps))  # refused
    return out


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def sum_of_positive_entries(q: list[int], eps: float):
    s = 0
    for i in range(len(q)):
        if q[i] > 0:
            s += q[i]
    return laplace(s, 1 / eps)


@mechanism(adjacent={"q": l1_distance(1)}, requires="eps > 0")
def sum_of_sizes(q: list[float], eps: float):
    total = 0.0
    for v in q:
        if v < 0:
            total -= v
        else:
            total += v
    return laplace(total, 1 / eps)


@mechanism(adjacent={"q": l1_distance(1), "x": absolute_distance(1)}, requires="eps > 0")
def read_where_the_runs_part(q: list[int], x: int, eps: float):
    s = 0
    for v in q:
        if x > 0:
            s += v
    return laplace(x, 1 / eps)


@mechanism(
    adjacent={"count": linf_distance(1)},
    requires="eps > 0 and n >= 0",
    facts=["count(d + 1) <= count(d)"],
)
def counts_that_fall(count: Callable[[int], int], n: int, eps: float):
    out = []
    for i in range(n):
        out.append(laplace(count(i), 1 / eps))
    return out


@mechanism(
    adjacent={"size": linf_distance(1)},
    requires="eps > 0",
    facts=["size(k - 1) <= size(k)", "size(k) <= size(k + 1)", "size(k) >= 0"],
)
def between_its_neighbours(size: Callable[[int], int], eps: float):
    return laplace(size(0), 1 / eps) + laplace(size(7), 1 / eps)


@mechanism(
    adjacent={"f": linf_distance(1)},
    requires="eps > 0",
    facts=["f(i) < f(i + 1)", "f(i + 1) < f(i)"],
)
def facts_without_a_function(f: Callable[[int], int], eps: float):  # refused
    return laplace(f(0), 1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 0")
def private_part_added_later(x: int, n: int, eps: float):
    w = x
    out = []
    for i in range(n):
        y = laplace(0, 1 / eps)
        w = x
        out.append(y + w)
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def private_part_added_later_in_nested_loops(x: int, eps: float):
    out = []
    w = x
    for i in range(2):
        for j in range(2):
            y = laplace(0, 1 / eps)
            w = x
            out.append(y + w)
            y = 0
    return out


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def without_an_end(x: float, eps: float):  # refused
    y = laplace(x, 1 / eps)
    while True:
        y = 0.0


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def last_of_each_eleven(q: list[int], eps: float):
    out = []
    i = 0
    while 11 * i + 11 <= len(q):
        out.append(laplace(q[11 * i + 10], 1 / eps))
        i += 1
    return out


@mechanism(adjacent={"x": absolute_distance(1)})
def one_side_assigned_and_overwritten(x: int):
    i = 0
    while i < 2:
        if bernoulli(3 / 4 if x > 0 else 1 / 4):
            b = 0
        else:
            c = 1
        i += 1
    b = uniform_int(0, 1)
    return b


@mechanism(adjacent={"x": discrete_distance()})
def one_side_assigned(x: bool):
    b = 7
    if bernoulli(1 / 2):
        b = 0
    if bernoulli(3 / 4 if x else 1 / 4):
        b = 1
    return b


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def in_a_noisy_range(q: list[int], eps: float):
    low = laplace(0, 4 / eps)
    high = laplace(1, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if x >= low and x < high:
            out.append(2)
        elif x >= low:
            out.append(1)
            break
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 1", epsilon="2*eps")
def up_to_a_real_time(q: list[float], t: float, m: int, eps: float):
    out = []
    following = 0.0
    total = 0.0
    i = 0
    while i <= t and i < len(q):
        total = total + q[i]
        if (i + 1) % m == 0:
            following = laplace(total, 1 / eps)
            total = 0.0
        else:
            following = following + laplace(q[i], 1 / eps)
        out.append(following)
        i = i + 1
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def bound_in_a_flag(bounds: list[int], x: list[int], eps: float) -> int:
    """Above threshold over a public list; entries may be equal, so the answer doesn't say which one it was."""
    threshold = laplace(0, 2 / eps)
    bound = 0
    for b in bounds:
        if bound == 0 and b > 0:
            lost = 0
            for v in x:
                lost += min(max(0, v), b) - min(max(0, v), b + 1)
            if threshold <= laplace(lost, 4 / eps):
                bound = b
    return bound
