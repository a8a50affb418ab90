import math
import random


class BudgetExceededError(RuntimeError):
    pass


class Ledger:
    def __init__(self, total):
        self.total = total
        self.spent = 0.0
        self.entries = []

    def charge(self, what, eps):
        if self.spent + eps > self.total + 1e-9:
            raise BudgetExceededError(f"{what}: {eps} asked for, {self.total - self.spent} left")
        self.spent += eps
        self.entries.append((what, eps))
        return eps


class PayrollReport:
    """Figures of the payroll; the fractions of the budget add up to one."""

    def __init__(self, total_epsilon, cap):
        self.ledger = Ledger(total_epsilon)
        self.cap = cap

    def _laplace(self, value, sensitivity, eps):
        u = random.random() - 0.5
        return value - sensitivity / eps * math.copysign(1, u) * math.log(1 - 2 * abs(u))

    def run(self, salaries):
        eps = self.ledger.charge("headcount", 0.25 * self.ledger.total)
        headcount = self._laplace(len(salaries), 1, eps)
        eps = self.ledger.charge("payroll", 0.5 * self.ledger.total)
        payroll = self._laplace(sum(min(max(s, 0), self.cap) for s in salaries), self.cap, eps)
        eps = self.ledger.charge("over the cap", 0.25 * self.ledger.total)
        over = self._laplace(sum(s > self.cap for s in salaries), 1, eps)
        return {"headcount": headcount, "payroll": payroll, "over": over}
