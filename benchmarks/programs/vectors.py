"""Vectors released coordinate by coordinate."""

from synth.lang import *


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def laplace_vector(x: list[int], Delta: int, eps: float) -> list[int]:
    """Each coordinate with noise; the differences of all coordinates add up to Delta at most."""
    out = []
    for value in x:
        out.append(laplace(value, scale=Delta / eps))
    return out


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def laplace_vector_real(x: list[float], Delta: float, eps: float) -> list[float]:
    """Each real coordinate with noise."""
    out = []
    for value in x:
        out.append(laplace(value, scale=Delta / eps))
    return out
