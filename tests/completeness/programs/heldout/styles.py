"""Mechanisms of the suite as others write them: flags that a loop's head asks for, an index into a list."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def collected(q: list[int], t: int, eps: float) -> tuple[int, bool]:
    thr = laplace(t, 2 / eps)
    found = False
    i = 0
    while i < len(q) and not found:
        found = laplace(q[i], 4 / eps) >= thr
        i = i + 1
    return i, found


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def int_flag(q: list[int], t: int, eps: float) -> int:
    thr = laplace(t, 2 / eps)
    done = 0
    i = 0
    while done == 0 and i < len(q):
        done = 1 if laplace(q[i], 4 / eps) >= thr else 0
        i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def either_way(q: list[int], t: int, eps: float) -> int:
    thr = laplace(t, 2 / eps)
    i = 0
    go = True
    while go:
        if i >= len(q):
            go = False
        else:
            v = laplace(q[i], 4 / eps)
            go = v < thr
            if go:
                i += 1
    return i


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def accumulates(q: list[int], t: int, eps: float) -> int:
    thr = laplace(t, 2 / eps)
    seen = False
    n = 0
    for x in q:
        seen = seen or laplace(x, 4 / eps) >= thr
        if seen:
            break
        n += 1
    return n


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def bools_until(q: list[int], t: int, eps: float) -> list[bool]:
    thr = laplace(t, 2 / eps)
    out = []
    stop = False
    i = 0
    while i < len(q) and not stop:
        above = laplace(q[i], 4 / eps) >= thr
        out.append(above)
        stop = above
        i += 1
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and c > 0")
def svt_2_flag(q: list[int], t: int, c: int, eps: float) -> list[bool]:
    """Fresh threshold after each hit, by a flag."""
    out = []
    hits = 0
    fresh = True
    thr = 0
    for x in q:
        if hits == c:
            break
        if fresh:
            thr = laplace(t, 2 * c / eps)
            fresh = False
        if laplace(x, 4 * c / eps) > thr:
            out.append(True)
            hits += 1
            fresh = True
        else:
            out.append(False)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def fresh_release(q: list[int], t: int, eps: float) -> tuple[int, int]:
    thr = laplace(t, 2 / eps)
    i = 0
    hit = False
    while i < len(q) and not hit:
        hit = laplace(q[i], 4 / eps) >= thr
        if not hit:
            i += 1
    if hit:
        return i, laplace(q[i], 1 / eps)
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and k >= 0")
def sequence_flag(q: list[int], t: int, k: int, eps: float) -> list[int]:
    out = []
    i = 0
    for _ in range(k):
        thr = laplace(t, 2 / eps)
        hit = False
        while i < len(q) and not hit:
            hit = laplace(q[i], 4 / eps) >= thr
            i += 1
        out.append(i)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def argmax_list(q: list[int], eps: float) -> int:
    noisy = []
    for x in q:
        noisy.append(laplace(x, 2 / eps))
    where = 0
    i = 1
    while i < len(noisy):
        if noisy[i] > noisy[where]:
            where = i
        i += 1
    return where


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def from_zero_monotone(q: list[float], eps: float) -> int:
    noisy = []
    for i in range(len(q)):
        noisy.append(q[i] + exponential(0.0, 2 / eps))
    best = 0
    j = 0
    while j < len(noisy):
        if noisy[j] >= noisy[best]:
            best = j
        j += 1
    return best


@mechanism(adjacent={"score": linf_distance(1)}, requires="eps > 0")
def noisy_max_last(score: list[float], eps: float) -> int:
    """Ties to the later one, counted from the end."""
    best = -1
    top = 0.0
    i = len(score)
    while i > 0:
        i -= 1
        v = score[i] + laplace(0.0, 2 / eps)
        if best == -1:
            best, top = i, v
        elif v >= top:
            best, top = i, v
    return best
