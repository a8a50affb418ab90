"""Above threshold, each broken in one place."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def threshold_exact(q: list[int], t: int, eps: float) -> int:
    """The threshold has no noise."""
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= t:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def answers_exact(q: list[int], t: int, eps: float) -> int:
    """The queries have no noise."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if q[i] >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def threshold_scale_halved(q: list[int], t: int, eps: float) -> int:
    """The threshold has half its noise."""
    threshold = laplace(t, scale=1 / eps)
    result = len(q)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold and result == len(q):
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def answer_scale_halved(q: list[float], t: float, eps: float) -> int:
    """The queries have half their noise."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(q[i], scale=2 / eps)
        if answer >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def gap_and_value(q: list[int], t: int, eps: float) -> tuple[int, int, int]:
    """The gap is released, and the noisy answer too: together they give the threshold away."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold:
            return i, answer - threshold, answer
    return len(q), 0, 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def threshold_released(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The noisy threshold is part of the output."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i, threshold
    return len(q), threshold


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def obvious_answer_exact(q: list[int], t: int, eps: float) -> int:
    """An early return for what is obviously above looks at the exact answer."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if q[i] > t + 10:
            return i
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def threshold_redrawn(q: list[int], t: int, eps: float) -> int:
    """The threshold is drawn anew for each query."""
    for i in range(len(q)):
        threshold = laplace(t, scale=2 / eps)
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def answer_noise_reused(q: list[int], t: int, eps: float) -> int:
    """One draw serves all queries."""
    threshold = laplace(t, scale=2 / eps)
    noise = laplace(0, scale=4 / eps)
    for i in range(len(q)):
        if q[i] + noise >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def same_noise_on_both_sides(q: list[int], t: int, eps: float) -> int:
    """The threshold's noise is also the first query's, and cancels out."""
    noise = laplace(0, scale=2 / eps)
    threshold = t + noise
    for i in range(len(q)):
        if q[i] + noise >= threshold:
            return i
        noise = laplace(0, scale=4 / eps)
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def wrong_index_noised(q: list[int], t: int, eps: float) -> int:
    """Noise goes to one query, the comparison looks at the next one."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(1, len(q)):
        answer = laplace(q[i - 1], scale=4 / eps)
        if answer >= threshold or q[i] >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def noise_assigned_too_late(q: list[int], t: int, eps: float) -> int:
    """The comparison comes before the noise."""
    threshold = laplace(t, scale=2 / eps)
    answer = 0
    for i in range(len(q)):
        answer = q[i]
        if answer >= threshold:
            return i
        answer = laplace(answer, scale=4 / eps)
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def all_indices(q: list[int], t: int, eps: float) -> list[int]:
    """All indices above are released, not only the first."""
    threshold = laplace(t, scale=2 / eps)
    out = []
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            out.append(i)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def fresh_value_claimed_free(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The fresh value costs eps of its own, which the claim forgets."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i, laplace(q[i], scale=1 / eps)
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def fresh_noise_reused(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The value's noise is that of the comparison."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        noise = laplace(0, scale=4 / eps)
        if q[i] + noise >= threshold:
            return i, q[i] + noise
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def scale_inverted(q: list[int], t: int, eps: float) -> int:
    """eps/2 and eps/4 for 2/eps and 4/eps."""
    threshold = laplace(t, scale=eps / 2)
    for i in range(len(q)):
        if laplace(q[i], scale=eps / 4) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(2)}, requires="eps > 0", epsilon="eps")
def sensitivity_doubled(q: list[int], t: int, eps: float) -> int:
    """The queries differ by up to 2, the noise is for 1."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def exact_count_released(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """Also says how many exact answers were above."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    above = 0
    for i in range(len(q)):
        if q[i] >= t:
            above += 1
        if laplace(q[i], scale=4 / eps) >= threshold and result == len(q):
            result = i
    return result, above


@mechanism(adjacent={"q": linf_distance(1)}, requires="e1 > 0 and e2 > 0", epsilon="e1 + e2")
def factor_two_forgotten(q: list[int], t: int, e1: float, e2: float) -> int:
    """The answer shifts by two steps, the claim counts one."""
    threshold = laplace(t, scale=1 / e1)
    for i in range(len(q)):
        if laplace(q[i], scale=1 / e2) >= threshold:
            return i
    return len(q)
