import numpy as np


def survival_curve(durations: list[float], times: list[float], epsilon: float):
    """Noisy number of customers who stayed for at least t days, for each t of `times`.

    The budget is split evenly. Afterwards the curve is made nonincreasing, which is post-processing.
    """
    if not times:
        return [], []
    eps_each = epsilon / len(times)
    noisy = []
    for t in times:
        exact = len([d for d in durations if d >= t])
        noisy.append(exact + np.random.laplace(0, 1 / eps_each))

    curve = [noisy[0]]
    for value in noisy[1:]:
        curve.append(min(value, curve[-1]))
    return noisy, curve
