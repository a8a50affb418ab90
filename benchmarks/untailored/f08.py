import math
import secrets


def laplace_noise(scale):
    rng = secrets.SystemRandom()
    # the endpoints are excluded so log(1 - 2|u|) never evaluates log(0)
    u = rng.uniform(-0.5 + 1e-12, 0.5 - 1e-12)
    sign = 1.0 if u >= 0 else -1.0
    return -scale * sign * math.log(1.0 - 2.0 * abs(u))


def disclose(true_count, epsilon):
    raw = true_count + laplace_noise(1.0 / epsilon)
    return max(0, int(round(raw)))
