"""Sums and statistics, each broken in one place."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def sum_all_differ(q: list[int], b: int, eps: float) -> int:
    """All entries may differ, the noise is for one."""
    total = 0
    for x in q:
        total += x
    return laplace(total, scale=b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def sum_bound_forgotten(q: list[int], b: int, eps: float) -> int:
    """The noise forgets the bound b."""
    total = 0
    for x in q:
        total += x
    return laplace(total, scale=1 / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def sum_scale_inverted(q: list[float], b: float, eps: float) -> float:
    """eps/b for b/eps."""
    total = 0.0
    for x in q:
        total += x
    return laplace(total, scale=eps / b)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def sum_counted_twice(q: list[int], b: int, eps: float) -> int:
    """The last entry is added once more after the loop."""
    total = 0
    last = 0
    for x in q:
        total += x
        last = x
    total += last
    return laplace(total, scale=b / eps)


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and len(q) > 0",
    epsilon="eps",
)
def mean_noise_on_sum(q: list[int], b: int, eps: float) -> int:
    """The noise of the mean is added to the sum."""
    total = 0
    for x in q:
        total += x
    return laplace(total, b / (len(q) * eps))


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def running_sum_claimed_eps(q: list[int], eps: float) -> list[int]:
    """All running sums for the price of one."""
    out = []
    total = 0
    for x in q:
        total += x
        out.append(laplace(total, scale=1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def prefix_sum_exact_state(q: list[int], b: int, eps: float) -> list[int]:
    """Noise is added to the output, the exact sum goes on."""
    out = []
    total = 0
    for x in q:
        total += x
        noise = laplace(0, b / eps)
        out.append(total + noise)
    return out


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and m > 0",
    epsilon="eps",
)
def smart_sum_claimed_eps(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """Each entry is used twice, the claim counts once."""
    out = []
    before = 0
    running = 0
    block = 0
    for i in range(len(q)):
        block += q[i]
        if (i + 1) % m == 0:
            before += laplace(block, scale=b / eps)
            running = before
            block = 0
        else:
            running += laplace(q[i], scale=b / eps)
        out.append(running)
    return out


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and m > 0",
    epsilon="2*eps",
)
def smart_sum_block_kept(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """The exact sum of the block isn't reset: every later block sum has the old entries in it."""
    out = []
    before = 0
    running = 0
    block = 0
    for i in range(len(q)):
        block += q[i]
        if (i + 1) % m == 0:
            before += laplace(block, scale=b / eps)
            running = before
        else:
            running += laplace(q[i], scale=b / eps)
        out.append(running)
    return out


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0 and m > 0",
    epsilon="2*eps",
)
def smart_sum_exact_tail(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """Within a block the exact entries are added."""
    out = []
    running = 0
    block = 0
    for i in range(len(q)):
        block += q[i]
        if (i + 1) % m == 0:
            running += laplace(block, scale=b / eps)
            block = 0
            out.append(running)
        else:
            out.append(running + block)
    return out


@mechanism(adjacent={"counts": l1_distance(2)}, requires="eps > 0", epsilon="eps")
def histogram_factor_two(counts: list[int], eps: float) -> list[int]:
    """A replaced record changes two counts, the noise is for one."""
    out = []
    for n in counts:
        out.append(laplace(n, scale=1 / eps))
    return out


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0", epsilon="eps")
def vector_one_draw(x: list[int], Delta: int, eps: float) -> list[int]:
    """One draw is added to all coordinates."""
    noise = laplace(0, scale=Delta / eps)
    out = []
    for value in x:
        out.append(value + noise)
    return out


@mechanism(adjacent={"x": linf_distance("Delta")}, requires="eps > 0 and Delta > 0", epsilon="eps")
def vector_wrong_norm(x: list[int], Delta: int, eps: float) -> list[int]:
    """Each coordinate may differ by Delta, the noise is for all of them together."""
    out = []
    for value in x:
        out.append(laplace(value, scale=Delta / eps))
    return out


@mechanism(adjacent={"counts": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def empty_bins_without_noise(counts: list[int], eps: float) -> list[int]:
    """Empty bins stay exactly empty."""
    out = []
    for n in counts:
        if n == 0:
            out.append(0)
        else:
            out.append(laplace(n, scale=1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def differences_claimed_eps(q: list[int], b: int, eps: float) -> list[int]:
    """An entry is in two differences, the claim counts one."""
    out = []
    previous = 0
    for x in q:
        out.append(laplace(x - previous, b / eps))
        previous = x
    return out


@mechanism(
    adjacent={"q": change_one_distance("spread")},
    requires="eps > 0 and b > 0 and spread > b",
    epsilon="eps",
)
def clipped_on_one_side(q: list[int], spread: int, b: int, eps: float) -> int:
    """Entries are only cut off above."""
    total = 0
    for x in q:
        total += min(x, b)
    return laplace(total, scale=b / eps)


@mechanism(
    adjacent={"q": change_one_distance("spread")},
    requires="eps > 0 and b > 0 and spread > b",
    epsilon="eps",
)
def clipped_is_another_variable(q: list[int], spread: int, b: int, eps: float) -> int:
    """The clipped entry is computed, the raw one is added."""
    total = 0
    for x in q:
        clipped = min(max(x, 0), b)
        total += x
    return laplace(total, scale=b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def exact_count_beside_sum(q: list[int], b: int, eps: float) -> tuple[int, int]:
    """The number of positive entries is released as it is."""
    count = 0
    total = 0
    for x in q:
        if x > 0:
            count += 1
            total += x
    return count, laplace(total, scale=b / eps)


@mechanism(
    adjacent={"q": change_one_distance("b")},
    requires="eps > 0 and b > 0",
    epsilon="eps",
)
def average_by_exact_count(q: list[int], b: int, eps: float) -> float:
    """The noisy sum is divided by the exact count of the positive entries."""
    count = 1
    total = 0
    for x in q:
        if x > 0:
            count += 1
            total += x
    return laplace(total, scale=b / eps) / count


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def spread_sensitivity(q: list[int], eps: float) -> int:
    """Largest minus smallest moves by 2, the noise is for 1."""
    low = q[0]
    high = q[0]
    for x in q:
        low = min(low, x)
        high = max(high, x)
    return laplace(high - low, scale=1 / eps)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and m > 0", epsilon="eps")
def every_mth_all_differ(q: list[int], m: int, eps: float) -> list[int]:
    """Every m-th entry is released, and all of them may differ."""
    out = []
    for i, x in enumerate(q):
        if i % m == 0:
            out.append(laplace(x, scale=1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0", epsilon="eps")
def stops_at_exact_zero(q: list[int], b: int, eps: float) -> list[int]:
    """The loop ends at an exact zero, and the length of the output shows it."""
    out = []
    for x in q:
        if x == 0:
            break
        out.append(laplace(x, scale=b / eps))
    return out
