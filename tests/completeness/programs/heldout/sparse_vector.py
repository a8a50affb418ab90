"""Relatives of sparse vector: gaps, adaptive budgets, monotone queries, several thresholds."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def first_gap(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The first query above, and by how much it is above (the noisy gap).

    Threshold +1: eps/2.  Below: nothing.  At the answer +1 (at most 2 steps of eps/4): the gap
    stays the same.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        gap = laplace(q[i], scale=4 / eps) - threshold
        if gap >= 0:
            return i, gap
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_gap(q: list[int], t: int, c: int, eps: float) -> list[tuple[bool, int]]:
    """Sparse vector with gap: each answer above also says by how much.

    Threshold +1: eps/2.  Each of c answers +1: 2*eps/(4*c), and the gap stays.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        noisy = laplace(x, scale=4 * c / eps)
        if noisy >= threshold:
            out.append((True, noisy - threshold))
            count += 1
            if count == c:
                break
        else:
            out.append((False, 0))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_gap_real(q: list[float], t: float, c: int, eps: float) -> list[float | None]:
    """Sparse vector with gap on reals; None for below.

    As svt_gap: eps/2 for the threshold, c times 2*eps/(4*c) for the answers.  Sum: eps.
    """
    rho = laplace(0.0, 2 / eps)
    left = c
    out = []
    i = 0
    while i < len(q) and left > 0:
        gap = q[i] + laplace(0.0, 4 * c / eps) - (t + rho)
        if gap >= 0:
            out.append(gap)
            left -= 1
        else:
            out.append(None)
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and c > 0")
def svt_monotone(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Sparse vector for counts: all queries move the same way.

    Up (q2 >= q1): threshold +1 (eps/2), answers +1, of which the queries give back up to 1, so
    at most one step of eps/(2*c) each.  Down: threshold 0, answers 0, again at most one step
    each.  The worse order: eps/2 + c*eps/(2*c) = eps.
    """
    threshold = laplace(t, scale=2 / eps)
    count = 0
    out = []
    for x in q:
        if laplace(x, scale=2 * c / eps) >= threshold:
            out.append(True)
            count += 1
            if count >= c:
                break
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1, monotone=True)}, requires="eps > 0 and c > 0")
def svt_monotone_gap_real(q: list[float], t: float, c: int, eps: float) -> list[float | None]:
    """Monotone queries, gaps released.

    The shifts of svt_monotone keep the gap: up 1 and 1, down 0 and 0.  Sum: eps.
    """
    threshold = laplace(t, 2 / eps)
    gaps = []
    hits = 0
    for x in q:
        if hits < c:
            noisy = laplace(x, 2 * c / eps)
            if noisy < threshold:
                gaps.append(None)
            else:
                gaps.append(noisy - threshold)
                hits += 1
    return gaps


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def adaptive_svt(q: list[int], t: int, sigma: int, c: int, eps: float) -> list[int]:
    """Adaptive sparse vector (Ding et al. 2019), budget in units: 2 far above, 1 above, 0 below.

    Threshold +1: eps/2.  A far answer (+1 on `far`) costs 2*eps/(8*c) and one unit; a near one
    (nothing on `far`, +1 on `near`) costs 2*eps/(4*c) and two units.  So eps/(4*c) a unit, and
    2*c units at most: eps/2.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    spent = 0
    out = []
    for x in q:
        if spent + 2 > 2 * c:
            break
        far = laplace(x, scale=8 * c / eps)
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


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="eps > 0 and c > 0 and sigma >= 0",
)
def adaptive_svt_gap_real(
    q: list[float], t: float, sigma: float, c: int, eps: float
) -> list[tuple[int, float]]:
    """Adaptive sparse vector with gaps, budget tracked in a variable.

    The tag says which branch answered.  Threshold +1: eps/2 (the initial cost); a far answer +1:
    2*eps/(8*c), one unit; a near one +1: 2*eps/(4*c), two units; gaps stay.  `cost` is exactly
    what is paid, and never exceeds eps; it can reach it.
    """
    unit = eps / (4 * c)
    threshold = laplace(t, scale=2 / eps)
    cost = eps / 2
    out = []
    i = 0
    while i < len(q) and cost + 2 * unit <= eps:
        gap = laplace(q[i], scale=2 / unit) - threshold
        if gap >= sigma:
            out.append((2, gap))
            cost = cost + unit
        else:
            gap = laplace(q[i], scale=1 / unit) - threshold
            if gap >= 0:
                out.append((1, gap))
                cost = cost + 2 * unit
            else:
                out.append((0, 0.0))
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def adaptive_svt_hidden(q: list[float], t: float, sigma: float, c: int, eps: float) -> list[bool]:
    """Adaptive sparse vector that only says above or below, not by which branch.

    As adaptive_svt, but the shift of `far` depends on whether it answers: the proof has to treat
    that branch as if it were published.  Threshold eps/2, 2*c units of eps/(4*c).  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    units = 2 * c
    out = []
    for x in q:
        if units < 2:
            break
        far = laplace(x, scale=8 * c / eps)
        if far - threshold >= sigma:
            out.append(True)
            units -= 1
        else:
            near = laplace(x, scale=4 * c / eps)
            above = near - threshold >= 0
            out.append(above)
            if above:
                units -= 2
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def band_alert(q: list[int], low: int, high: int, c: int, eps: float) -> list[int]:
    """Below, between or above two noisy thresholds; stops after c that are not below.

    Both thresholds +1: eps/4 each.  Below: nothing.  Between and above +1: 2*eps/(4*c) each, at
    most c of them.  Sum: eps.
    """
    noisy_low = laplace(low, scale=4 / eps)
    noisy_high = laplace(high, scale=4 / eps)
    alerts = 0
    out = []
    for x in q:
        answer = laplace(x, scale=4 * c / eps)
        if answer < noisy_low:
            out.append(0)
            continue
        if answer < noisy_high:
            out.append(1)
        else:
            out.append(2)
        alerts += 1
        if alerts == c:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def band_monitor(q: list[float], low: float, high: float, c: int, eps: float) -> list[int]:
    """Between two noisy thresholds is normal; stops after c answers outside.

    Low threshold -1, high threshold +1: eps/4 each, so that between costs nothing.  Below -1,
    above +1: 2*eps/(4*c) each, at most c of them.  Sum: eps.
    """
    floor_ = laplace(low, scale=4 / eps)
    ceiling = laplace(high, scale=4 / eps)
    outside = 0
    out = []
    for x in q:
        answer = laplace(x, scale=4 * c / eps)
        if answer < floor_:
            out.append(-1)
            outside += 1
        elif answer > ceiling:
            out.append(1)
            outside += 1
        else:
            out.append(0)
        if outside >= c:
            return out
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and highs > 0 and lows > 0")
def svt_two_counters(
    q: list[int], top: int, bottom: int, highs: int, lows: int, eps: float
) -> list[int]:
    """Up to `highs` high alarms and `lows` low alarms, each with noise and counter of its own.

    Upper threshold +1, lower one -1: eps/4 each.  A high alarm +1: 2*eps/(8*highs), together
    eps/4; a low alarm -1: 2*eps/(8*lows), together eps/4.  Sum: eps.
    """
    upper = laplace(top, scale=4 / eps)
    lower = laplace(bottom, scale=4 / eps)
    high_left = highs
    low_left = lows
    out = []
    for x in q:
        alarm = 0
        if high_left > 0:
            if laplace(x, scale=8 * highs / eps) >= upper:
                alarm = 2
                high_left -= 1
        if alarm == 0 and low_left > 0:
            if laplace(x, scale=8 * lows / eps) <= lower:
                alarm = 1
                low_left -= 1
        out.append(alarm)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_rising_threshold(q: list[int], t: int, step: int, c: int, eps: float) -> list[bool]:
    """After each answer above, the threshold rises by a public step and gets fresh noise.

    c thresholds +1: eps/(2*c) each.  c answers +1: 2*eps/(4*c) each.  Sum: eps.
    """
    level = t
    threshold = laplace(level, scale=2 * c / eps)
    count = 0
    out = []
    for x in q:
        above = laplace(x, scale=4 * c / eps) >= threshold
        out.append(above)
        if above:
            count += 1
            if count == c:
                break
            level += step
            threshold = laplace(level, scale=2 * c / eps)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_one_sided(q: list[float], t: float, c: int, eps: float) -> list[bool]:
    """One-sided noise everywhere.

    All shifts go up: threshold +1 (eps/2), c answers +1 (2*eps/(4*c) each).  Sum: eps.
    """
    threshold = exponential(t, scale=2 / eps)
    count = 0
    out = []
    for i in range(len(q)):
        if count < c:
            if exponential(q[i], scale=4 * c / eps) >= threshold:
                count += 1
                out.append(True)
            else:
                out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and c > 0 and Delta > 0")
def svt_below(q: list[int], t: int, Delta: int, c: int, eps: float) -> list[bool]:
    """Stops after c answers below; those above are free.

    Threshold -Delta: eps/2.  Above: nothing.  Below -Delta: 2*Delta steps of eps/(4*c*Delta), c
    times.  Sum: eps.
    """
    threshold = laplace(t, scale=2 * Delta / eps)
    below = 0
    out = []
    for x in q:
        if laplace(x, scale=4 * c * Delta / eps) < threshold:
            out.append(False)
            below += 1
            if below >= c:
                break
        else:
            out.append(True)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0 and rest >= 0")
def svt_cooldown(q: list[int], t: int, c: int, rest: int, eps: float) -> list[bool]:
    """After an answer above, the next few queries are not asked.

    Threshold +1: eps/2.  c answers +1: 2*eps/(4*c) each.  Sum: eps.
    """
    threshold = laplace(t, scale=2 / eps)
    count = 0
    wait = 0
    out = []
    for x in q:
        if wait > 0:
            wait -= 1
            continue
        if count >= c:
            break
        above = laplace(x, scale=4 * c / eps) >= threshold
        out.append(above)
        if above:
            count += 1
            wait = rest
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="e1 > 0 and e2 > 0 and len(q) > 0")
def anchored_threshold(q: list[int], offset: int, e1: float, e2: float) -> tuple[int, int]:
    """The first entry is released with noise; the threshold lies a public offset above that.

    The release: e1.  Then above threshold from a public value: +1 on its noise, e2/2, and +1 at
    the answer, 2*e2/4.  Sum: e1 + e2.
    """
    anchor = laplace(q[0], scale=1 / e1)
    threshold = laplace(anchor + offset, scale=2 / e2)
    for i in range(1, len(q)):
        if laplace(q[i], scale=4 / e2) >= threshold:
            return anchor, i
    return anchor, len(q)


@mechanism(
    adjacent={"q": linf_distance(1)},
    requires="e1 > 0 and e2 > 0 and e3 > 0 and c > 0",
)
def numeric_svt_three_budgets(
    q: list[int], t: int, c: int, e1: float, e2: float, e3: float
) -> list[int | None]:
    """Numeric sparse vector with a budget each for threshold, one comparison and one value.

    Threshold +1: e1.  c comparisons +1: 2*e2 each.  c fresh values: e3 each.
    Sum: e1 + c*(2*e2 + e3).
    """
    threshold = laplace(t, 1 / e1)
    count = 0
    out = []
    for x in q:
        if laplace(x, 1 / e2) < threshold:
            out.append(None)
        else:
            out.append(laplace(x, 1 / e3))
            count += 1
            if count == c:
                break
    return out
