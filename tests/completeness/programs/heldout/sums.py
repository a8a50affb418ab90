"""Sums, counts and statistics with careful sensitivities."""

from math import exp

from synth.lang import *


@mechanism(adjacent={"counts": change_one_distance(1)}, requires="eps > 0")
def histogram(counts: list[int], eps: float) -> list[int]:
    """One record more or less changes one count by one; small noisy counts are suppressed.

    One step of eps at one count; suppression is post-processing.  Sum: eps.
    """
    out = []
    for n in counts:
        noisy = laplace(n, scale=1 / eps)
        if noisy < 3:
            noisy = 0
        out.append(noisy)
    return out


@mechanism(adjacent={"counts": l1_distance(2)}, requires="eps > 0")
def histogram_replace(counts: list[int], eps: float) -> list[int]:
    """One record replaced moves one unit from a count to another.

    Two steps in all, of eps/2 each.  Sum: eps.
    """
    out = []
    i = 0
    while i < len(counts):
        out.append(max(0, laplace(counts[i], 2 / eps)))
        i += 1
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def every_mth(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """Only every m-th entry is released.

    The one entry that differs is released once or never: b steps of eps/b.  Sum: eps.
    """
    out = []
    for i, x in enumerate(q):
        if i % m == 0:
            out.append(laplace(x, scale=b / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0")
def largest_value(q: list[int], eps: float) -> int:
    """The largest entry, with noise.

    The maximum moves by at most 1: eps.
    """
    best = q[0]
    for x in q:
        if x > best:
            best = x
    return laplace(best, scale=1 / eps)


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and Delta > 0 and len(q) > 0")
def spread(q: list[float], Delta: float, eps: float) -> float:
    """Largest minus smallest entry, with noise.

    Both move by at most Delta, in different directions: 2*Delta steps of eps/(2*Delta).  Sum: eps.
    """
    low = q[0]
    high = q[0]
    for i in range(1, len(q)):
        low = min(low, q[i])
        high = max(high, q[i])
    return laplace(high - low, 2 * Delta / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def differences(q: list[int], b: int, eps: float) -> list[int]:
    """Each entry minus the one before, with noise.

    One entry is in two differences: b steps of eps/b twice.  Sum: 2*eps.
    """
    out = []
    previous = 0
    for x in q:
        out.append(laplace(x - previous, b / eps))
        previous = x
    return out


@mechanism(
    adjacent={"q": change_one_distance("spread")},
    requires="eps > 0 and b > 0 and spread >= b",
)
def clipped_sum(q: list[int], spread: int, b: int, eps: float) -> int:
    """Entries may change a lot, but are clipped to 0..b before they are added.

    The sum differs by at most b: b steps of eps/b.  Sum: eps.
    """
    total = 0
    for x in q:
        total += min(max(x, 0), b)
    return laplace(total, scale=b / eps)


@mechanism(adjacent={"answers": change_one_distance(1)}, requires="eps > 0")
def count_yes(answers: list[bool], eps: float) -> int:
    """How many said yes.

    One answer changes the count by at most 1: eps.
    """
    yes = 0
    for answer in answers:
        if answer:
            yes += 1
    return laplace(yes, scale=1 / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def sums_by_group(
    q: list[int], group: Callable[[int], bool], b: int, eps: float
) -> tuple[int, int]:
    """Sums over two groups that a public function tells apart.

    The entry that differs is in one group only: b steps of eps/b once.  Sum: eps.
    """
    inside = 0
    outside = 0
    for i in range(len(q)):
        if group(i):
            inside += q[i]
        else:
            outside += q[i]
    return laplace(inside, b / eps), laplace(outside, b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def blocks_and_total(q: list[float], m: int, b: float, eps: float) -> tuple[float, list[float]]:
    """Noisy sums of all complete blocks of length m, and a noisy sum of everything.

    The entry that differs is in one block and in the total: eps each.  Sum: 2*eps.
    """
    blocks = []
    block = 0.0
    total = 0.0
    k = 0
    for x in q:
        block += x
        total += x
        k += 1
        if k == m:
            blocks.append(laplace(block, b / eps))
            block = 0.0
            k = 0
    return laplace(total, b / eps), blocks


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and m > 1 and n > 1",
)
def three_levels(q: list[int], m: int, n: int, b: int, eps: float) -> list[int]:
    """Running sums from noisy entries, blocks of m entries, and blocks of n blocks.

    The entry that differs goes into three noisy numbers, b steps of eps/b each.  Sum: 3*eps.
    """
    out = []
    large = 0
    small = 0
    single = 0
    large_block = 0
    small_block = 0
    entries = 0
    blocks = 0
    for x in q:
        small_block += x
        large_block += x
        entries += 1
        single += laplace(x, b / eps)
        if entries == m:
            small += laplace(small_block, b / eps)
            small_block = 0
            single = 0
            entries = 0
            blocks += 1
            if blocks == n:
                large += laplace(large_block, b / eps)
                large_block = 0
                small = 0
                blocks = 0
        out.append(large + small + single)
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def count_rises(q: list[int], b: int, eps: float) -> int:
    """How often an entry is larger than the one before.

    Raising an entry can only gain the rise to it and lose the rise from it, so the count differs
    by at most 1, not 2: one step of eps.
    """
    rises = 0
    for i in range(1, len(q)):
        if q[i] > q[i - 1]:
            rises += 1
    return laplace(rises, scale=1 / eps)


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and len(q) > 0",
)
def mean(q: list[int], b: int, eps: float) -> float:
    """The mean, with noise that shrinks with the public length.

    The mean differs by at most b/len(q), at a rate of len(q)*eps/b.  Sum: eps.
    """
    total = 0
    for x in q:
        total += x
    return laplace(total / len(q), b / (len(q) * eps))


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def growth_factor(q: list[float], b: float, eps: float) -> float:
    """The exponential of a noisy sum, cut off at 1000.

    The sum differs by at most b: eps.  The rest is post-processing.
    """
    total = 0.0
    for x in q:
        total += x
    noisy = laplace(total, b / eps)
    return min(exp(noisy), 1000.0)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def rounded_sum(q: list[int], m: int, b: int, eps: float) -> int:
    """A noisy sum, rounded down to a multiple of m, in absolute value.

    The sum differs by at most b: eps.  The rest is post-processing.
    """
    total = 0
    for x in q:
        total += x
    noisy = laplace(total, b / eps)
    return abs(m * (noisy // m))


@mechanism(
    adjacent={"q": change_one_distance("b"), "p": change_one_distance("b")},
    requires="eps > 0 and b > 0",
)
def two_lists(q: list[int], p: list[int], b: int, eps: float) -> int:
    """The difference of two sums, an entry of each of which may differ.

    2*b steps of eps/(2*b).  Sum: eps.
    """
    total = 0
    for x in q:
        total += x
    for y in p:
        total -= y
    return laplace(total, 2 * b / eps)
