"""Families of automata that DiPAut (Chadha, Sistla, Viswanathan, Bhusal 2023) decides for all eps.

A state (d, m) draws Laplace noise of scale 1 / (d * eps) around its input plus m.  A run reads q and ends where the
automaton does, or with its input.
"""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="5*eps/4")
def svt(q: list[float], eps: float) -> list[int]:
    """Answers until one query is above the noisy threshold."""
    x = laplace(0.0, 4 / eps)
    out = []
    for v in q:
        if laplace(v, 2 / eps) <= x:
            out.append(0)
        else:
            out.append(1)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="3*eps/2")
def svt_of_input(q: list[float], eps: float) -> list[int]:
    """The threshold itself is a noisy query."""
    x = laplace(q[0], 4 / eps)
    out = []
    for v in q[1:]:
        if laplace(v, 2 / eps) <= x:
            out.append(0)
        else:
            out.append(1)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="3*eps/2")
def svt_twice(q: list[float], eps: float) -> list[int]:
    """A second run with the same threshold."""
    x = laplace(q[0], 4 / eps)
    out = []
    above = 0
    for v in q[1:]:
        if laplace(v, 4 / eps) <= x:
            out.append(0)
        else:
            out.append(1)
            above += 1
            if above == 2:
                break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="2*eps")
def svt_up_and_down(q: list[float], eps: float) -> list[int]:
    """Below a threshold until one is above, then above a new one until one is below."""
    x = laplace(q[0], 4 / eps)
    out = []
    state = 2
    for v in q[1:]:
        if state == 2:
            if laplace(v, 4 / eps) <= x:
                out.append(0)
            else:
                out.append(1)
                state = 3
        elif state == 3:
            x = laplace(v, 4 / eps)
            out.append(2)
            state = 4
        elif laplace(v, 4 / eps) > x:
            out.append(1)
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="7*eps/4")
def numeric_sparse(q: list[float], eps: float) -> list[float]:
    """The first query above is released with fresh noise."""
    x = laplace(0.0, 4 / eps)
    out = []
    for v in q:
        if laplace(v, 2 / eps) <= x:
            out.append(0.0)
        else:
            out.append(laplace(v, 2 / eps))
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="5*eps/4")
def num_range(q: list[float], eps: float) -> list[float | None]:
    """Queries in a noisy range, then the first one outside of it with fresh noise."""
    low = laplace(0.0, 4 / eps)
    high = laplace(1.0, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if x >= low and x < high:
            out.append(None)
        elif x >= low:
            out.append(laplace(v, 4 / eps))
            break
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def two_range(q: list[float], eps: float) -> list[int]:
    """In one range, then in the one above it, whose lower end is drawn anew."""
    u = laplace(0.0, 4 / eps)
    v = laplace(1.0, 4 / eps)
    w = laplace(2.0, 4 / eps)
    out = []
    second = False
    for r in q:
        x = laplace(r, 4 / eps)
        if not second:
            if x >= u and x < v:
                out.append(2)
            elif x < u:
                out.append(0)
                break
            elif x < w:
                out.append(1)
                second = True
                v = laplace(1.0, 4 / eps)
            else:
                out.append(3)
                break
        elif x >= v and x < w:
            out.append(2)
        elif x < v:
            out.append(0)
            break
        else:
            out.append(1)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def m_range_1(q: list[float], eps: float) -> list[int]:
    """Queries in one noisy range, until one is outside."""
    low_1 = laplace(0.0, 4 / eps)
    high_1 = laplace(1.0, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if x >= low_1 and x < high_1:
            out.append(2)
        elif x >= low_1:
            out.append(1)
            break
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def m_range_2(q: list[float], eps: float) -> list[int]:
    """Queries in 2 noisy ranges in turn, until one is outside."""
    low_1 = laplace(0.0, 8 / eps)
    high_1 = laplace(1.0, 8 / eps)
    low_2 = laplace(0.0, 8 / eps)
    high_2 = laplace(1.0, 8 / eps)
    out = []
    state = 1
    for v in q:
        x = laplace(v, 4 / eps)
        if state == 1:
            low, high = low_1, high_1
        else:
            low, high = low_2, high_2
        if x >= low and x < high:
            out.append(2)
            state = state % 2 + 1
        elif x >= low:
            out.append(1)
            break
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="eps")
def m_range_3(q: list[float], eps: float) -> list[int]:
    """Queries in 3 noisy ranges in turn, until one is outside."""
    low_1 = laplace(0.0, 12 / eps)
    high_1 = laplace(1.0, 12 / eps)
    low_2 = laplace(0.0, 12 / eps)
    high_2 = laplace(1.0, 12 / eps)
    low_3 = laplace(0.0, 12 / eps)
    high_3 = laplace(1.0, 12 / eps)
    out = []
    state = 1
    for v in q:
        x = laplace(v, 4 / eps)
        if state == 1:
            low, high = low_1, high_1
        elif state == 2:
            low, high = low_2, high_2
        else:
            low, high = low_3, high_3
        if x >= low and x < high:
            out.append(2)
            state = state % 3 + 1
        elif x >= low:
            out.append(1)
            break
        else:
            out.append(0)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 2", epsilon="eps")
def k_min_max_2(q: list[float], eps: float) -> list[int]:
    """Queries between the least and the largest of 2 noisy ones, until one is outside."""
    low = laplace(q[0], 8 / eps)
    high = low
    x = laplace(q[1], 8 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    out = []
    for v in q[2:]:
        x = laplace(v, 4 / eps)
        if x < high and x < low:
            out.append(0)
            break
        elif x > high and x > low:
            out.append(1)
            break
        else:
            out.append(2)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 3", epsilon="eps")
def k_min_max_3(q: list[float], eps: float) -> list[int]:
    """Queries between the least and the largest of 3 noisy ones, until one is outside."""
    low = laplace(q[0], 12 / eps)
    high = low
    x = laplace(q[1], 12 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    x = laplace(q[2], 12 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    out = []
    for v in q[3:]:
        x = laplace(v, 4 / eps)
        if x < high and x < low:
            out.append(0)
            break
        elif x > high and x > low:
            out.append(1)
            break
        else:
            out.append(2)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 4", epsilon="eps")
def k_min_max_4(q: list[float], eps: float) -> list[int]:
    """Queries between the least and the largest of 4 noisy ones, until one is outside."""
    low = laplace(q[0], 16 / eps)
    high = low
    x = laplace(q[1], 16 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    x = laplace(q[2], 16 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    x = laplace(q[3], 16 / eps)
    if x > high and x > low:
        high = x
    elif x < low and x < high:
        low = x
    out = []
    for v in q[4:]:
        x = laplace(v, 4 / eps)
        if x < high and x < low:
            out.append(0)
            break
        elif x > high and x > low:
            out.append(1)
            break
        else:
            out.append(2)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def leaking_cycle(q: list[float], eps: float) -> list[int]:
    """Below an upper end that is what came before, and so on."""
    low = laplace(0.0, 2 / eps)
    high = laplace(10.0, 2 / eps)
    out = []
    state = 3
    for v in q:
        x = laplace(v, 6 / eps)
        if state == 3:
            if not (x < high and x >= low):
                break
            state = 4
        else:
            if not x < high:
                break
            high = x
            state = 3
        out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="2*eps")
def leaking_cycle_redrawn(q: list[float], eps: float) -> list[int]:
    """A noisy threshold until one is above, then a new one, without an end."""
    x = laplace(q[0], 4 / eps)
    out = []
    redraw = False
    for v in q[1:]:
        if redraw:
            x = laplace(v, 4 / eps)
            out.append(2)
            redraw = False
        elif laplace(v, 4 / eps) <= x:
            out.append(0)
        else:
            out.append(1)
            redraw = True
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="2*eps")
def leaking_pair(q: list[float], eps: float) -> list[int]:
    """Above and below one noisy threshold, without an end."""
    x = laplace(q[0], 4 / eps)
    out = []
    for v in q[1:]:
        if laplace(v, 4 / eps) >= x:
            out.append(1)
        else:
            out.append(0)
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="2*eps")
def leaking_pair_in_turn(q: list[float], eps: float) -> list[int]:
    """Below until one is above, then above the same threshold until one is below."""
    x = laplace(q[0], 4 / eps)
    out = []
    above = False
    for v in q[1:]:
        y = laplace(v, 4 / eps)
        if not above:
            if y <= x:
                out.append(0)
            else:
                out.append(1)
                above = True
        elif y >= x:
            out.append(0)
        else:
            out.append(1)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def two_range_leaking(q: list[float], eps: float) -> list[int]:
    """Two ranges that share an end."""
    u = laplace(0.0, 4 / eps)
    v = laplace(1.0, 4 / eps)
    w = laplace(2.0, 4 / eps)
    out = []
    second = False
    for r in q:
        x = laplace(r, 4 / eps)
        if not second:
            if x >= u and x < v:
                out.append(2)
            elif x < u:
                out.append(0)
                break
            elif x < w:
                out.append(1)
                second = True
            else:
                out.append(3)
                break
        elif x >= v and x < w:
            out.append(2)
        elif x < v:
            out.append(0)
            break
        else:
            out.append(1)
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def disclosing_cycle(q: list[float], eps: float) -> list[float]:
    """In a noisy range, and each noisy query that was compared is released."""
    low = laplace(0.0, 4 / eps)
    high = laplace(1.0, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if x >= low and x < high:
            out.append(x)
        else:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0 and len(q) >= 1", epsilon="2*eps")
def violating_path(q: list[float], eps: float) -> list[float]:
    """The threshold is released, and then compared with."""
    x = laplace(q[0], 4 / eps)
    out = [x]
    for v in q[1:]:
        if laplace(v, 2 / eps) <= x:
            out.append(0.0)
        else:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0", epsilon="2*eps")
def num_range_leaking(q: list[float], eps: float) -> list[float | None]:
    """Queries in a noisy range, then the one outside of it that was compared."""
    low = laplace(0.0, 4 / eps)
    high = laplace(1.0, 4 / eps)
    out = []
    for v in q:
        x = laplace(v, 4 / eps)
        if x >= low and x < high:
            out.append(None)
        elif x >= low:
            out.append(x)
            break
        else:
            out.append(0)
            break
    return out
