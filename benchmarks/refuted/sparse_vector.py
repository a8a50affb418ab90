"""The wrong ones among the published variants of sparse vector (numbers as in Lyu et al.)."""

from synth.lang import *


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and c > 0 and Delta > 0",
    epsilon="eps",
)
def svt_3(q: list[int], t: int, Delta: int, c: int, eps: float) -> list[int | None]:
    """Algorithm 3 (lecture notes of 2011): the noisy answer that was compared is also released."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0, Delta / eps1)
    count = 0
    out = []
    for x in q:
        nu = laplace(0, c * Delta / eps2)
        if x + nu >= t + rho:
            out.append(x + nu)
            count += 1
            if count >= c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c >= 2", epsilon="eps")
def svt_4_claim_eps(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Algorithm 4 (Lee & Clifton 2014) with the published claim."""
    threshold = laplace(t, 4 / eps)
    count = 0
    out = []
    for x in q:
        answer = laplace(x, 4 / (3 * eps))
        if answer >= threshold:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and Delta > 0",
    epsilon="eps",
)
def svt_5(q: list[int], t: int, Delta: int, eps: float) -> list[bool]:
    """Algorithm 5 (Stoddard et al. 2014): no noise on the queries, no limit on the answers."""
    rho = laplace(0, 2 * Delta / eps)
    out = []
    for x in q:
        if x >= t + rho:
            out.append(True)
        else:
            out.append(False)
    return out


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and Delta > 0 and len(t) == len(q)",
    epsilon="eps",
)
def svt_6(q: list[int], t: list[int], Delta: int, eps: float) -> list[bool]:
    """Algorithm 6 (Chen et al. 2015): no limit on the answers, and the noise does not grow."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0, Delta / eps1)
    out = []
    for i in range(len(q)):
        nu = laplace(0, Delta / eps2)
        if q[i] + nu >= t[i] + rho:
            out.append(True)
        else:
            out.append(False)
    return out


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="eps > 0 and 0 < delta and delta < 1/100",
    epsilon="eps",
    delta="delta",
)
def between_without_noise(q: list[int], lower: int, upper: int, eps: float, delta: float) -> list[int]:
    """Between thresholds (Bun, Steinke & Ullman) without noise on the thresholds: each answer costs."""
    out = []
    for x in q:
        c = laplace(x, 2 / eps)
        if c < lower:
            out.append(-1)
        elif c > upper:
            out.append(1)
        else:
            out.append(0)
            break
    return out
