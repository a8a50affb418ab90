"""The average of numbers that lie between 0 and a public top, with noise in proportion to what one record moves."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"ages": change_one_distance()}, requires="eps > 0 and top > 0", epsilon="eps")
def average(ages: list[float], top: float, eps: float) -> float:
    if not ages:
        raise ValueError("there must be an age")
    clipped = np.clip(ages, 0, top)
    return clipped.mean() + np.random.laplace(scale=top / (eps * len(ages)))
