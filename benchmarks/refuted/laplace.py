"""One release, or one vector, with too little noise."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def laplace_half(x: int, eps: float) -> int:
    """Half the noise that the claim needs."""
    return laplace(x, scale=1 / (2 * eps))


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def laplace_half_real(x: float, eps: float) -> float:
    """Half the noise that the claim needs, on reals."""
    return laplace(x, scale=1 / (2 * eps))


@mechanism(adjacent={"x": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def vector_half(x: list[int], eps: float) -> list[int]:
    """Half the noise that the claim needs, on each coordinate."""
    return laplace(x, scale=1 / (2 * eps))
