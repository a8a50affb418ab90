"""Schedules of scales that don't sum up to what is claimed."""

from math import sqrt

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) > 0", epsilon="eps/10")
def falling_claimed_small(q: list[int], eps: float) -> list[int]:
    """One entry with scale 1/eps costs eps already."""
    out = []
    for i in range(len(q)):
        out.append(laplace(q[i], scale=sqrt(len(q) * (len(q) - i)) / eps))
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def shrinking(q: list[int], eps: float) -> list[int]:
    """1/(i + 1) where squares would do."""
    out = []
    for i in range(len(q)):
        out.append(laplace(q[i], scale=(i + 1) / eps))
    return out
