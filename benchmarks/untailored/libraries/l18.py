from collections import Counter
from itertools import product

import numpy as np


def contingency_table(rows: list[tuple[int, int]], n_edu: int, n_income: int, epsilon: float) -> dict[tuple[int, int], int]:
    """Two-way table of education and income bracket, with discrete Laplace noise in all cells, the empty ones too."""
    rng = np.random.default_rng()
    p = 1 - np.exp(-epsilon)
    cells = Counter(rows)
    table = {}
    for cell in product(range(n_edu), range(n_income)):
        noise = rng.geometric(p) - rng.geometric(p)
        table[cell] = int(cells[cell] + noise)
    return table
