"""IBM/differential-privacy-library, issue 105: the sensitivity looks at the lower bound twice."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0 and 0 < low and low < high", epsilon="eps")
def coefficient(xs: list[float], low: float, high: float, eps: float) -> float:
    clipped = np.clip(xs, low, high)
    sensitivity = max(abs(low), abs(low))
    return clipped.sum() + np.random.laplace(scale=sensitivity / eps)
