import random


def rappor(value: int, k: int) -> list[int]:
    """Basic RAPPOR with f = 1/2, p = 1/2, q = 3/4: a permanent response, then one instantaneous report of it."""
    permanent = []
    for j in range(k):
        u = random.random()
        if u < 0.25:
            permanent.append(1)
        elif u < 0.5:
            permanent.append(0)
        else:
            permanent.append(1 if j == value else 0)
    report = []
    for bit in permanent:
        chance = 0.75 if bit == 1 else 0.5
        report.append(1 if random.random() < chance else 0)
    return report
