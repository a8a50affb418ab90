"""Counts that are released if they are noisily large; those that are 0 get no noise."""

import math

import numpy as np

from synth.lang import add_remove_distance, log, mechanism  # noqa: F401

KINDS = ("bus", "tram", "train", "boat")


@mechanism(
    adjacent={"items": add_remove_distance()},
    requires="0 < eps and 0 < delta and delta < 1 and all(0 <= v < 5 for v in items)",
    epsilon="eps",
    delta="delta",
)
def heavy_items(items: list[int], eps: float, delta: float) -> list[tuple[int, float]]:
    bar = 1 + math.log(1 / delta) / eps
    counts = [0] * 5
    for item in items:
        counts[item] += 1
    released = []
    for item, count in enumerate(counts):
        if count > 0:
            noisy = count + np.random.laplace(scale=1 / eps)
            if noisy > bar:
                released.append((item, noisy))
    return released


@mechanism(
    adjacent={"trips": add_remove_distance()},
    requires="0 < eps and 0 < delta and delta < 1",
    epsilon="eps / 2",
    delta="delta",
)
def kinds_of_trips(trips: list[str], eps: float, delta: float) -> list[tuple[str, float]]:
    counts = {kind: 0 for kind in KINDS}
    for trip in trips:
        if trip in counts:
            counts[trip] += 1
    bar = 1 + 2 * math.log(2 / delta) / eps
    released = []
    for kind, count in counts.items():
        if count == 0:
            continue
        noisy = count + np.random.laplace(scale=2 / eps)
        if noisy >= bar:
            released.append((kind, noisy))
    return released


@mechanism(
    adjacent={"items": add_remove_distance()},
    requires="all(0 <= v < 2 for v in items)",
    epsilon="1",
    delta="0.01",
)
def items_above_a_low_bar(items: list[int]) -> list[tuple[int, float]]:
    counts = [0] * 2
    for item in items:
        counts[item] += 1
    released = []
    for item, count in enumerate(counts):
        if count == 0:
            continue
        noisy = count + np.random.laplace(scale=1)
        if noisy > 2:
            released.append((item, noisy))
    return released
