import random
from collections import Counter

CANDIDATES = ["alice", "bob", "carol", "dave"]


def _lap(b):
    sign = random.choice([-1, 1])
    return sign * random.expovariate(1.0) * b


def private_election(ballots: list[str], epsilon: float) -> str:
    """Winner of the election with noisy counts. One more voter changes one count by one; only the winner is published."""
    tally = Counter()
    for name in ballots:
        if name not in CANDIDATES:
            continue  # spoilt ballot
        tally[name] += 1
    return max(CANDIDATES, key=lambda c: tally[c] + _lap(1 / epsilon))
