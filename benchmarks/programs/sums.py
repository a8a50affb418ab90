"""Sums over a stream in which one entry may change by at most b."""

from synth.lang import *


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum(q: list[int], b: int, eps: float) -> int:
    """The sum of all entries, with noise once (CertiPriv, Figure 7)."""
    total = 0
    for x in q:
        total += x
    return laplace(total, scale=b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def partial_sum_real(q: list[float], b: float, eps: float) -> float:
    """The sum of all real entries, with noise once."""
    total = 0.0
    for x in q:
        total += x
    return laplace(total, scale=b / eps)


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def prefix_sum(q: list[int], b: int, eps: float) -> list[int]:
    """All running sums of the noisy entries (CertiPriv, Figure 8)."""
    out = []
    total = 0
    for x in q:
        total += laplace(x, scale=b / eps)
        out.append(total)
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0")
def prefix_sum_real(q: list[float], b: float, eps: float) -> list[float]:
    """All running sums of the noisy real entries."""
    out = []
    total = 0.0
    for x in q:
        total += laplace(x, scale=b / eps)
        out.append(total)
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def running_sum(q: list[int], eps: float) -> list[int]:
    """All exact running sums, each with noise of its own: accurate, but the loss grows."""
    out = []
    total = 0
    for x in q:
        total += x
        out.append(laplace(total, scale=1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0")
def running_sum_real(q: list[float], eps: float) -> list[float]:
    """All exact running sums of reals, each with noise of its own."""
    out = []
    total = 0.0
    for x in q:
        total += x
        out.append(laplace(total, scale=1 / eps))
    return out


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def smart_sum(q: list[int], m: int, b: int, eps: float) -> list[int]:
    """Running sums by blocks of length m (CertiPriv, Figure 9, in one pass).

    Within a block noisy entries are added up; at its end their sum is replaced by the noisy sum
    of the whole block.
    """
    out = []
    before = 0  # noisy sum of the complete blocks
    running = 0  # noisy sum so far
    block = 0  # exact sum of the block so far
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


@mechanism(adjacent={"q": change_one_distance("b")}, requires="eps > 0 and b > 0 and m > 0")
def smart_sum_real(q: list[float], m: int, b: float, eps: float) -> list[float]:
    """Running sums of reals by blocks of length m."""
    out = []
    before = 0.0
    running = 0.0
    block = 0.0
    for i in range(len(q)):
        block += q[i]
        if (i + 1) % m == 0:
            before += laplace(block, scale=b / eps)
            running = before
            block = 0.0
        else:
            running += laplace(q[i], scale=b / eps)
        out.append(running)
    return out
