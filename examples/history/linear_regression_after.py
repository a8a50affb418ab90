"""IBM/differential-privacy-library, issue 105: the sensitivity looks at both bounds."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"xs": add_remove_distance()}, requires="eps > 0 and low < high", epsilon="eps")
def coefficient(xs: list[float], low: float, high: float, eps: float) -> float:
    clipped = np.clip(xs, low, high)
    sensitivity = max(abs(low), abs(high))
    return clipped.sum() + np.random.laplace(scale=sensitivity / eps)
