import math
import random
from collections import Counter

VOCAB = ["positive", "neutral", "negative"]


def laplace_noise(scale, rng):
    u = rng.uniform(-0.5, 0.5)
    sign = 1.0 if u >= 0.0 else -1.0
    return -scale * sign * math.log(1.0 - 2.0 * abs(u))


def select_token(voter_labels, epsilon):
    rng = random.Random()
    histogram = Counter(voter_labels)
    scale = 2.0 / epsilon
    best, best_score = None, None
    for key in VOCAB:
        score = histogram[key] + laplace_noise(scale, rng)
        if best_score is None or score > best_score:
            best, best_score = key, score
    return best
