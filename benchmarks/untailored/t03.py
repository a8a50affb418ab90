import math
import secrets


def laplace_noise(scale, rng=None):
    if scale <= 0:
        raise ValueError("scale must be positive")
    if rng is None:
        rng = secrets.SystemRandom()
    u = rng.uniform(-0.5, 0.5)
    sign = 1.0 if u >= 0 else -1.0
    return -scale * sign * math.log(1.0 - 2.0 * abs(u))


def noisy_count(true_count: int, epsilon: float, rng=None) -> tuple:
    """Returns (reported_int, raw_noisy_float)."""
    if epsilon <= 0:
        raise ValueError("epsilon must be positive")
    raw = true_count + laplace_noise(1.0 / epsilon, rng)
    return max(0, int(round(raw))), raw
