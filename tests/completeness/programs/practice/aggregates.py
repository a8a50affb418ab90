"""Counts, sums, means and histograms, as libraries and textbooks write them; half of them are wrong."""

import math

import numpy as np

from synth.lang import add_remove_distance, change_one_distance, linf_distance, mechanism


@mechanism(adjacent={"ages": add_remove_distance()}, requires="epsilon > 0")
def count_adults(ages: list[int], epsilon: float) -> float:
    """One record more or less moves the count by 1."""
    true_count = len([age for age in ages if age >= 18])
    return true_count + np.random.laplace(loc=0, scale=1 / epsilon)


@mechanism(adjacent={"ages": add_remove_distance()}, requires="epsilon > 0")
def count_with_both_groups(ages: list[int], epsilon: float) -> tuple[float, float]:
    """A record is in one of two groups: each of the two counts costs epsilon, but only one of them moves."""
    adults = 0
    minors = 0
    for age in ages:
        if age >= 18:
            adults += 1
        else:
            minors += 1
    return adults + np.random.laplace(0, 1 / epsilon), minors + np.random.laplace(0, 1 / epsilon)


def clamp(value: float, lower: float, upper: float) -> float:
    if value < lower:
        return lower
    if value > upper:
        return upper
    return value


@mechanism(
    adjacent={"values": add_remove_distance()}, requires="epsilon > 0 and 0 <= lower and lower < upper"
)
def bounded_sum(values: list[float], lower: float, upper: float, epsilon: float) -> float:
    """A record adds between lower and upper, which is at most upper."""
    sensitivity = max(abs(lower), abs(upper))
    total = sum(clamp(v, lower, upper) for v in values)
    return total + np.random.laplace(0, sensitivity / epsilon)


@mechanism(adjacent={"values": change_one_distance()}, requires="epsilon > 0 and upper > 0")
def bounded_sum_of_signed(values: list[float], upper: float, epsilon: float) -> float:
    """A changed record moves the sum by up to 2*upper, but the noise is for upper: 2*epsilon."""
    total = 0.0
    for v in values:
        total += clamp(v, -upper, upper)
    return total + np.random.laplace(0, upper / epsilon)


@mechanism(adjacent={"salaries": change_one_distance()}, requires="eps > 0 and len(salaries) > 0 and cap > 0")
def mean_of_clipped(salaries: list[float], cap: float, eps: float) -> float:
    """The mean moves by at most cap/n."""
    data = np.clip(np.array(salaries), 0, cap)
    n = len(data)
    sensitivity = cap / n
    return data.mean() + np.random.laplace(scale=sensitivity / eps)


@mechanism(adjacent={"salaries": change_one_distance()}, requires="eps > 0 and len(salaries) > 0 and cap > 0")
def mean_with_sensitivity_one(salaries: list[float], cap: float, eps: float) -> float:
    """Someone took the sensitivity of a count: the mean moves by cap/n, so it costs cap*eps/n."""
    data = np.clip(np.array(salaries), 0, cap)
    return np.mean(data) + np.random.laplace(scale=1 / eps)


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0 and bound > 0")
def mean_by_sum_and_count(xs: list[float], bound: float, eps: float) -> float:
    """Half of the budget for the sum, half for the count; the division is post-processing."""
    rng = np.random.default_rng()
    total = 0.0
    count = 0
    for x in xs:
        total += min(max(x, -bound), bound)
        count += 1
    noisy_total = total + rng.laplace(0, bound / (eps / 2))
    noisy_count = count + rng.laplace(0, 1 / (eps / 2))
    if noisy_count < 1:
        noisy_count = 1.0
    return noisy_total / noisy_count


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0 and bound > 0")
def mean_that_spends_twice(xs: list[float], bound: float, eps: float) -> float:
    """Both releases take the whole budget: 2*eps."""
    rng = np.random.default_rng()
    total = 0.0
    for x in xs:
        total += min(max(x, -bound), bound)
    noisy_total = total + rng.laplace(0, bound / eps)
    noisy_count = len(xs) + rng.laplace(0, 1 / eps)
    return noisy_total / max(noisy_count, 1.0)


@mechanism(adjacent={"counts": linf_distance(1)}, requires="eps > 0")
def histogram_of_counts(counts: list[int], eps: float) -> list[float]:
    """Each bin may move, so it costs eps for each of them."""
    released = []
    for c in counts:
        released.append(c + np.random.laplace(0, 1 / eps))
    return released


@mechanism(adjacent={"grades": change_one_distance()}, requires="eps > 0")
def histogram_of_grades(grades: list[int], eps: float) -> list[float]:
    """A changed record leaves one bin and joins another one: two counts move by 1."""
    bins = [0, 0, 0, 0]
    for g in grades:
        if g < 0 or g > 3:
            continue
        bins[g] += 1
    return [b + np.random.laplace(0, 2 / eps) for b in bins]


@mechanism(adjacent={"grades": change_one_distance()}, requires="eps > 0")
def histogram_with_the_noise_of_one(grades: list[int], eps: float) -> list[float]:
    """Two bins move, but the noise is for one: 2*eps."""
    bins = [0, 0, 0, 0]
    for g in grades:
        if 0 <= g < 4:
            bins[g] += 1
    return [b + np.random.laplace(0, 1 / eps) for b in bins]


@mechanism(adjacent={"grades": add_remove_distance()}, requires="eps > 0")
def histogram_by_comparison(grades: list[int], eps: float) -> list[float]:
    """One record more or less is in one bin."""
    noisy = []
    for grade in range(5):
        noisy.append(sum(1 for g in grades if g == grade) + np.random.laplace(scale=1 / eps))
    return noisy


@mechanism(adjacent={"n": linf_distance(1)}, requires="eps > 0")
def same_noise_for_all(n: list[int], eps: float) -> list[float]:
    """One draw for all counts: their differences are released as they are."""
    noise = np.random.laplace(0, 1 / eps)
    return [c + noise for c in n]


@mechanism(adjacent={"values": change_one_distance()}, requires="eps > 0 and eps < 1")
def count_with_a_truncated_scale(values: list[float], eps: float) -> float:
    """int() of the scale: up to twice as dear as it should be (eps just above 1/2 has the scale 1)."""
    scale = int(1 / eps)
    return sum(1 for v in values if v > 0) + np.random.laplace(0, scale)


@mechanism(adjacent={"values": change_one_distance()}, requires="eps > 0")
def count_with_the_scale_inverted(values: list[float], eps: float) -> float:
    """The scale is eps, not 1/eps: it costs 1/eps."""
    return sum(1 for v in values if v > 0) + np.random.laplace(0, eps)


@mechanism(adjacent={"values": change_one_distance()}, requires="eps > 0")
def rounded_count(values: list[bool], eps: float) -> int:
    """Rounding and cutting off are post-processing."""
    noisy = np.random.laplace(loc=sum(values), scale=1 / eps)
    result = int(np.round(noisy))
    return max(0, min(result, len(values)))


@mechanism(adjacent={"flags": change_one_distance()}, requires="eps > 0 and len(flags) > 0")
def share_of_flags(flags: list[bool], eps: float) -> float:
    """A share moves by 1/n; it is cut off to 0..1."""
    n = len(flags)
    share = sum(flags) / n
    noisy = share + np.random.laplace(0, 1 / (n * eps))
    if noisy < 0.0:
        return 0.0
    elif noisy > 1.0:
        return 1.0
    return noisy


@mechanism(adjacent={"flags": change_one_distance()}, requires="eps > 0")
def geometric_count(flags: list[bool], eps: float) -> int:
    """Two-sided geometric noise, by its two sides."""
    alpha = math.exp(-eps)
    true = sum(1 for f in flags if f)
    up = np.random.geometric(1 - alpha) - 1
    down = np.random.geometric(1 - alpha) - 1
    return true + up - down


@mechanism(adjacent={"xs": change_one_distance()}, requires="eps > 0 and cap > 0 and len(xs) >= 1")
def mean_and_variance(xs: list[float], cap: float, eps: float) -> tuple[float, float]:
    """The sum and the sum of squares, each with half of the budget."""
    n = len(xs)
    first = sum([min(max(x, 0), cap) for x in xs]) + np.random.laplace(0, 2 * cap / eps)
    second = sum([min(max(x * x, 0), cap**2) for x in xs]) + np.random.laplace(0, 2 * cap**2 / eps)
    mean = first / n
    return mean, second / n - mean**2
