import math
import random

EDGES = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def min_cut(weight, eps):
    """A small cut of a complete graph with four vertices, by the exponential mechanism over all seven cuts."""
    chances = []
    for side in range(1, 8):
        cut = 0.0
        for e in range(6):
            a, b = EDGES[e]
            if (side >> a) % 2 != (side >> b) % 2:
                cut += weight[e]
        chances.append(math.exp(-eps * cut))
    u = random.random() * sum(chances)
    side = 0
    while side < 6 and u >= chances[side]:
        u -= chances[side]
        side += 1
    return side + 1
