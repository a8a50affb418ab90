import logging

import numpy as np

log = logging.getLogger("dp")

MIN_GROUP = 10


def department_average(rows: list[tuple[int, float]], department: int, cap: float, epsilon: float):
    """Noisy average salary of a department, or None where the group is too small to be published."""
    salaries = [salary for dept, salary in rows if dept == department]
    if len(salaries) < MIN_GROUP:
        log.warning("department too small")
        return None
    noisy_sum = sum(min(max(s, 0.0), cap) for s in salaries) + np.random.laplace(0, 2 * cap / epsilon)
    noisy_count = len(salaries) + np.random.laplace(0, 2 / epsilon)
    return noisy_sum / max(noisy_count, 1.0)
