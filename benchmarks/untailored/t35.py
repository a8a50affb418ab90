import math
import random
from typing import NamedTuple

import numpy as np


class Row(NamedTuple):
    group: int
    income: float


def _krr(x, k, eps):
    if random.random() < math.exp(eps) / (math.exp(eps) + k - 1):
        return x
    other = random.randint(0, k - 2)
    if other >= x:
        other += 1
    return other


def sanitize_table(rows: list[Row], k, cap, eps):
    eps_g, eps_i = eps / 2, eps / 2
    table = []
    for row in rows:
        income = np.clip(row.income, 0, cap) + np.random.laplace(0, cap / eps_i)
        table.append((_krr(row.group, k, eps_g), max(income, 0)))
    return table
