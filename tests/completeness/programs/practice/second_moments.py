"""Sums of squares and of products of what each record has, clipped; four of them are wrong."""

from synth.lang import absolute_distance, change_one_distance, discrete_distance, laplace, mechanism


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0")
def first_and_second_moment(x: list[float], b: float, eps: float) -> tuple[float, float]:
    """Each with half of the budget."""
    s = 0.0
    q = 0.0
    for v in x:
        u = min(max(v, 0), b)
        s += u
        q += u * u
    return laplace(s, 2 * b / eps), laplace(q, 2 * b * b / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0 and len(x) > 0")
def mean_square_of_signed(x: list[float], b: float, eps: float) -> float:
    """Squares of what lies between -b and b lie between 0 and b**2."""
    q = 0.0
    i = 0
    while i < len(x):
        u = max(-b, min(b, x[i]))
        q = q + u**2
        i = i + 1
    return laplace(q, b * b / eps) / len(x)


@mechanism(adjacent={"x": discrete_distance()}, requires="eps > 0")
def square_of_clipped(x: float, eps: float) -> float:
    """Between 0 and 1."""
    u = min(max(x, 0), 1)
    return laplace(u * u, 1 / eps)


@mechanism(adjacent={"income": discrete_distance()}, requires="eps > 0")
def share_of_clipped(income: float, part: float, eps: float) -> float:
    """A public share between 0 and 1 of what is clipped to 1."""
    share = min(max(part, 0), 1)
    return laplace(share * max(0, min(income, 1)), 1 / eps)


@mechanism(adjacent={"debt": discrete_distance()}, requires="eps > 0")
def score_that_falls(debt: float, eps: float) -> float:
    """Between 0 and 1; small inputs don't show the whole range."""
    return laplace(1 / (1 + max(debt, 0)), 1 / eps)


@mechanism(adjacent={"debt": discrete_distance()}, requires="eps > 0")
def score_with_half_the_noise(debt: float, eps: float) -> float:
    """The range is 1, the noise is for 1/2."""
    return laplace(1 / (1 + max(debt, 0)), 1 / (2 * eps))


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0")
def squares_with_noise_for_sums(x: list[float], b: float, eps: float) -> float:
    """The noise is for b, not for its square: no epsilon."""
    q = 0.0
    for v in x:
        u = min(max(v, 0), b)
        q += u * u
    return laplace(q, b / eps)


@mechanism(adjacent={"x": change_one_distance()}, requires="eps > 0 and b > 0")
def products_of_signed(x: list[float], b: float, eps: float) -> float:
    """abs(u) * u lies between -b**2 and b**2, twice as far apart as the noise is for."""
    q = 0.0
    for v in x:
        u = min(max(v, -b), b)
        q += abs(u) * u
    return laplace(q, b * b / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0")
def square_without_clipping(x: float, eps: float) -> float:
    """No epsilon: squares of large numbers are far apart."""
    return laplace(x * x, 2 / eps)
