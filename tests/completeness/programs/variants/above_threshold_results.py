"""Above threshold, with the result in other shapes."""

from synth.lang import *


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_none(q: list[int], t: int, eps: float) -> int | None:
    """None when nothing was found."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i
    return None


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_none_variable(q: list[int], t: int, eps: float) -> int | None:
    """A variable starts as None; the loop runs on."""
    threshold = laplace(t, scale=2 / eps)
    result = None
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if result is None and answer >= threshold:
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_minus_one(q: list[int], t: int, eps: float) -> int:
    """-1 when nothing was found."""
    result = -1
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold and result < 0:
            result = i
    return result


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_one_based(q: list[int], t: int, eps: float) -> int:
    """Counts from one; zero when nothing was found."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(1, len(q) + 1):
        if laplace(q[i - 1], scale=4 / eps) >= threshold:
            return i
    return 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_pair(q: list[int], t: int, eps: float) -> tuple[bool, int]:
    """A flag and an index."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return True, i
    return False, 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_list(q: list[int], t: int, eps: float) -> list[bool]:
    """A list of answers that ends with the first True."""
    out = []
    threshold = laplace(t, scale=2 / eps)
    for x in q:
        above = laplace(x, scale=4 / eps) >= threshold
        out.append(above)
        if above:
            break
    return out


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def at_singleton(q: list[int], t: int, eps: float) -> list[int]:
    """A list with the index, or an empty one."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return [i]
    return []


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def fresh_in_loop(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """Above threshold with a fresh value, returned from within the loop."""
    threshold = laplace(t, scale=2 / eps)
    for i in range(len(q)):
        if laplace(q[i], scale=4 / eps) >= threshold:
            return i, laplace(q[i], scale=1 / eps)
    return len(q), 0


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def fresh_none_real(q: list[float], t: float, eps: float) -> tuple[int, float] | None:
    """The fresh real value after the loop; None when nothing was found."""
    threshold = laplace(t, scale=2 / eps)
    where = -1
    for i, x in enumerate(q):
        if laplace(x, scale=4 / eps) >= threshold:
            where = i
            break
    if where == -1:
        return None
    noise = laplace(0.0, 1 / eps)
    return where, q[where] + noise


@mechanism(adjacent={"q": linf_distance(1)}, requires="eps > 0")
def fresh_value_kept(q: list[int], t: int, eps: float) -> tuple[int, int]:
    """The exact answer is kept until the end, and noised there."""
    threshold = laplace(t, scale=2 / eps)
    result = len(q)
    exact = 0
    for i in range(len(q)):
        answer = laplace(q[i], scale=4 / eps)
        if answer >= threshold and result == len(q):
            result = i
            exact = q[i]
    if result == len(q):
        return (result, 0)
    return (result, laplace(exact, scale=1 / eps))
