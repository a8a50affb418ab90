"""Sparse vector, each broken in one place."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def limit_off_by_one(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """`count <= c` lets one answer too many through."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    i = 0
    while i < len(q) and count <= c:
        above = laplace(q[i], scale=4 * c / eps) >= threshold
        out.append(above)
        if above:
            count += 1
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def limit_missing(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """The answers are counted, but the count isn't looked at."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=4 * c / eps) >= threshold:
            out.append(True)
            count += 1
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def limit_resets(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Stops after c answers in a row only."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=4 * c / eps) >= threshold:
            out.append(True)
            count += 1
            if count == c:
                break
        else:
            out.append(False)
            count = 0
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def limit_counts_exact(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """The counter looks at the exact answers."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if count >= c:
            break
        out.append(laplace(x, scale=4 * c / eps) >= threshold)
        if x >= t:
            count += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 1", epsilon="eps")
def noise_without_c(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """The queries' noise doesn't grow with c."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if count < c:
            above = laplace(x, scale=4 / eps) >= threshold
            out.append(above)
            if above:
                count += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def svt_threshold_exact(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """No noise on the threshold."""
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=4 * c / eps) >= t:
            out.append(True)
            count += 1
            if count == c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def svt_gap_and_value(q: list[int], t: int, c: int, eps: float) -> list[tuple[int, int] | None]:
    """Gap and noisy answer are both released."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        noisy = laplace(x, scale=4 * c / eps)
        if noisy >= threshold:
            out.append((noisy - threshold, noisy))
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def gap_below_too(q: list[int], t: int, c: int, eps: float) -> list[int]:
    """Gaps are released for the answers below as well."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        gap = laplace(x, scale=4 * c / eps) - threshold
        out.append(gap)
        if gap >= 0:
            count += 1
            if count == c:
                break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def numeric_value_reused(q: list[int], t: int, c: int, eps: float) -> list[int | None]:
    """Numeric sparse vector that releases the noisy value it compared."""
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out = []
    for i in range(len(q)):
        answer = laplace(q[i], scale=6 * c / eps)
        if answer >= threshold:
            out.append(answer)
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def numeric_value_exact(q: list[int], t: int, c: int, eps: float) -> list[int | None]:
    """Numeric sparse vector that releases the exact value."""
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=6 * c / eps) >= threshold:
            out.append(x)
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def numeric_value_scale(q: list[int], t: int, c: int, eps: float) -> list[int | None]:
    """Numeric sparse vector whose values have noise of scale 1/eps for 3*c/eps."""
    threshold = laplace(t, scale=3 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=6 * c / eps) >= threshold:
            out.append(laplace(x, scale=1 / eps))
            count += 1
            if count == c:
                break
        else:
            out.append(None)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 1", epsilon="eps")
def redraw_too_precise(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """The threshold is redrawn after each answer, with noise that would do for one draw."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=4 * c / eps) >= threshold:
            out.append(True)
            count += 1
            if count >= c:
                break
            threshold = laplace(t, scale=2 / eps)
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 1", epsilon="eps")
def adaptive_cost_too_low(q: list[int], t: int, sigma: int, c: int, eps: float) -> list[int]:
    """Adaptive sparse vector whose first branch is booked at half its cost."""
    threshold = laplace(t, scale=2 / eps)
    spent = 0
    out = []
    for x in q:
        if spent + 2 > 2 * c:
            break
        far = laplace(x, scale=4 * c / eps)
        if far - threshold >= sigma:
            out.append(2)
            spent += 1
        else:
            near = laplace(x, scale=4 * c / eps)
            if near >= threshold:
                out.append(1)
                spent += 2
            else:
                out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def band_half_counted(q: list[int], low: int, high: int, c: int, eps: float) -> list[int]:
    """Band alert that only counts the answers above both thresholds."""
    noisy_low = laplace(low, scale=4 / eps)
    noisy_high = laplace(high, scale=4 / eps)
    alerts = 0
    out = []
    for x in q:
        answer = laplace(x, scale=4 * c / eps)
        if answer < noisy_low:
            out.append(0)
        elif answer < noisy_high:
            out.append(1)
        else:
            out.append(2)
            alerts += 1
            if alerts == c:
                break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def monotone_noise_for_all(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """The noise of the monotone case for queries that move both ways."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        above = laplace(x, scale=2 * c / eps) >= threshold
        out.append(above)
        if above:
            count += 1
            if count >= c:
                break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0", epsilon="eps")
def clear_answer_without_noise(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """No noise where the answer is clear."""
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        answer = x
        if abs(x - t) < 5:
            answer = laplace(x, scale=4 * c / eps)
        if answer >= threshold:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k > 1", epsilon="eps")
def sequence_claimed_eps(q: list[int], t: int, k: int, eps: float) -> list[int]:
    """k runs of above threshold for the price of one."""
    found = []
    i = 0
    for _ in range(k):
        threshold = laplace(t, scale=2 / eps)
        searching = True
        while searching and i < len(q):
            if laplace(q[i], scale=4 / eps) >= threshold:
                found.append(i)
                searching = False
            i += 1
    return found
