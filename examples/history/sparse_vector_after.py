"""NVIDIA/NVFlare, issue 343: what isn't shared is 0."""

from synth.lang import *


@mechanism(adjacent={"update": linf_distance(1)}, requires="eps > 0 and c >= 1", epsilon="eps")
def share(update: list[int], tau: int, c: int, eps: float) -> list[int]:
    threshold = laplace(tau, 4 / eps)
    shared = 0
    out = []
    for i in range(len(update)):
        if shared < c and laplace(update[i], 8 * c / eps) >= threshold:
            out.append(laplace(update[i], 2 * c / eps))
            shared = shared + 1
        else:
            out.append(0)
    return out
