"""The sparse vector technique, and the true ones among its published variants."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def sparse_vector_sequence(q: list[int], t: int, k: int, eps: float) -> list[int]:
    """Indices of up to k queries above t: k runs of above threshold, each on the rest of q.

    Barthe et al. 2016, section 2.2.
    """
    found = []
    i = 0
    for _ in range(k):
        threshold = laplace(t, scale=2 / eps)
        searching = True
        while searching and i < len(q):
            answer = laplace(q[i], scale=4 / eps)
            if answer >= threshold:
                found.append(i)
                searching = False
            i += 1
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def sparse_vector_sequence_real(q: list[float], t: float, k: int, eps: float) -> list[int]:
    """Indices of up to k real queries above t."""
    found = []
    i = 0
    for _ in range(k):
        threshold = laplace(t, scale=2 / eps)
        searching = True
        while searching and i < len(q):
            answer = laplace(q[i], scale=4 / eps)
            if answer >= threshold:
                found.append(i)
                searching = False
            i += 1
    return found


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and c > 0 and Delta > 0 and len(t) == len(q)",
)
def svt_1(q: list[int], t: list[int], Delta: int, c: int, eps: float) -> list[bool]:
    """Algorithm 1 of Lyu et al.: a threshold for each query, stops after c answers above."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0, Delta / eps1)
    count = 0
    out = []
    for i in range(len(q)):
        nu = laplace(0, 2 * c * Delta / eps2)
        if q[i] + nu >= t[i] + rho:
            out.append(True)
            count = count + 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and c > 0 and Delta > 0 and len(t) == len(q)",
)
def svt_1_real(q: list[float], t: list[float], Delta: float, c: int, eps: float) -> list[bool]:
    """Algorithm 1 of Lyu et al. on reals."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0.0, Delta / eps1)
    count = 0
    out = []
    for i in range(len(q)):
        nu = laplace(0.0, 2 * c * Delta / eps2)
        if q[i] + nu >= t[i] + rho:
            out.append(True)
            count = count + 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and c > 0 and Delta > 0")
def svt_2(q: list[int], t: int, Delta: int, c: int, eps: float) -> list[bool]:
    """Algorithm 2 of Lyu et al. (Dwork & Roth): the threshold is redrawn after each answer above."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0, c * Delta / eps1)
    count = 0
    out = []
    for x in q:
        nu = laplace(0, 2 * c * Delta / eps1)
        if x + nu >= t + rho:
            out.append(True)
            rho = laplace(0, c * Delta / eps2)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and c > 0 and Delta > 0")
def svt_2_real(q: list[float], t: float, Delta: float, c: int, eps: float) -> list[bool]:
    """Algorithm 2 of Lyu et al. on reals."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = laplace(0.0, c * Delta / eps1)
    count = 0
    out = []
    for x in q:
        nu = laplace(0.0, 2 * c * Delta / eps1)
        if x + nu >= t + rho:
            out.append(True)
            rho = laplace(0.0, c * Delta / eps2)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_4(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Algorithm 4 of Lyu et al. (Lee & Clifton): the noise does not grow with c, so the loss does."""
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


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_4_real(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """Algorithm 4 of Lyu et al. on reals."""
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
