from collections import Counter

import numpy as np


def noisy_counts(column, size, epsilon):
    counts = Counter(column)
    return [counts[v] + np.random.laplace(0, 1 / epsilon) for v in range(size)]


def marginals(rows: list[tuple[int, int]], n_sex: int, n_district: int, epsilon: float) -> dict[str, list[float]]:
    """One-way marginals of a census table. A person is in one cell of a marginal, so parallel composition applies."""
    sexes = [sex for sex, _ in rows]
    districts = [district for _, district in rows]
    return {
        "sex": noisy_counts(sexes, n_sex, epsilon),
        "district": noisy_counts(districts, n_district, epsilon),
    }
