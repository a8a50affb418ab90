"""The average of numbers, clipped to a public range: one record moves it by (high - low)/n."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0 and low < high", epsilon="eps")
def average(ages: list[float], low: float, high: float, eps: float) -> float:
    if not ages:
        raise ValueError("there must be an age")
    clipped = np.clip(ages, low, high)
    return clipped.mean() + np.random.laplace(scale=(high - low) / (eps * len(ages)))
