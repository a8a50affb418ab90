"""Outputs that do not depend on the private input: no loss at all (CertiPriv, section 5.2)."""

from synth.lang import *


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0")
def public_answer(secret: int, n: int, eps: float) -> int:
    """Noise on a public number; the secret is not looked at."""
    return laplace(n, scale=1 / eps)


@mechanism(adjacent={"secret": discrete_distance()}, requires="eps > 0")
def public_answer_real(secret: float, x: float, eps: float) -> float:
    """Noise on a public real; the secret only goes where nobody looks."""
    doubled = 2 * secret
    noisy = laplace(x, scale=1 / eps)
    doubled = doubled + noisy
    return noisy


@mechanism(adjacent={"secret": discrete_distance()})
def branches_agree(secret: bool, n: int) -> int:
    """Both branches compute the same."""
    if secret:
        result = n + n
    else:
        result = 2 * n
    return result


@mechanism(adjacent={"q": linf_distance("Delta")}, requires="eps > 0 and Delta >= 0")
def length_only(q: list[int], Delta: int, eps: float) -> list[int]:
    """Walks over the private list, but only counts; the noise is on public counts."""
    out = []
    count = 0
    total = 0
    for x in q:
        total += x
        count += 1
        out.append(laplace(count, scale=1 / eps))
    return out
