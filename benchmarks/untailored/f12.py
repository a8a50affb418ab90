import numpy as np


class Ledger:
    def __init__(self, total):
        self.total = total
        self.spent = 0.0

    def charge(self, eps):
        if self.spent + eps > self.total:
            raise RuntimeError("out of budget")
        self.spent += eps


def summary(values, cap, eps):
    ledger = Ledger(eps)
    ledger.charge(eps)
    n = len(values) + np.random.laplace(0, 1 / eps)
    s = sum(min(max(v, 0), cap) for v in values) + np.random.laplace(0, cap / eps)
    return s, n
