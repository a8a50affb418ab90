"""The queries that SampCert (de Medeiros et al. 2025) proves private in Lean: records are added or removed."""

from synth.lang import *


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0", epsilon="eps")
def noised_count(x: list[int], eps: float) -> int:
    """The number of records."""
    return laplace(len(x), 1 / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and u > 0 and x >= 0", epsilon="eps")
def noised_bounded_sum(x: list[int], u: int, eps: float) -> int:
    """The sum of naturals, each cut at u."""
    total = 0
    for v in x:
        total += min(v, u)
    return laplace(total, u / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and u > 0 and x >= 0", epsilon="eps")
def noised_bounded_mean(x: list[int], u: int, eps: float) -> tuple[int, int]:
    """Sum and count with half of eps each; their quotient is post-processing."""
    total = 0
    for v in x:
        total += min(v, u)
    return laplace(total, 2 * u / eps), laplace(len(x), 2 / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and bins > 0", epsilon="eps/bins")
def noised_bin_count(x: list[int], bin_of: Callable[[int], int], b: int, bins: int, eps: float) -> int:
    """The number of records in bin b."""
    count = 0
    for v in x:
        if bin_of(v) == b:
            count += 1
    return laplace(count, bins / eps)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and bins > 0", epsilon="eps")
def noised_histogram(x: list[int], bin_of: Callable[[int], int], bins: int, eps: float) -> list[int]:
    """Noise for each bin, by sequential composition."""
    out = []
    for b in range(bins):
        count = 0
        for v in x:
            if bin_of(v) == b:
                count += 1
        out.append(laplace(count, bins / eps))
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and bins > 0", epsilon="eps")
def max_bin_above_threshold(
    x: list[int], bin_of: Callable[[int], int], bins: int, tau: int, eps: float
) -> int | None:
    """The last bin whose noisy count is above tau."""
    best = None
    for b in range(bins):
        count = 0
        for v in x:
            if bin_of(v) == b:
                count += 1
        if laplace(count, bins / eps) > tau:
            best = b
    return best


@mechanism(
    adjacent={"x": add_remove_distance()},
    requires="eps > 0 and eps2 > 0 and bins > 0 and x >= 0",
    epsilon="eps + eps2",
)
def mean_histogram(
    x: list[int],
    bin_of: Callable[[int], int],
    unbin: Callable[[int], int],
    bins: int,
    tau: int,
    eps: float,
    eps2: float,
) -> tuple[int, int] | None:
    """The bound of a mean is what the last bin above tau stands for."""
    best = None
    for b in range(bins):
        count = 0
        for v in x:
            if bin_of(v) == b:
                count += 1
        if laplace(count, bins / eps) > tau:
            best = b
    if best is None:
        return None
    u = max(unbin(best), 1)
    total = 0
    for v in x:
        total += min(v, u)
    return laplace(total, 2 * u / eps2), laplace(len(x), 2 / eps2)


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and bins > 0", epsilon="eps")
def par_noised_histogram(x: list[int], bin_of: Callable[[int], int], bins: int, eps: float) -> list[int]:
    """Noise for each bin, by parallel composition: a record is in one of them."""
    out = []
    for b in range(bins):
        count = 0
        for v in x:
            if bin_of(v) == b:
                count += 1
        out.append(laplace(count, 1 / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def above_thresh(q: Callable[[int], int], t: int, eps: float) -> int:
    """The index of the first query above the threshold, of infinitely many."""
    tau = laplace(0, 2 / eps)
    i = 0
    noise = laplace(0, 4 / eps)
    while q(i) + noise < tau + t:
        noise = laplace(0, 4 / eps)
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 0", epsilon="c*eps")
def sparse(q: Callable[[int], int], t: int, c: int, eps: float) -> list[int]:
    """above_thresh c times, each on the queries from the last index on."""
    out = []
    start = 0
    for _ in range(c):
        tau = laplace(0, 2 / eps)
        i = 0
        noise = laplace(0, 4 / eps)
        while q(start + i) + noise < tau + t:
            noise = laplace(0, 4 / eps)
            i += 1
        out.append(i)
        start += i
    return out


@mechanism(adjacent={"x": add_remove_distance()}, requires="eps > 0 and x >= 0", epsilon="eps")
def unbounded_max(x: list[int], eps: float) -> int:
    """The first bound m at which a noisy number of records above m is small."""
    tau = laplace(0, 2 / eps)
    m = 0
    noise = laplace(0, 4 / eps)
    while True:
        low = 0
        high = 0
        for v in x:
            low += min(v, m)
            high += min(v, m + 1)
        if not low - high + noise < tau:
            return m
        noise = laplace(0, 4 / eps)
        m += 1
