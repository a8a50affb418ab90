"""What functions print and log on the way is seen: it is part of the output."""

import logging

import numpy as np

from synth.lang import absolute_distance, linf_distance, mechanism

logger = logging.getLogger(__name__)


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0")
def first_above(scores: list[float], t: float, eps: float):
    """Messages say no more than the index that is returned."""
    bar = t + np.random.laplace(0, 2 / eps)
    for place, score in enumerate(scores):
        logger.debug("query %d of %d", place, len(scores))
        if score + np.random.laplace(0, 4 / eps) >= bar:
            logger.info("found")
            return place
    return None


@mechanism(adjacent={"scores": linf_distance(1)}, requires="eps > 0")
def first_above_that_tells_the_bar(scores: list[float], t: float, eps: float):
    """The noisy bar is no secret any more, so each query below it costs."""
    bar = t + np.random.laplace(0, 2 / eps)
    print(f"bar: {bar}")
    for place, score in enumerate(scores):
        if score + np.random.laplace(0, 4 / eps) >= bar:
            return place
    return None


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0")
def rounded_count(count: int, eps: float):
    """What is printed is all that the noise costs; the rest is computed of it."""
    noisy = count + np.random.laplace(0, 1 / eps)
    print("before rounding:", noisy)
    if noisy < 0:
        logger.warning("below zero: %s", noisy)
        noisy = 0.0
    return round(noisy)


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0")
def count_that_warns(count: int, eps: float):
    """The message tells surely whether there are more than ten."""
    if count > 10:
        logger.warning("many")
    return count + np.random.laplace(0, 1 / eps)


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0")
def count_between_rounds(count: int, eps: float):
    """Where the message stands among others tells the count."""
    for i in range(3):
        print("round")
        if count == i:
            print("checked")
    return count + np.random.laplace(0, 1 / eps)


@mechanism(adjacent={"count": absolute_distance(1)}, requires="eps > 0")
def count_with_one_message(count: int, eps: float):
    """Both messages are the same."""
    if count > 10:
        print("done")
    else:
        print("done")
    return count + np.random.laplace(0, 1 / eps)
