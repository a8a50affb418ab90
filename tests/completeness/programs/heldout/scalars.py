"""Single private numbers and bits."""

from math import floor

from synth.lang import *


@mechanism(adjacent={"bit": discrete_distance()}, requires="eps > 0")
def noisy_bit(bit: bool, eps: float) -> int:
    """A bit as a number, with noise.

    0 and 1 are one step apart: eps.
    """
    return laplace(1 if bit else 0, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def scaled_number(x: int, eps: float) -> int:
    """An affine function of a number.

    -3*x + 2 moves by 3: three steps of eps/3.  Sum: eps.
    """
    return laplace(2 - 3 * x, scale=3 / eps)


@mechanism(adjacent={"x": absolute_distance("Delta")}, requires="eps > 0 and Delta > 0")
def distance_from(x: float, y: float, Delta: float, eps: float) -> float:
    """The distance of a private from a public number.

    It moves by at most Delta: Delta steps of eps/Delta.  Sum: eps.
    """
    return laplace(abs(x - y), Delta / eps)


@mechanism(
    adjacent={
        "x": absolute_distance(1),
        "y": absolute_distance(1),
        "z": absolute_distance(1),
    },
    requires="eps > 0",
)
def median_of_three(x: int, y: int, z: int, eps: float) -> int:
    """The median of three private numbers, all of which may differ.

    The median moves by at most 1: eps.
    """
    median = max(min(x, y), min(max(x, y), z))
    return laplace(median, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def noisy_sign(x: int, eps: float) -> bool:
    """Whether a number is positive after noise.

    True: equal draws or +1 where x went down; one step of eps at most.
    """
    return laplace(x, scale=1 / eps) > 0


@mechanism(adjacent={"x": absolute_distance("Delta")}, requires="eps > 0 and Delta > 0")
def released_then_used(x: float, Delta: float, eps: float) -> list[float]:
    """A released number steers a loop: all of that is post-processing.

    The one release: Delta steps of eps/Delta.  Sum: eps.
    """
    y = laplace(x, Delta / eps)
    out = []
    for i in range(5):
        if y > i:
            out.append(y - i)
        else:
            out.append(abs(y) + 1)
    return out


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0")
def only_the_noise(x: int, eps: float) -> int:
    """The number is taken off again: what is left is the noise.

    The null coupling makes the noise equal in both runs: 0.
    """
    y = laplace(x, scale=1 / eps)
    return y - x


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0 and n >= 0")
def public_walk(secret: int, n: int, eps: float) -> list[int]:
    """A noisy walk; the secret steers a counter that nobody reads.

    Nothing that is released depends on the secret: 0.
    """
    steps = 0
    position = 0
    out = []
    for i in range(n):
        if secret > i:
            steps += 1
        position += laplace(0, 1 / eps)
        out.append(position)
    return out


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0")
def noise_in_both_branches(secret: bool, n: int, eps: float) -> int:
    """Each branch draws, from the same distribution.

    The draws of the two branches can be coupled to be equal: 0.
    """
    if secret:
        y = laplace(n, scale=1 / eps)
    else:
        y = laplace(n, scale=1 / eps)
    return y


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def exactly_or_noisily_public(x: int, n: int, eps: float) -> tuple[int, int]:
    """A public number with noise beside a private number with noise.

    Only the private one costs: eps.
    """
    return laplace(n, scale=1 / eps), laplace(x, scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance("Delta")}, requires="eps > 0 and Delta > 0")
def bucket(x: float, width: float, Delta: float, eps: float) -> int:
    """The bucket that a noisy number falls into; a public width of 0 or less means no buckets.

    One release: Delta steps of eps/Delta.  The rest is post-processing.  Sum: eps.
    """
    y = laplace(x, Delta / eps)
    if width <= 0:
        return round(y)
    return floor(y / width)
