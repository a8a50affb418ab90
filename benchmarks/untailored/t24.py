import random
from typing import List, Optional


def sample_laplace(b: float) -> float:
    return random.choice([-1, 1]) * random.expovariate(1 / b)


def noisy_count_where(ages: List[int], threshold: int, epsilon: float, minimum: Optional[int] = None) -> float:
    matching = [a for a in ages if a >= threshold]
    noisy = len(matching) + sample_laplace(1.0 / epsilon)
    if minimum is not None and noisy < minimum:
        return float(minimum)
    return noisy
