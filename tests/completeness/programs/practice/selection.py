"""Noisy maxima, the exponential mechanism, medians and quantiles, as textbooks write them; half are wrong."""

import math
import random
from collections.abc import Callable

import numpy as np

from synth.lang import add_remove_distance, change_one_distance, linf_distance, mechanism


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def report_noisy_max(scores: list[float], epsilon: float) -> int:
    noisy_scores = [s + np.random.laplace(0, 2 / epsilon) for s in scores]
    max_score = max(noisy_scores)
    return noisy_scores.index(max_score)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def report_noisy_argmax(scores: list[float], epsilon: float) -> int:
    return int(np.argmax(np.array(scores) + np.random.laplace(scale=2 / epsilon, size=len(scores))))


@mechanism(adjacent={"counts": linf_distance(1, monotone=True)}, requires="epsilon > 0 and len(counts) > 0")
def noisy_max_of_counts(counts: list[int], epsilon: float) -> int:
    """Counts that all rise or all fall need half of the noise."""
    best = -1
    best_value = 0.0
    for i in range(len(counts)):
        value = counts[i] + np.random.laplace(0, 1 / epsilon)
        if best == -1 or value > best_value:
            best, best_value = i, value
    return best


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def noisy_max_with_half_the_noise(scores: list[float], epsilon: float) -> int:
    """Scores may move in both directions: the noise for counts gives 2*epsilon."""
    noisy = [s + np.random.laplace(0, 1 / epsilon) for s in scores]
    return int(np.argmax(noisy))


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def noisy_max_and_its_value(scores: list[float], epsilon: float) -> tuple[int, float]:
    """The value of the winner is released, too, which costs more than epsilon for two scores or more."""
    best, value = 0, scores[0] + np.random.laplace(0, 2 / epsilon)
    for i in range(1, len(scores)):
        noisy = scores[i] + np.random.laplace(0, 2 / epsilon)
        if noisy > value:
            best, value = i, noisy
    return best, value


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def winner_then_fresh_value(scores: list[float], epsilon: float) -> tuple[int, float]:
    """The winner with half of the budget, then its score with fresh noise."""
    winner, top = 0, scores[0] + np.random.laplace(0, 4 / epsilon)
    for i in range(1, len(scores)):
        noisy = scores[i] + np.random.laplace(0, 4 / epsilon)
        if noisy > top:
            winner, top = i, noisy
    return winner, scores[winner] + np.random.laplace(0, 2 / epsilon)


@mechanism(adjacent={"utility": linf_distance(1)}, requires="epsilon > 0 and len(utility) > 0")
def exponential_mechanism(utility: list[float], epsilon: float) -> int:
    sensitivity = 1
    probabilities = [math.exp(epsilon * u / (2 * sensitivity)) for u in utility]
    total = sum(probabilities)
    probabilities = [p / total for p in probabilities]
    return np.random.choice(len(utility), p=probabilities)


@mechanism(adjacent={"utility": linf_distance(1)}, requires="epsilon > 0 and len(utility) > 0")
def stable_exponential_mechanism(utility: list[float], epsilon: float) -> int:
    """The largest score is subtracted, so that nothing overflows."""
    scores = np.array(utility)
    weights = np.exp(epsilon * (scores - scores.max()) / 2)
    probabilities = weights / weights.sum()
    return np.random.choice(len(scores), p=probabilities)


@mechanism(adjacent={"utility": linf_distance(1)}, requires="epsilon > 0 and len(utility) > 0")
def exponential_mechanism_in_variables(utility: list[float], epsilon: float) -> int:
    scores = np.array(utility)
    weights = np.exp(epsilon * scores / 2)
    total = np.sum(weights)
    probabilities = weights / total
    return np.random.choice(np.arange(len(scores)), p=probabilities)


@mechanism(adjacent={"utility": linf_distance(1)}, requires="epsilon > 0 and len(utility) > 0")
def exponential_mechanism_without_two(utility: list[float], epsilon: float) -> int:
    """The 2 is forgotten: scores that move in both directions give 2*epsilon."""
    weights = [math.exp(epsilon * u) for u in utility]
    return random.choices(list(range(len(utility))), weights=weights, k=1)[0]


@mechanism(adjacent={"ages": change_one_distance()}, requires="epsilon > 0")
def median_by_exponential_mechanism(ages: list[int], epsilon: float) -> int:
    """The utility of a candidate is minus how far its rank is from the middle, doubled: it moves by 2."""
    utilities = []
    for candidate in range(101):
        below = sum(1 for a in ages if a < candidate)
        above = sum(1 for a in ages if a > candidate)
        utilities.append(-abs(below - above))
    weights = [math.exp(epsilon * u / (2 * 2)) for u in utilities]
    return random.choices(list(range(101)), weights=weights)[0]


@mechanism(adjacent={"ages": add_remove_distance()}, requires="epsilon > 0")
def median_by_noisy_max(ages: list[int], epsilon: float) -> int:
    """The error of a candidate moves by 1 when one record comes or goes."""
    best = 0
    best_score = 0.0
    for candidate in range(10):
        below = 0
        for a in ages:
            if a < candidate:
                below += 1
        score = -abs(2 * below - len(ages)) + np.random.laplace(0, 2 / epsilon)
        if candidate == 0 or score > best_score:
            best = candidate
            best_score = score
    return best


@mechanism(adjacent={"ages": change_one_distance()}, requires="epsilon > 0 and len(ages) > 0")
def median_with_noise(ages: list[float], epsilon: float) -> float:
    """The median of ages from 0 to 120 may move by 120; the noise is for 1: 120*epsilon."""
    clipped = sorted(min(max(a, 0), 120) for a in ages)
    return clipped[len(clipped) // 2] + np.random.laplace(0, 1 / epsilon)


@mechanism(adjacent={"counts": linf_distance(1)}, requires="epsilon > 0 and k >= 1 and len(counts) >= k")
def top_k_by_peeling(counts: list[float], k: int, epsilon: float) -> list[int]:
    """k rounds of noisy max, each with epsilon/k; a winner is not asked again."""
    chosen: list[int] = []
    for _ in range(k):
        best = -1
        best_score = 0.0
        for i in range(len(counts)):
            if i in chosen:
                continue
            score = counts[i] + np.random.laplace(0, 2 * k / epsilon)
            if best < 0 or score > best_score:
                best = i
                best_score = score
        chosen.append(best)
    return chosen


@mechanism(adjacent={"counts": linf_distance(1)}, requires="epsilon > 0 and len(counts) > 0")
def noisy_max_off_by_one(counts: list[float], epsilon: float) -> int:
    """The first count gets no noise: if it wins, all others pay, so (len(counts) - 1)*epsilon is least."""
    best = 0
    best_score = counts[0]
    for i in range(1, len(counts)):
        score = counts[i] + np.random.laplace(0, 2 / epsilon)
        if score > best_score:
            best = i
            best_score = score
    return best


@mechanism(adjacent={"scores": linf_distance(1)}, requires="epsilon > 0 and len(scores) > 0")
def permute_by_exponential_noise(scores: list[float], epsilon: float) -> int:
    """One-sided noise: the exponential mechanism in another form."""
    rng = np.random.default_rng()
    winner = 0
    largest = 0.0
    for position, score in enumerate(scores):
        noisy = score + rng.exponential(scale=2 / epsilon)
        if position == 0 or noisy > largest:
            winner = position
            largest = noisy
    return winner


@mechanism(adjacent={"x": add_remove_distance()}, requires="epsilon > 0 and n >= 1")
def most_frequent(x: list[int], n: int, epsilon: float) -> int:
    """Counts move one way, so half of the exponent is spent."""
    counts = [sum(1 for v in x if v == c) for c in range(n)]
    weights = [math.exp(epsilon * count) for count in counts]
    return random.choices(list(range(n)), weights=weights, k=1)[0]


@mechanism(adjacent={"score": linf_distance(1)}, requires="epsilon > 0 and n >= 1")
def by_shares(score: Callable[[int], float], n: int, epsilon: float) -> int:
    scores = [score(c) for c in range(n)]
    weights = [math.exp(epsilon * s / 2) for s in scores]
    return np.random.choice(n, p=np.array(weights) / sum(weights))


@mechanism(adjacent={"bids": change_one_distance()}, requires="epsilon > 0", epsilon="epsilon")
def price_without_its_sensitivity(bids: list[int], epsilon: float) -> int:
    prices = [1, 2, 3]
    weights = [math.exp(epsilon * p * sum(1 for bid in bids if bid >= p)) for p in prices]
    return random.choices(prices, weights=weights)[0]


@mechanism(adjacent={"ages": change_one_distance()}, requires="epsilon > 0 and len(candidates) > 0")
def median_of_an_array_of_scores(ages: list[int], candidates: list[int], epsilon: float) -> int:
    """The list of scores becomes an array that is multiplied by epsilon: what is kept of it are the scores."""
    scores = []
    for candidate in candidates:
        below = sum(age < candidate for age in ages)
        above = sum(age > candidate for age in ages)
        scores.append(-abs(below - above))
    weights = np.exp(np.array(scores) * epsilon / 4)
    return np.random.choice(candidates, p=weights / np.sum(weights))


@mechanism(adjacent={"data": change_one_distance()}, requires="epsilon > 0 and steps >= 1 and low < high")
def median_on_a_grid(data: list[float], low: float, high: float, steps: int, epsilon: float) -> float:
    """The rank of a point moves by 1 when one record is another; the points are public."""
    grid = [low + i * (high - low) / steps for i in range(steps + 1)]
    utilities = []
    for point in grid:
        rank = sum(1 for x in data if x <= point)
        utilities.append(-abs(rank - len(data) / 2))
    best = max(utilities)
    weights = [math.exp(epsilon * (u - best) / 2) for u in utilities]
    return random.choices(grid, weights=weights)[0]


@mechanism(adjacent={"data": change_one_distance()}, requires="epsilon > 0 and steps >= 1 and low < high")
def median_on_a_grid_of_twice_the_rank(
    data: list[float], low: float, high: float, steps: int, epsilon: float
) -> float:
    """The utilities move by 2."""
    grid = [low + i * (high - low) / steps for i in range(steps + 1)]
    utilities = []
    for point in grid:
        rank = sum(1 for x in data if x <= point)
        utilities.append(-abs(2 * rank - len(data)))
    weights = [math.exp(epsilon * u / 2) for u in utilities]
    return random.choices(grid, weights=weights)[0]
