"""Answers that are made of two rows of coins, and bits that two coins decide, counted."""

import math
import random

import numpy as np

from synth.lang import change_one_distance, hamming_distance, log, mechanism  # noqa: F401


def perturbed(bits: "np.ndarray", p: float, q=None):
    q = 1 - p if q is None else q
    kept = np.random.binomial(1, p, bits.shape[0])
    raised = np.random.binomial(1, q, bits.shape[0])
    return np.where(bits == 1, kept, raised)


@mechanism(adjacent={"bits": hamming_distance(2)}, requires="eps > 0")
def symmetric_by_two_rows(bits: "np.typing.NDArray[np.int64]", eps: float):
    p = np.e ** (eps / 2) / (np.e ** (eps / 2) + 1)
    return perturbed(bits, p, 1 / (np.e ** (eps / 2) + 1))


@mechanism(adjacent={"bits": hamming_distance(2)}, requires="eps > 0", epsilon="eps")
def rows_of_full_budget(bits: "np.typing.NDArray[np.int64]", eps: float):
    return perturbed(bits, np.exp(eps) / (np.exp(eps) + 1))


def answer(truth: bool) -> bool:
    is_honest = random.random() < 0.5
    otherwise = random.random() < 0.5
    return truth if is_honest else otherwise


@mechanism(adjacent={"truths": change_one_distance()}, requires="len(truths) >= 1")
def share_of_yes(truths: list[bool]) -> tuple[float, float]:
    answers = [answer(one) for one in truths]
    yes = len([one for one in answers if one])
    n = len(answers)
    return 2 * yes / n - 0.5, 3 / (4 * n)


@mechanism(adjacent={"truths": change_one_distance()}, requires="len(truths) >= 1", epsilon="log(3)")
def share_of_honest_yes(truths: list[bool]) -> float:
    answers = [truth if random.random() < 0.75 else random.random() < 0.5 for truth in truths]
    return len([one for one in answers if one]) / len(answers)


@mechanism(
    adjacent={"db": change_one_distance()},
    requires="len(db) >= 1 and all(0 <= v <= 1 for v in db)",
    epsilon="log(9)",
)
def mean_by_two_flips(db: "np.typing.NDArray[np.int64]") -> float:
    first = (np.random.rand(len(db)) > 0.2).astype(float)
    second = (np.random.rand(len(db)) > 0.5).astype(float)
    augmented = db * first + (1 - first) * second
    return ((augmented.mean() / 0.2) - 0.5) * 0.2 / 0.8


@mechanism(
    adjacent={"db": change_one_distance()},
    requires="len(db) >= 1 and all(0 <= v <= 1 for v in db)",
    epsilon="log(4)",
)
def mean_as_if_one_flip_hid_it(db: "np.typing.NDArray[np.int64]") -> float:
    first = (np.random.rand(len(db)) > 0.2).astype(float)
    second = (np.random.rand(len(db)) > 0.5).astype(float)
    return (db * first + (1 - first) * second).mean()
