"""DPGen's eight programs (Wang et al. 2021) with noise whose scales are holes."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def noisy_max(q: list[float], eps: float) -> int:
    """The index of the largest noisy answer."""
    best = 0
    most = 0.0
    for i in range(len(q)):
        noisy = laplace(q[i], ...)
        if i == 0 or noisy > most:
            most = noisy
            best = i
    return best


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[bool]:
    """Which answers are above the threshold, until n are."""
    threshold = laplace(t, ...)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, ...)
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
    threshold = laplace(t, ...)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, ...)
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
    threshold = laplace(t, ...)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, ...)
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
    threshold = laplace(t, ...)
    found = []
    count = 0
    for x in q:
        noisy = laplace(x, ...)
        if noisy >= threshold:
            found.append(laplace(x, ...))
            count += 1
            if count >= n:
                break
        else:
            found.append(0.0)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and sigma > 0 and n > 0", epsilon="eps")
def adaptive_sparse_vector(q: list[float], t: float, sigma: float, n: int, eps: float) -> list[float]:
    """Gaps above the threshold, the large ones by a test with more noise, until n are found."""
    threshold = laplace(t, ...)
    found = []
    count = 0
    for x in q:
        if count < n:
            rough = laplace(x, ...)
            if rough - threshold >= sigma:
                found.append(rough - threshold)
                count += 1
            else:
                fine = laplace(x, ...)
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
    return laplace(total, ...)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 0", epsilon="eps")
def smart_sum(q: list[float], t: int, m: int, eps: float) -> list[float]:
    """All prefix sums up to t, by noisy sums of blocks of m."""
    following = 0.0
    total = 0.0
    found = []
    for i in range(len(q)):
        if i <= t:
            if (i + 1) % m == 0:
                following = laplace(total + q[i], ...)
                total = 0.0
                found.append(following)
            else:
                following = following + laplace(q[i], ...)
                total = total + q[i]
                found.append(following)
    return found
