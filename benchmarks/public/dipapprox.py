"""Rows of the tables of DiPApprox (Bhusal, Chadha, Sistla, Viswanathan 2025): numbers, few queries.

A claim is about all inputs, unless the name says otherwise; DiPApprox looks at one pair, or at all pairs of a list.
"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 2", epsilon="1.24", delta="0.01")
def below_threshold_gauss_2(q: list[float]) -> list[int]:
    """2 queries until one is above the noisy threshold."""
    threshold = gaussian(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 5", epsilon="1.24", delta="0.01")
def below_threshold_gauss_5(q: list[float]) -> list[int]:
    """5 queries until one is above the noisy threshold."""
    threshold = gaussian(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 25", epsilon="1.24", delta="0.01")
def below_threshold_gauss_25(q: list[float]) -> list[int]:
    """25 queries until one is above the noisy threshold."""
    threshold = gaussian(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 2", epsilon="1.24", delta="0.01")
def below_threshold_mixed_2(q: list[float]) -> list[int]:
    """2 queries with Gaussian noise, a threshold with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 5", epsilon="1.24", delta="0.01")
def below_threshold_mixed_5(q: list[float]) -> list[int]:
    """5 queries with Gaussian noise, a threshold with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 17", epsilon="1.24", delta="0.01")
def below_threshold_mixed_17(q: list[float]) -> list[int]:
    """17 queries with Gaussian noise, a threshold with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if gaussian(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 5", epsilon="4", delta="0.01")
def below_threshold_nonpriv_1_5(q: list[float]) -> list[int]:
    """A threshold without noise."""
    threshold = 0.0
    out = []
    for v in q:
        if gaussian(v, 1 / 4) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2", delta="0.01")
def below_threshold_nonpriv_2_3(q: list[float]) -> list[int]:
    """Queries without noise."""
    threshold = gaussian(0.0, 2)
    out = []
    for v in q:
        if v > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2", delta="0.01")
def noisy_max_gauss_3(q: list[float]) -> int:
    """The index of the largest of three answers, for all inputs."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = gaussian(q[i], 4)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="len(q) == 3 and -1 <= q and q <= 1",
    epsilon="1/2",
    delta="0.01",
)
def noisy_max_gauss_3_listed(q: list[int]) -> int:
    """The same, for answers of -1, 0 and 1."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = gaussian(float(q[i]), 4)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2", delta="0.01")
def noisy_min_gauss_3(q: list[float]) -> int:
    """The index of the least of three answers, for all inputs."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = gaussian(q[i], 4)
        if i == 0 or noisy < best:
            winner = i
            best = noisy
    return winner


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="len(q) == 3 and -1 <= q and q <= 1",
    epsilon="1/2",
    delta="0.01",
)
def noisy_min_gauss_3_listed(q: list[int]) -> int:
    """The same, for answers of -1, 0 and 1."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = gaussian(float(q[i]), 4)
        if i == 0 or noisy < best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 1", epsilon="1/2", delta="0.01")
def m_range_gauss_1(q: list[float]) -> bool:
    """Whether one query is in a noisy range."""
    high = gaussian(1.0, 8)
    low = gaussian(0.0, 8)
    x = gaussian(q[0], 4)
    return x > low and x < high


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2", delta="0.01")
def k_min_max_gauss_3(q: list[float]) -> bool:
    """Whether a query is between two, for all inputs."""
    first = gaussian(q[0], 4)
    low, high = first, first
    second = gaussian(q[1], 4)
    if second > high:
        high = second
    elif second < low:
        low = second
    third = gaussian(q[2], 4)
    return third > low and third < high


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="len(q) == 3 and -1 <= q and q <= 1",
    epsilon="1/2",
    delta="0.01",
)
def k_min_max_gauss_3_listed(q: list[int]) -> bool:
    """The same, for answers of -1, 0 and 1."""
    first = gaussian(float(q[0]), 4)
    low, high = first, first
    second = gaussian(float(q[1]), 4)
    if second > high:
        high = second
    elif second < low:
        low = second
    third = gaussian(float(q[2]), 4)
    return third > low and third < high


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 1", epsilon="1/2")
def below_threshold_laplace_1(q: list[float]) -> list[int]:
    """1 query with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if laplace(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 2", epsilon="1/2")
def below_threshold_laplace_2(q: list[float]) -> list[int]:
    """2 queries with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if laplace(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2")
def below_threshold_laplace_3(q: list[float]) -> list[int]:
    """3 queries with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if laplace(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 4", epsilon="1/2")
def below_threshold_laplace_4(q: list[float]) -> list[int]:
    """4 queries with Laplace noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if laplace(v, 8) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2")
def noisy_max_laplace_3(q: list[float]) -> int:
    """The index of the largest of three answers."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], 4)
        if i == 0 or noisy > best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1/2")
def noisy_min_laplace_3(q: list[float]) -> int:
    """The index of the least of three answers."""
    winner = 0
    best = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], 4)
        if i == 0 or noisy < best:
            winner = i
            best = noisy
    return winner


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 2", epsilon="1")
def nonpriv_4_2(q: list[float]) -> list[int]:
    """Less noise on the queries than on the threshold."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if laplace(v, 4 / 3) > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 2", epsilon="1/2")
def nonpriv_5_2(q: list[float]) -> list[int]:
    """Queries without noise."""
    threshold = laplace(0.0, 4)
    out = []
    for v in q:
        if v > threshold:
            out.append(1)
            break
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="len(q) == 3", epsilon="1")
def nonpriv_6_3(q: list[float]) -> list[int]:
    """It doesn't stop at the first one above."""
    threshold = laplace(0.0, 2)
    return [1 if laplace(v, 2) > threshold else 0 for v in q]
