"""opendp/smartnoise-sdk, issue 622: the data are clipped, and then the data from before are used."""

import numpy as np

from synth.lang import *


@mechanism(adjacent={"data": change_one_distance()}, requires="eps > 0 and low < high", epsilon="eps")
def release(data: list[float], low: float, high: float, eps: float) -> float:
    if not data:
        raise ValueError("there must be a record")
    new_data = np.clip(data, low, high)
    sensitivity = (high - low) / len(new_data)
    return np.mean(data) + np.random.laplace(scale=sensitivity / eps)
