import math
import random


def elect(votes, eps):
    """Permute-and-flip on vote counts: a voter more moves all counts one way."""
    best = max(votes)
    urn = list(range(len(votes)))
    while len(urn) > 0:
        i = urn.pop(random.randrange(len(urn)))
        if random.random() <= math.exp(eps * (votes[i] - best)):
            return i
    return 0  # never: the best candidate's coin has no tails
