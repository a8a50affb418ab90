"""Sums that are clipped to a bound which a public function gives for what was published before."""

from synth.lang import Callable, add_remove_distance, laplace, mechanism


@mechanism(adjacent={"x": add_remove_distance()}, requires="a > 0 and b > 0", epsilon="a + b")
def clipped_as_the_count_says(
    x: list[int], bound: Callable[[int], int], a: float, b: float
) -> tuple[int, int]:
    n = laplace(len(x), 1 / a)
    top = max(bound(n), 1)
    total = 0
    for v in x:
        total += min(max(v, -top), top)
    return n, laplace(total, top / b)


@mechanism(adjacent={"x": add_remove_distance()}, requires="a > 0 and b > 0", epsilon="a + b")
def summed_only_if_many(x: list[int], bound: Callable[[int], int], a: float, b: float) -> tuple[int, int]:
    """The bound is looked up in the branch that needs it."""
    n = laplace(len(x), 1 / a)
    if n > 10:
        top = max(1, bound(n - 10))
        total = 0
        for v in x:
            total += min(abs(v), top)
        return n, laplace(total, top / b)
    return n, 0


@mechanism(adjacent={"x": add_remove_distance()}, requires="a > 0 and b > 0", epsilon="a + b")
def clipped_to_twice_the_bound(
    x: list[int], bound: Callable[[int], int], a: float, b: float
) -> tuple[int, int]:
    """Half of the noise that it takes."""
    n = laplace(len(x), 1 / a)
    top = max(bound(n), 1)
    total = 0
    for v in x:
        total += min(max(v, 0), 2 * top)
    return n, laplace(total, top / b)
