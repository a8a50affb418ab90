"""Classes and helpers that give noise to what they are handed, as tutorials and small libraries have them."""

from collections.abc import Callable

import numpy as np

from synth.lang import add_remove_distance, change_one_distance, linf_distance, mechanism


def laplace_mechanism(value: float, sensitivity: float, epsilon: float) -> float:
    noise = np.random.laplace(loc=0, scale=sensitivity / epsilon)
    return value + noise


@mechanism(
    adjacent={"values": change_one_distance()},
    requires="len(values) >= 1 and lower < upper and epsilon > 0",
    epsilon="epsilon",
)
def mean_by_a_helper(values: list[float], lower: float, upper: float, epsilon: float) -> float:
    clipped = np.clip(values, lower, upper)
    true_mean = np.mean(clipped)
    sensitivity = (upper - lower) / len(values)
    return laplace_mechanism(true_mean, sensitivity, epsilon)


@mechanism(
    adjacent={"values": change_one_distance()},
    requires="len(values) >= 1 and lower < upper and epsilon > 0",
    epsilon="epsilon",
)
def mean_with_a_default_budget(
    values: list[float], lower: float, upper: float, epsilon: float, total: float
) -> float:
    epsilon = epsilon or max(0.01, total * 0.1)
    true_mean = np.mean(np.clip(values, lower, upper))
    n = len(values)
    noise = np.random.laplace(0, (upper - lower) / n / epsilon)
    return true_mean + noise


@mechanism(
    adjacent={"values": add_remove_distance()}, requires="cap > 0 and epsilon > 0", epsilon="epsilon"
)
def sum_by_count(values: list[float], cap: float, epsilon: float) -> float:
    noisy_sum = laplace_mechanism(np.clip(values, 0, cap).sum(), cap, epsilon / 2)
    noisy_count = laplace_mechanism(len(values), 1, epsilon / 2)
    return noisy_sum / noisy_count


@mechanism(
    adjacent={"values": change_one_distance()}, requires="len(values) >= 1 and epsilon > 0", epsilon="epsilon"
)
def mean_with_the_range_of_the_data(values: list[float], epsilon: float) -> float:
    sensitivity = (np.max(values) - np.min(values)) / len(values)
    return laplace_mechanism(np.mean(values), sensitivity, epsilon)


@mechanism(
    adjacent={"score": linf_distance("sensitivity")},
    requires="len(candidates) >= 1 and sensitivity > 0 and epsilon > 0",
    epsilon="epsilon",
)
def best_of_candidates(
    candidates: list[int], score: Callable[[int], float], sensitivity: float, epsilon: float
) -> int:
    scores = np.array([score(c) for c in candidates])
    weights = np.exp(epsilon * scores / (2 * sensitivity))
    probabilities = weights / weights.sum()
    return candidates[np.random.choice(len(candidates), p=probabilities)]


NAMES = ("red", "green", "blue")


@mechanism(
    adjacent={"votes": linf_distance(1)}, requires="len(votes) == 3 and epsilon > 0", epsilon="epsilon"
)
def name_of_the_winner(votes: list[float], epsilon: float) -> str:
    noisy = [v + np.random.laplace(0, 2 / epsilon) for v in votes]
    return NAMES[int(np.argmax(noisy))]
