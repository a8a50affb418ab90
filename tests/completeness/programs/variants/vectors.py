"""Vectors and noninterference, written in other ways."""

from synth.lang import *


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_by_index(x: list[int], Delta: int, eps: float) -> list[int]:
    """By index, with added noise."""
    scale = Delta / eps
    noisy = []
    for i in range(len(x)):
        noisy.append(x[i] + laplace(0, scale))
    return noisy


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_while(x: list[float], Delta: float, eps: float) -> list[float]:
    """A while loop, and named noise."""
    rate = eps / Delta
    out = []
    j = 0
    while j != len(x):
        noise = laplace(0.0, 1 / rate)
        y = x[j] - noise
        out.append(y)
        j += 1
    return out


@mechanism(adjacent={"x": l1_distance("Delta")}, requires="eps > 0 and Delta > 0")
def vector_enumerate(x: list[int], Delta: int, eps: float) -> list[tuple[int, int]]:
    """Pairs of index and noisy value."""
    out = []
    for i, value in enumerate(x):
        out.append((i, laplace(value, Delta / eps)))
    return out


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0")
def same_noise_in_both_branches(secret: bool, n: int, eps: float) -> int:
    """The noise is drawn before the branch on the secret."""
    noise = laplace(0, 1 / eps)
    if secret:
        return n + noise
    else:
        return noise + n


@mechanism(adjacent={"secret": discrete_distance()})
def cancelled(secret: int, n: int) -> int:
    """The secret cancels out."""
    shifted = n + secret
    return shifted - secret


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="Delta >= 0 and eps > 0")
def length_by_while(q: list[int], Delta: int, eps: float) -> list[int]:
    """Noise on the public counts 1..len(q)."""
    out = []
    i = 0
    while i < len(q):
        i += 1
        out.append(i + laplace(0, 1 / eps))
    return out
