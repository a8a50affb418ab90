"""Selection with a prior, restarts and windows, scales that are handed on: as textbooks write them."""

from collections.abc import Callable

from synth.lang import add_remove_distance, change_one_distance, choice, laplace, linf_distance, mechanism


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0")
def shorter_is_better(q: Callable[[int], float], n: int, eps: float) -> int:
    """A candidate's weight falls with its place, whatever the data are."""
    return choice(n, lambda r: eps * q(r) / 2 - r)


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0 and n > 0")
def score_with_a_prior(
    prior: Callable[[int], float], score: Callable[[int], float], n: int, eps: float
) -> int:
    return choice(n, lambda r: prior(r) + eps * score(r) / 2)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps / 2")
def prior_with_the_whole_budget(q: list[float], eps: float) -> int:
    """The base measure takes nothing off: scores that move both ways cost twice as much."""
    return choice(len(q), lambda r: eps * q[r] / 2 - r)


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0 and w > 0")
def window_above_threshold(x: list[float], w: int, bar: float, eps: float) -> int:
    """An entry is in the sum for w rounds, and never counts more than once."""
    t = laplace(bar, 2 / eps)
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if i >= w:
            s -= x[i - w]
        if laplace(s, 4 / eps) > t:
            return i
    return -1


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0")
def nine_tenths_stay(x: list[float], bar: float, eps: float) -> bool:
    """What an entry adds fades, but in all rounds together it counts ten times.

    All levels move the same way: where they rise, so does the bar (eps/2), and the answer above it (eps/4); where they
    fall, that answer alone.
    """
    t = laplace(bar, 2 / eps)
    level = 0.0
    for v in x:
        level = 0.9 * level + v
        if laplace(level, 4 / eps) > t:
            return True
    return False


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def what_is_added_grows(x: list[float], bar: float, eps: float) -> int:
    """Doubled in each round, an entry counts without a limit."""
    t = laplace(bar, 2 / eps)
    s = 0.0
    for i in range(len(x)):
        s = x[i] + 2 * s
        if laplace(s, 4 / eps) > t:
            return i
    return -1


@mechanism(adjacent={"x": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def half_stays_with_little_noise(x: list[float], bar: float, eps: float) -> int:
    """What an entry adds is halved in each round; the noise is an eighth of what is needed."""
    t = laplace(bar, 1 / eps)
    s = 0.0
    for i in range(len(x)):
        s = x[i] + s / 2
        if laplace(s, 1 / (4 * eps)) > t:
            return i
    return -1


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def above_threshold_by_the_last_draw(q: Callable[[int], int], t: int, eps: float) -> int:
    """SampCert's way: one answer before the loop, the next ones at its end."""
    tau = laplace(t, 2 / eps)
    noisy = laplace(q(0), 4 / eps)
    i = 0
    while noisy < tau:
        i = i + 1
        noisy = laplace(q(i), 4 / eps)
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def last_below_by_the_last_draw(q: Callable[[int], float], t: float, eps: float) -> int:
    bar = t + laplace(0.0, 2 / eps)
    number = 0
    answer = q(number) + laplace(0.0, 4 / eps)
    while bar > answer:
        number += 1
        answer = q(number) + laplace(0.0, 4 / eps)
    return number - 1


@mechanism(adjacent={"ages": add_remove_distance()}, requires="eps > 0 and n > 0")
def median_of_any_range(ages: list[int], n: int, eps: float) -> int:
    """A score that takes cases to compute, of counts: it moves by 1 with a record."""
    middle, best = 0, 0.0
    for candidate in range(n):
        below = above = 0
        for age in ages:
            if age < candidate:
                below += 1
            elif age > candidate:
                above += 1
        score = laplace(-abs(below - above), 2 / eps)
        if candidate == 0 or score > best:
            middle, best = candidate, score
    return middle


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0")
def first_central_value(xs: list[float], n: int, bar: float, eps: float) -> int:
    """How far the rank of a candidate is from the middle moves by 1 if a record is another one."""
    noisy_bar = laplace(bar, 2 / eps)
    for candidate in range(n):
        rank = 0
        for x in xs:
            if x <= candidate:
                rank += 1
        if laplace(-abs(rank - len(xs) / 2), 4 / eps) >= noisy_bar:
            return candidate
    return -1
