"""Sparse vector, written in other ways."""

from synth.lang import *


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and c > 0 and Delta > 0 and len(t) == len(q)",
)
def svt_append_comparison(q: list[int], t: list[int], Delta: int, c: int, eps: float) -> list[bool]:
    """Appends the comparison itself."""
    rho = laplace(0, 2 * Delta / eps)
    out = []
    count = 0
    for i in range(len(q)):
        noisy = laplace(q[i], 4 * c * Delta / eps)
        out.append(noisy >= t[i] + rho)
        if noisy >= t[i] + rho:
            count += 1
        if count >= c:
            break
    return out


@mechanism(
    adjacent={"q": linf_distance("Delta")},
    requires="eps > 0 and c > 0 and Delta > 0 and len(t) >= len(q)",
)
def svt_while_count(q: list[float], t: list[float], Delta: float, c: int, eps: float) -> list[bool]:
    """The limit is part of the loop's condition."""
    rho = laplace(0.0, 2 * Delta / eps)
    out = []
    count = 0
    i = 0
    while i < len(q) and count < c:
        above = q[i] + laplace(0.0, 4 * c * Delta / eps) >= t[i] + rho
        out.append(above)
        count += 1 if above else 0
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_remaining(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Counts down, and returns from within the loop."""
    threshold = laplace(t, scale=2 / eps)
    remaining = c
    out = []
    for x in q:
        answer = laplace(x, scale=4 * c / eps)
        if answer < threshold:
            out.append(False)
            continue
        out.append(True)
        remaining -= 1
        if remaining == 0:
            return out
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_tokens(q: list[int], t: int, c: int, eps: float) -> list[int]:
    """Ones and zeros for above and below."""
    rho = laplace(0, 2 / eps)
    tokens = []
    ones = 0
    for x in q:
        if ones == c:
            break
        token = 0
        if x + laplace(0, 4 * c / eps) - rho >= t:
            token = 1
            ones += 1
        tokens.append(token)
    return tokens


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_indices(q: list[int], t: int, c: int, eps: float) -> list[int]:
    """The indices of the queries above; stops when there are c of them."""
    threshold = laplace(t, scale=2 / eps)
    above = []
    for i in range(len(q)):
        if len(above) < c:
            answer = laplace(q[i], scale=4 * c / eps)
            if answer >= threshold:
                above.append(i)
    return above


@mechanism(adjacent={"query": linf_distance(1)}, requires="eps > 0 and c > 0 and n >= 0")
def svt_callable(query: Callable[[int], float], n: int, t: float, c: int, eps: float) -> list[bool]:
    """The queries are a function."""
    scale = 4 * c / eps
    threshold = laplace(t, 2 / eps)
    out = []
    hits = 0
    for j in range(n):
        if hits < c:
            hit = not (laplace(query(j), scale) < threshold)
            if hit:
                hits += 1
            out.append(hit)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_flag(q: list[int], t: int, c: int, eps: float) -> list[bool | None]:
    """After the limit the list goes on with None; the loop isn't left."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    active = True
    out = []
    for x in q:
        if active:
            if laplace(x, scale=4 * c / eps) >= threshold:
                out.append(True)
                count += 1
                active = count < c
            else:
                out.append(False)
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and c > 0 and Delta > 0")
def svt_2_fresh_threshold(q: list[int], t: int, Delta: int, c: int, eps: float) -> list[bool]:
    """Algorithm 2 with centred noise; nothing is drawn after the last answer above."""
    threshold = laplace(t, 2 * c * Delta / eps)
    count = 0
    out = []
    for x in q:
        answer = laplace(x, 4 * c * Delta / eps)
        if answer >= threshold:
            out.append(True)
            count += 1
            if count == c:
                return out
            threshold = laplace(t, 2 * c * Delta / eps)
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and c > 0 and Delta > 0")
def svt_2_redraw_flag(q: list[float], t: float, Delta: float, c: int, eps: float) -> list[bool]:
    """Algorithm 2: the threshold is drawn at the head of the loop, when a flag asks for it."""
    scale = 2 * c * Delta / eps
    threshold = 0.0
    redraw = True
    count = 0
    out = []
    for i in range(len(q)):
        if redraw:
            threshold = laplace(t, scale)
            redraw = False
        if laplace(q[i], 2 * scale) >= threshold:
            out.append(True)
            redraw = True
            count += 1
        else:
            out.append(False)
        if count == c:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_4_budgets(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Algorithm 4 with its budgets as local variables and added noise."""
    eps1 = eps / 4
    eps2 = eps - eps1
    rho = laplace(0, 1 / eps1)
    count = 0
    out = []
    for i, x in enumerate(q):
        nu = laplace(0, 1 / eps2)
        above = x + nu - (t + rho) >= 0
        out.append(above)
        if above:
            count += 1
            if count >= c:
                break
    return out


def next_above(q, start, threshold, scale):
    """The first index from start on that is noisily above, or len(q)."""
    i = start
    while i < len(q):
        if laplace(q[i], scale) >= threshold:
            return i
        i += 1
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def sequence_helper(q: list[int], t: int, k: int, eps: float) -> list[int]:
    """k runs of a helper; stops early at the end of the list."""
    found = []
    start = 0
    for _ in range(k):
        i = next_above(q, start, laplace(t, 2 / eps), 4 / eps)
        if i == len(q):
            break
        found.append(i)
        start = i + 1
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def sequence_one_loop(q: list[float], t: float, k: int, eps: float) -> list[int]:
    """k runs in one loop: a new threshold after each find."""
    found = []
    threshold = laplace(t, scale=2 / eps)
    for i, x in enumerate(q):
        if len(found) == k:
            break
        if laplace(x, scale=4 / eps) >= threshold:
            found.append(i)
            threshold = laplace(t, scale=2 / eps)
    return found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def numeric_count_down(q: list[int], t: int, c: int, eps: float) -> list[int | None]:
    """Numeric sparse vector: counts down, thirds of the budget as variables."""
    part = eps / 3
    rho = laplace(0, 1 / part)
    left = c
    out = []
    i = 0
    while i < len(q) and left > 0:
        if q[i] + laplace(0, 2 * c / part) < t + rho:
            out.append(None)
        else:
            left -= 1
            value = laplace(q[i], c / part)
            out.append(value)
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def numeric_pairs(q: list[float], t: float, c: int, eps: float) -> list[tuple[int, float]]:
    """Numeric sparse vector: pairs of index and fresh value for the queries above only."""
    threshold = laplace(t, scale=3 / eps)
    out = []
    for i, x in enumerate(q):
        if laplace(x, scale=6 * c / eps) >= threshold:
            noise = laplace(0.0, 3 * c / eps)
            out.append((i, x + noise))
            if len(out) == c:
                break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def numeric_default_value(q: list[int], t: int, c: int, eps: float) -> list[tuple[bool, int]]:
    """Numeric sparse vector: a flag and a value, zero below."""
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out = []
    for x in q:
        above = laplace(x, scale=6 * c / eps) >= threshold
        value = laplace(x, scale=3 * c / eps) if above else 0
        out.append((above, value))
        if above:
            count += 1
            if count == c:
                return out
    return out
