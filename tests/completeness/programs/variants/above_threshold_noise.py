"""Above threshold, with the noise and the comparison written in other ways."""

from synth.lang import *

THRESHOLD_SHARE = 2
ANSWER_SHARE = 4


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_added_noise(q: list[int], t: int, eps: float) -> int:
    """Noise is added in place, not centred."""
    threshold = t + laplace(0, 2 / eps)
    for i in range(len(q)):
        if q[i] + laplace(0, 4 / eps) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_named_noise(q: list[int], t: int, eps: float) -> int:
    """The noise has a name of its own, and both sides of the comparison are sums."""
    rho = laplace(0, 2 / eps)
    result = len(q)
    for i in range(len(q)):
        nu = laplace(0, 4 / eps)
        if t + rho <= q[i] + nu and result == len(q):
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_subtracted_noise(q: list[int], t: int, eps: float) -> int:
    """Noise is subtracted; it's symmetric."""
    threshold = t - laplace(0, 2 / eps)
    for i in range(len(q)):
        answer = q[i] - laplace(0, 4 / eps)
        if answer >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_difference(q: list[int], t: int, eps: float) -> int:
    """Looks at the sign of the difference."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        gap = laplace(q[i], scale=4 / eps) - threshold
        if gap >= 0:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_all_noise_left(q: list[int], t: int, eps: float) -> int:
    """The public threshold is compared with the query, all noise is on the left."""
    rho = laplace(0, scale=2 / eps)
    for i in range(len(q)):
        nu = laplace(0, scale=4 / eps)
        if q[i] + nu - rho >= t:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_negative_side(q: list[int], t: int, eps: float) -> int:
    """Everything is negated: the first that is below the negated threshold."""
    threshold = laplace(-t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(-q[i], scale=4 / eps)
        if answer <= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_centred_query(q: list[int], t: int, eps: float) -> int:
    """The threshold is taken off the query before the noise."""
    rho = laplace(0, scale=2 / eps)
    for i in range(len(q)):
        above_by = laplace(q[i] - t, scale=4 / eps)
        if above_by >= rho:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_split_budget(q: list[int], t: int, eps: float) -> int:
    """Budgets are local variables."""
    eps1 = eps / 2
    eps2 = eps - eps1
    threshold = laplace(t, scale=1 / eps1)
    for i in range(len(q)):
        if laplace(q[i], scale=2 / eps2) >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_constants(q: list[int], t: int, eps: float) -> int:
    """Constants of the module, and scales named before the loop."""
    threshold_scale = THRESHOLD_SHARE / eps
    answer_scale = ANSWER_SHARE / eps
    threshold = laplace(t, threshold_scale)
    for i in range(len(q)):
        answer = laplace(q[i], answer_scale)
        if answer >= threshold:
            return i
    return len(q)


def noisy(x, sensitivity, epsilon):
    """x with Laplace noise."""
    scale = sensitivity / epsilon
    return laplace(x, scale)


def is_above(answer, threshold):
    """Whether the answer reaches the threshold."""
    if answer < threshold:
        return False
    return True


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_helpers(q: list[int], t: int, eps: float) -> int:
    """Helpers add the noise and compare."""
    threshold = noisy(t, 1, eps / 2)
    for i in range(len(q)):
        if is_above(noisy(q[i], 2, eps / 2), threshold):
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_strict_real(q: list[float], t: float, eps: float) -> int:
    """On reals, strictly above, with added noise and an early return."""
    rho = laplace(0.0, 2 / eps)
    for i, x in enumerate(q):
        noise = laplace(0.0, 4 / eps)
        if x + noise > t + rho:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and Delta > 0")
def at_sensitivity_real(q: list[float], t: float, Delta: float, eps: float) -> int:
    """Any sensitivity; scaled by helper variables."""
    unit = Delta / eps
    threshold = laplace(t, 2 * unit)
    i = 0
    while i < len(q):
        if laplace(q[i], 4 * unit) - threshold >= 0:
            return i
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_doubled(q: list[int], t: int, eps: float) -> int:
    """Both sides of the comparison are doubled and moved by a constant."""
    threshold = 2 * laplace(t, scale=2 / eps) + 1
    for i in range(len(q)):
        answer = 2 * laplace(q[i], scale=4 / eps) + 1
        if answer >= threshold:
            return i
    return len(q)


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_one_sided(q: list[int], t: int, eps: float) -> int:
    """One-sided noise does as well: both shifts go up."""
    threshold = exponential(t, scale=2 / eps)
    for i in range(len(q)):
        if exponential(q[i], scale=4 / eps) >= threshold:
            return i
    return len(q)
