"""The programs of DPGen (Wang et al. 2021), with scales that make them private: those that ``synth repair`` finds.

The same programs with holes are in tests/completeness/programs/holes.  What has no division of eps here has the
simple one of the literature.
"""

from math import exp, log

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max(q: list[float], eps: float) -> int:
    """The index of the largest noisy answer."""
    best = 0
    most = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], 2 / eps)
        if i == 0 or noisy > most:
            most = noisy
            best = i
    return best


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[bool]:
    """Which answers are above the threshold, until n are; eps is divided as Lyu et al. (2017) do."""
    ratio = exp(2 * log(2 * n) / 3)
    threshold = laplace(t, (ratio + 1) / eps)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, 2 * n * (ratio + 1) / (eps * ratio))
        if noisy >= threshold:
            found.append(True)
            count += 1
            if count >= n:
                break
        else:
            found.append(False)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def sparse_vector_inverse(q: list[float], t: float, n: int, eps: float) -> list[bool]:
    """Which answers are above the threshold, until n are below."""
    ratio = exp(2 * log(2 * n) / 3)
    threshold = laplace(t, (ratio + 1) / eps)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, 2 * n * (ratio + 1) / (eps * ratio))
        if noisy >= threshold:
            found.append(True)
        else:
            found.append(False)
            count += 1
            if count >= n:
                break
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def gap_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """By how much answers are above the threshold, until n are; 0 for those below."""
    ratio = exp(2 * log(2 * n) / 3)
    threshold = laplace(t, (ratio + 1) / eps)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, 2 * n * (ratio + 1) / (eps * ratio))
        if noisy >= threshold:
            found.append(noisy - threshold)
            count += 1
            if count >= n:
                break
        else:
            found.append(0.0)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def num_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Noisy answers that are above the threshold, until n are; 0 for those below."""
    threshold = laplace(t, 3 / eps)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, 6 * n / eps)
        if noisy >= threshold:
            found.append(laplace(x, 3 * n / eps))
            count += 1
            if count >= n:
                break
        else:
            found.append(0.0)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and sigma > 0 and n > 0", epsilon="eps")
def adaptive_sparse_vector(q: list[float], t: float, sigma: float, n: int, eps: float) -> list[float]:
    """Gaps above the threshold, the large ones by a test with more noise, until n are found."""
    threshold = laplace(t, 2 / eps)
    found = []
    count = 0
    for x in q:
        if count < n:
            rough = laplace(x, 8 * n / eps)
            if rough - threshold >= sigma:
                found.append(rough - threshold)
                count += 1
            else:
                fine = laplace(x, 4 * n / eps)
                if fine - threshold >= 0:
                    found.append(fine - threshold)
                    count += 1
                else:
                    found.append(0.0)
    return found


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def partial_sum(q: list[float], eps: float) -> float:
    """The noisy sum."""
    total = 0.0
    for x in q:
        total += x
    return laplace(total, 1 / eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 0", epsilon="eps")
def smart_sum(q: list[float], t: int, m: int, eps: float) -> list[float]:
    """All prefix sums up to t, by noisy sums of blocks of m."""
    following = 0.0
    total = 0.0
    found = []
    for i in range(len(q)):
        if i <= t:
            if (i + 1) % m == 0:
                following = laplace(total + q[i], 2 / eps)
                total = 0.0
                found.append(following)
            else:
                following = following + laplace(q[i], 2 / eps)
                total = total + q[i]
                found.append(following)
    return found
