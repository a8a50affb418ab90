"""The programs of CheckDP (Wang et al. 2020), in its own order of tests and draws, for all lengths and all eps."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[int]:
    """Says of each query whether it is above the threshold, until n are."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 4 * n / eps)
        if q[i] + noise >= threshold:
            out.append(1)
            count = count + 1
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and n > 0", epsilon="eps")
def svt_monotone(q: list[float], t: float, n: int, eps: float) -> list[int]:
    """With half of the noise on the queries, since all of them move the same way."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 2 * n / eps)
        if q[i] + noise >= threshold:
            out.append(1)
            count = count + 1
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def gap_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Releases how far the noisy queries are above the noisy threshold."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 4 * n / eps)
        if q[i] + noise >= threshold:
            out.append(q[i] + noise - threshold)
            count = count + 1
        else:
            out.append(0.0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def adaptive_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Queries far above the threshold pay half; goes on until the budget, in units of eps / (4 * n), is spent."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    cost = 2 * n
    i = 0
    while i < len(q):
        rough = laplace(0.0, 8 * n / eps)
        if q[i] + rough - threshold >= 16:
            out.append(q[i] + rough - threshold)
            cost = cost + 1
        else:
            fine = laplace(0.0, 4 * n / eps)
            if q[i] + fine - threshold >= 0:
                out.append(q[i] + fine - threshold)
                cost = cost + 2
            else:
                out.append(0.0)
        i = i + 1
        if cost > 4 * n - 2:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def num_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Releases fresh noisy values of the queries above the threshold."""
    threshold = t + laplace(0.0, 3 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 6 * n / eps)
        if q[i] + noise >= threshold:
            fresh = laplace(0.0, 3 * n / eps)
            out.append(q[i] + fresh)
            count = count + 1
        else:
            out.append(0.0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_max(q: list[float], eps: float) -> int:
    """The index of the largest noisy answer."""
    largest = 0
    best = 0.0
    i = 0
    while i < len(q):
        noise = laplace(0.0, 2 / eps)
        if q[i] + noise > best or i == 0:
            largest = i
            best = q[i] + noise
        i = i + 1
    return largest


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def partial_sum(q: list[float], eps: float) -> float:
    """The sum, with noise once."""
    total = 0.0
    i = 0
    while i < len(q):
        total = total + q[i]
        i = i + 1
    return total + laplace(0.0, 1 / eps)


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 1", epsilon="2*eps")
def smart_sum(q: list[float], t: float, m: int, eps: float) -> list[float]:
    """Running sums by blocks of length m, up to time t."""
    out = []
    following = 0.0
    total = 0.0
    i = 0
    while i <= t and i < len(q):
        if (i + 1) % m == 0:
            following = total + q[i] + laplace(0.0, 1 / eps)
            total = 0.0
            out.append(following)
        else:
            following = following + q[i] + laplace(0.0, 1 / eps)
            total = total + q[i]
            out.append(following)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def bad_sparse_vector_1(q: list[float], t: float, n: int, eps: float) -> list[int]:
    """No noise on the queries, no limit on the answers above."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    i = 0
    while i < len(q):
        if q[i] >= threshold:
            out.append(1)
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def bad_sparse_vector_2(q: list[float], t: float, n: int, eps: float) -> list[int]:
    """Noise that doesn't grow, and no limit on the answers above."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    i = 0
    while i < len(q):
        noise = laplace(0.0, 2 / eps)
        if q[i] + noise >= threshold:
            out.append(1)
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def bad_sparse_vector_3(q: list[float], t: float, n: int, eps: float) -> list[int]:
    """Noise on the queries that doesn't grow with n."""
    threshold = t + laplace(0.0, 4 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 4 / (3 * eps))
        if q[i] + noise >= threshold:
            out.append(1)
            count = count + 1
        else:
            out.append(0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def bad_gap_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Releases the noisy query that was compared."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    count = 0
    i = 0
    while count < n and i < len(q):
        noise = laplace(0.0, 4 * n / eps)
        if q[i] + noise >= threshold:
            out.append(q[i] + noise)
            count = count + 1
        else:
            out.append(-100.0)
        i = i + 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and n > 0", epsilon="eps")
def bad_adaptive_sparse_vector(q: list[float], t: float, n: int, eps: float) -> list[float]:
    """Releases the noisy query that was compared, where it is far above."""
    threshold = t + laplace(0.0, 2 / eps)
    out = []
    cost = 2 * n
    i = 0
    while i < len(q):
        rough = laplace(0.0, 8 * n / eps)
        if q[i] + rough - threshold >= 16:
            out.append(q[i] + rough)
            cost = cost + 1
        else:
            fine = laplace(0.0, 4 * n / eps)
            if q[i] + fine - threshold >= 0:
                out.append(q[i] + fine - threshold)
                cost = cost + 2
            else:
                out.append(-100.0)
        i = i + 1
        if cost > 4 * n - 2:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def bad_noisy_max(q: list[float], eps: float) -> float:
    """The largest noisy answer in the place of its index."""
    largest = 0.0
    best = 0.0
    i = 0
    while i < len(q):
        noise = laplace(0.0, 2 / eps)
        if q[i] + noise > best or i == 0:
            largest = q[i] + noise
            best = q[i] + noise
        i = i + 1
    return largest


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def bad_partial_sum(q: list[float], eps: float) -> float:
    """Half of the noise."""
    total = 0.0
    i = 0
    while i < len(q):
        total = total + q[i]
        i = i + 1
    return total + laplace(0.0, 1 / (2 * eps))


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0 and m > 1", epsilon="2*eps")
def bad_smart_sum(q: list[float], t: float, m: int, eps: float) -> list[float]:
    """The sums of whole blocks have no noise."""
    out = []
    following = 0.0
    total = 0.0
    i = 0
    while i <= t and i < len(q):
        if (i + 1) % m == 0:
            following = total + q[i]
            total = 0.0
            out.append(following)
        else:
            following = following + q[i] + laplace(0.0, 1 / eps)
            total = total + q[i]
            out.append(following)
        i = i + 1
    return out
