"""The sparse vector technique: Lyu, Su and Li's six algorithms, and what people make of them."""

import numpy as np

from synth.lang import linf_distance, mechanism


@mechanism(adjacent={"queries": linf_distance("delta")}, requires="eps > 0 and delta > 0 and c >= 1")
def lyu_1(queries: list[float], T: float, c: int, delta: float, eps: float) -> list[bool]:
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = np.random.laplace(0, delta / eps1)
    count = 0
    out = []
    for q in queries:
        nu = np.random.laplace(0, 2 * c * delta / eps2)
        if q + nu >= T + rho:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"queries": linf_distance("delta")}, requires="eps > 0 and delta > 0 and c >= 1")
def lyu_2(queries: list[float], T: float, c: int, delta: float, eps: float) -> list[bool]:
    """Dwork and Roth: a new threshold after each answer above."""
    eps1 = eps / 2
    rho = np.random.laplace(0, c * delta / eps1)
    count = 0
    out = []
    for q in queries:
        if q + np.random.laplace(0, 2 * c * delta / eps1) >= T + rho:
            out.append(True)
            rho = np.random.laplace(0, c * delta / eps1)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"queries": linf_distance(1)}, requires="eps > 0 and c >= 1")
def lyu_3(queries: list[float], T: float, c: int, eps: float) -> list[float | None]:
    """Roth's lecture notes: the noisy answer itself is released."""
    rho = np.random.laplace(0, 2 / eps)
    count = 0
    out: list[float | None] = []
    for q in queries:
        noisy = q + np.random.laplace(0, 2 * c / eps)
        if noisy >= T + rho:
            out.append(noisy)
            count += 1
            if count >= c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"queries": linf_distance(1)}, requires="eps > 0 and c >= 1")
def lyu_4(queries: list[float], T: float, c: int, eps: float) -> list[bool]:
    """Lee and Clifton: the noise of the answers doesn't grow with c; (1 + 6*c)*eps/4 is least."""
    eps1 = eps / 4
    rho = np.random.laplace(0, 1 / eps1)
    count = 0
    out = []
    for q in queries:
        nu = np.random.laplace(0, 1 / (eps - eps1))
        if q + nu >= T + rho:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"queries": linf_distance(1)}, requires="eps > 0")
def lyu_5(queries: list[float], T: float, eps: float) -> list[bool]:
    """Stoddard et al.: no noise on the queries, and no limit."""
    rho = np.random.laplace(0, 2 / eps)
    out = []
    for q in queries:
        if q >= T + rho:
            out.append(True)
        else:
            out.append(False)
    return out


@mechanism(adjacent={"queries": linf_distance(1)}, requires="eps > 0")
def lyu_6(queries: list[float], T: float, eps: float) -> list[bool]:
    """Chen et al.: noise, but no limit."""
    rho = np.random.laplace(0, 2 / eps)
    return [bool(q + np.random.laplace(0, 2 / eps) >= T + rho) for q in queries]


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0")
def above_threshold(queries: list[int], T: int, epsilon: float) -> int | None:
    T_hat = T + np.random.laplace(loc=0, scale=2 / epsilon)
    for idx, q in enumerate(queries):
        nu_i = np.random.laplace(loc=0, scale=4 / epsilon)
        if q + nu_i >= T_hat:
            return idx
    return None


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0")
def above_threshold_without_an_answer(queries: list[int], T: int, epsilon: float) -> int:
    """-1 where none is above."""
    noisy_T = T + np.random.laplace(0, 2 / epsilon)
    i = 0
    while i < len(queries):
        if queries[i] + np.random.laplace(0, 4 / epsilon) >= noisy_T:
            break
        i += 1
    else:
        return -1
    return i


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0 and c >= 1")
def sparse_by_restarts(queries: list[int], T: int, c: int, epsilon: float) -> list[int]:
    """Up to c runs of above threshold, one after the other, each with epsilon/c."""
    e = epsilon / c
    found = []
    start = 0
    for _ in range(c):
        limit = T + np.random.laplace(0, 2 / e)
        position = -1
        for j in range(start, len(queries)):
            if queries[j] + np.random.laplace(0, 4 / e) >= limit:
                position = j
                break
        if position < 0:
            break
        found.append(position)
        start = position + 1
    return found


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0 and c >= 1")
def sparse_that_counts_too_late(queries: list[int], T: int, c: int, epsilon: float) -> list[bool]:
    """The count is compared before it is raised, so there are c + 1 answers above: more than epsilon."""
    threshold = T + np.random.laplace(0, 2 / epsilon)
    count = 0
    answers = []
    for q in queries:
        if q + np.random.laplace(0, 4 * c / epsilon) > threshold:
            answers.append(True)
            if count >= c:
                break
            count += 1
        else:
            answers.append(False)
    return answers


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0")
def threshold_without_noise(queries: list[int], T: int, epsilon: float) -> int | None:
    """All entries before the answer pay: no bound for all lengths."""
    for i in range(len(queries)):
        if queries[i] + np.random.laplace(0, 4 / epsilon) >= T:
            return i
    return None


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0")
def numeric_above_threshold(queries: list[int], T: int, epsilon: float) -> tuple[int, float] | None:
    """The index with half of the budget, and then the answer with fresh noise and the other half."""
    bar = T + np.random.laplace(0, 4 / epsilon)
    for i, q in enumerate(queries):
        if q + np.random.laplace(0, 8 / epsilon) >= bar:
            return i, q + np.random.laplace(0, 2 / epsilon)
    return None


@mechanism(adjacent={"queries": linf_distance(1)}, requires="epsilon > 0 and c >= 1", epsilon="epsilon")
def limit_without_a_share_of_the_noise(queries: list[float], T: float, c: int, epsilon: float) -> list[bool]:
    bar = T + np.random.laplace(0, 2 / epsilon)
    out, count = [], 0
    for q in queries:
        if q + np.random.laplace(0, 4 / epsilon) >= bar:
            out.append(True)
            count += 1
            if count == c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"stream": linf_distance(1)}, requires="eps > 0")
def first_over_by_next(stream: list[int], t: float, eps: float) -> int | None:
    """Above threshold in one expression: the first index, or None."""
    noisy_t = t + np.random.laplace(0, 2 / eps)
    return next((i for i, x in enumerate(stream) if x + np.random.laplace(0, 4 / eps) >= noisy_t), None)


@mechanism(adjacent={"stream": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def value_over_by_next(stream: list[int], t: float, eps: float) -> int:
    """The entry itself is told: false."""
    noisy_t = t + np.random.laplace(0, 2 / eps)
    return next((x for x in stream if x + np.random.laplace(0, 4 / eps) >= noisy_t), 0)
