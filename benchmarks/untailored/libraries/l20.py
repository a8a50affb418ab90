import random


def sample_laplace(scale: float) -> float:
    u = random.expovariate(1)
    v = random.expovariate(1)
    return scale * (u - v)


def approx_upper_bound(values: list[float], n_bins: int, min_count: float, eps: float) -> float:
    """Largest power of two whose bin seems to hold more than min_count values."""
    bins = [0] * n_bins
    for v in values:
        b = 0
        while b < n_bins - 1 and v > 2.0**b:
            b += 1
        bins[b] += 1
    noisy = [count + sample_laplace(1 / eps) for count in bins]
    for b in reversed(range(n_bins)):
        if noisy[b] > min_count:
            return 2.0**b
    return 1.0


def auto_clipped_sum(values: list[float], n_bins: int, min_count: float, epsilon: float) -> tuple[float, float]:
    """Sum of nonnegative values when nobody knows how big they are: first a bound, then the clipped sum."""
    eps_bound = epsilon / 2
    eps_sum = epsilon / 2
    bound = approx_upper_bound(values, n_bins, min_count, eps_bound)
    total = sum(min(max(v, 0.0), bound) for v in values)
    return bound, total + sample_laplace(bound / eps_sum)
