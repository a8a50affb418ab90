"""Private inputs of which it is known where they lie."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(10)}, requires="eps > 0 and 0 <= x <= 4")
def within_four(x: float, eps: float) -> float:
    """Two inputs differ by at most 4: eps."""
    return laplace(x, 4 / eps)


@mechanism(
    adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0 and all(0 <= v <= b for v in x)"
)
def sum_of_bounded(x: list[float], b: float, eps: float) -> float:
    """One entry moves by at most b: eps."""
    total = 0.0
    for v in x:
        total += v
    return laplace(total, b / eps)


@mechanism(
    adjacent={"rows": add_remove_distance()},
    requires="eps > 0 and all(0 <= g < 2 and 0 <= a < 3 for g, a in rows)",
)
def sum_of_cells(rows: list[tuple[int, int]], eps: float) -> int:
    """A row adds between 0 and 5: eps."""
    total = 0
    for group, amount in rows:
        total += group * 3 + amount
    return laplace(total, 5 / eps)


@mechanism(adjacent={"x": absolute_distance(10)}, requires="eps > 0 and 0 <= x <= 4", epsilon="eps/2")
def half_of_it(x: float, eps: float) -> float:
    """0 and 4 are inside: false."""
    return laplace(x, 4 / eps)


@mechanism(
    adjacent={"data": l1_distance(1)},
    requires="eps > 0 and len(data) > 0 and all(0 <= i < len(data) for i in places)",
)
def at_places(data: list[float], places: list[int], eps: float) -> list[float]:
    """Each answer at a public place, of which one may come again and again: len(places)*eps."""
    return [laplace(data[i], 1 / eps) for i in places]


@mechanism(
    adjacent={"data": l1_distance(1)},
    requires="eps > 0 and len(data) == 2 and 0 <= places < 2",
    epsilon="eps",
)
def twice_at_a_place(data: list[float], places: list[int], eps: float) -> list[float]:
    """[0, 0] is inside: false."""
    return [laplace(data[i], 1 / eps) for i in places]
