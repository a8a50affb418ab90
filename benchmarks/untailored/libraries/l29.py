import math
from typing import NamedTuple

import numpy as np


class Usage(NamedTuple):
    users: float
    minutes: float


def usage_report(minutes: list[float], cap: float, epsilon: float, delta: float) -> Usage:
    """Number of users with Laplace noise (epsilon / 2), minutes with Gaussian noise (epsilon / 2, delta)."""
    half = epsilon / 2
    users = 0
    total = 0.0
    for m in minutes:
        users += 1
        if m <= 0:
            continue
        total += m if m < cap else cap
    sigma = cap * math.sqrt(2 * math.log(1.25 / delta)) / half
    return Usage(
        users=users + np.random.laplace(0, 1 / half),
        minutes=total + np.random.normal(0, sigma),
    )
