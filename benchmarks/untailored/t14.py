import math
import random


def utility(scores, i):
    return scores[i]


def roulette(scores, epsilon, sensitivity):
    weights = [math.exp((epsilon * utility(scores, i)) / (2 * sensitivity)) for i in range(len(scores))]
    total = sum(weights)
    probs = [w / total for w in weights]

    rand = random.random()
    count = 0
    for i, p in enumerate(probs):
        count += p
        if rand < count:
            return i
    return len(scores) - 1
