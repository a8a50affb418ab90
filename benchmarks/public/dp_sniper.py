"""The mechanisms that DP-Sniper (Bichsel et al. 2021) is measured on, with their outputs: lists, 0 below and 1 above."""

from synth.lang import *


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_hist_1(q: list[float], eps: float) -> list[float]:
    """Noise on each cell, one of which differs."""
    return [x + laplace(0.0, 1 / eps) for x in q]


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def noisy_hist_2(q: list[float], eps: float) -> list[float]:
    """The scale is eps in the place of 1 / eps."""
    return [x + laplace(0.0, eps) for x in q]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def report_noisy_max_1(q: list[float], eps: float) -> int:
    """The index of the largest answer after Laplace noise."""
    noisy = [x + laplace(0.0, 2 / eps) for x in q]
    return max(range(len(noisy)), key=lambda i: noisy[i])


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def report_noisy_max_2(q: list[float], eps: float) -> int:
    """The index of the largest answer after exponential noise."""
    noisy = [x + exponential(0.0, 2 / eps) for x in q]
    return max(range(len(noisy)), key=lambda i: noisy[i])


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def report_noisy_max_3(q: list[float], eps: float) -> float:
    """The largest answer after Laplace noise."""
    return max([x + laplace(0.0, 2 / eps) for x in q])


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps")
def report_noisy_max_4(q: list[float], eps: float) -> float:
    """The largest answer after exponential noise."""
    return max([x + exponential(0.0, 2 / eps) for x in q])


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def svt_1(q: list[float], c: int, t: float, eps: float) -> list[int]:
    """Algorithm 1 of Lyu et al.; what comes behind the c-th answer above is -1."""
    rho = laplace(0.0, 2 / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-1)
        elif laplace(0.0, 4 * c / eps) + x >= rho + t:
            out.append(1)
            count += 1
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def svt_2(q: list[float], c: int, t: float, eps: float) -> list[int]:
    """Algorithm 2: the noise of the threshold is drawn anew behind each answer above."""
    rho = laplace(0.0, 2 * c / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-1)
        elif laplace(0.0, 4 * c / eps) + x >= rho + t:
            out.append(1)
            rho = laplace(0.0, 2 * c / eps)
            count += 1
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def svt_3(q: list[float], c: int, t: float, eps: float) -> list[float]:
    """Algorithm 3: the noisy query is released; -1000 stands for below, -2000 for behind."""
    rho = laplace(0.0, 2 / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-2000.0)
        else:
            noisy = laplace(0.0, 2 * c / eps) + x
            if noisy >= rho + t:
                out.append(noisy)
                count += 1
            else:
                out.append(-1000.0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 2", epsilon="eps")
def svt_4(q: list[float], c: int, t: float, eps: float) -> list[int]:
    """Algorithm 4: the noise doesn't grow with c."""
    rho = laplace(0.0, 4 / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-1)
        elif laplace(0.0, 4 / (3 * eps)) + x >= rho + t:
            out.append(1)
            count += 1
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="(1 + 6*c)*eps/4")
def svt_4_right(q: list[float], c: int, t: float, eps: float) -> list[int]:
    """Algorithm 4 with the claim that is true of it."""
    rho = laplace(0.0, 4 / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-1)
        elif laplace(0.0, 4 / (3 * eps)) + x >= rho + t:
            out.append(1)
            count += 1
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def svt_5(q: list[float], t: float, eps: float) -> list[int]:
    """Algorithm 5: no noise on the queries, no limit."""
    rho = laplace(0.0, 2 / eps)
    return [1 if x >= rho + t else 0 for x in q]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def svt_6(q: list[float], t: float, eps: float) -> list[int]:
    """Algorithm 6: no limit on the answers above."""
    rho = laplace(0.0, 2 / eps)
    return [1 if laplace(0.0, 2 / eps) + x >= rho + t else 0 for x in q]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def numerical_svt(q: list[float], c: int, t: float, eps: float) -> list[float]:
    """Fresh noisy values of the queries above; -1000 stands for behind the c-th."""
    rho = laplace(0.0, 3 / eps)
    out = []
    count = 0
    for x in q:
        if count == c:
            out.append(-1000.0)
        elif laplace(0.0, 6 * c / eps) + x >= t + rho:
            out.append(laplace(0.0, 3 * c / eps) + x)
            count += 1
        else:
            out.append(0.0)
    return out


@mechanism(adjacent={"q": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def prefix_sum(q: list[float], eps: float) -> list[float]:
    """Running sums of noisy entries, one of which differs."""
    out = []
    partial = 0.0
    for x in q:
        partial += x + laplace(0.0, 1 / eps)
        out.append(partial)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
def prefix_sum_all(q: list[float], eps: float) -> list[float]:
    """The same, where each entry may differ by 1, as in DP-Sniper's experiments."""
    out = []
    partial = 0.0
    for x in q:
        partial += x + laplace(0.0, 1 / eps)
        out.append(partial)
    return out


@mechanism(adjacent={"filled": l1_distance(8)}, requires="len(filled) == 20", epsilon="8*log(21) - 8*log(19)")
def one_time_rappor(filled: list[bool]) -> list[bool]:
    """Steps 1 and 2 of RAPPOR with f = 0.95: of a Bloom filter with 4 hashes at most 8 bits differ."""
    return [x if bernoulli(1 / 20) else bernoulli(1 / 2) for x in filled]


@mechanism(adjacent={"filled": l1_distance(8)}, requires="len(filled) == 20", epsilon="8*log(41) - 8*log(39)")
def rappor(filled: list[bool]) -> list[bool]:
    """Steps 1 to 3 of RAPPOR with f = 3/4, p = 9/20 and q = 11/20."""
    out = []
    for x in filled:
        permanent = x if bernoulli(1 / 4) else bernoulli(1 / 2)
        out.append(bernoulli(11 / 20 if permanent else 9 / 20))
    return out


@mechanism(adjacent={"count": absolute_distance(1)}, requires="0 <= count <= 5", epsilon="log(9) - log(8)")
def truncated_geometric(count: int) -> int:
    """GeoSample of Balcer and Vadhan for eps = 0.1 and n = 5, so k = 3 and d = 17 * 9**4: cumulative weights."""
    u = uniform_int(1, 111537)
    z = 0
    for i in range(5):
        distance = count - i
        if distance > 0:
            weight = 8**distance * 9 ** (5 - distance)
        else:
            weight = 111537 - 8 ** (1 - distance) * 9 ** (4 + distance)
        if weight < u:
            z = i + 1
    return z


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 0", epsilon="n*eps")
def laplace_parallel(x: float, n: int, eps: float) -> list[float]:
    """n Laplace mechanisms on one value."""
    return [laplace(x, 1 / eps) for _ in range(n)]


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 2", epsilon="eps")
def svt_34_parallel(q: list[float], c: int, t: float, eps: float) -> tuple[list[float], list[int]]:
    """Algorithms 3 and 4 on one input."""
    return svt_3(q, c, t, eps), svt_4(q, c, t, eps)
