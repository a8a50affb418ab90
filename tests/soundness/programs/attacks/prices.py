"""Prices that are negative, or mean something else, where their draw is not reached."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n != 2", epsilon="1 + 1/(n - 2)")
def sum_with_a_negative_price(x: int, n: int) -> int:
    """Adding up what both draws may cost takes off 1/(2 - n) where n < 2.

    True loss: 1 at n = 1, where the claim is 0.
    """
    if n > 2:
        return laplace(x, scale=n - 2)
    return laplace(x, scale=1)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="n != 2", epsilon="1/(2 - n)")
def one_price_of_either_sign(x: int, n: int) -> int:
    """Counting both draws in one unit of 1/(2 - n) makes the first one count down.

    True loss: 1000/(2 - n) for n < 2; and 1/(n - 2) > 0 > 1/(2 - n) for n > 2.
    """
    if n > 2:
        return laplace(x, scale=n - 2)
    return laplace(x, scale=(2 - n) / 1000)


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="1/exp((-2)**n)")
def two_expressions_of_one_text(x: int, n: int) -> int:
    """``-2**n`` is not ``(-2)**n``: opaque parts must not be identified by a careless text.

    True loss: exp(2**n), for n = 2 exp(4) where the claim is exp(-4).
    """
    return laplace(x, scale=exp(-(2**n)))


@mechanism(
    adjacent={"q": l1_distance("a*b")},
    requires="c*d > 0 and 2*(a*b) <= c*d and a > 0 and b > 0 and eps > 0 and len(q) > 0",
    epsilon="a*b*eps",
)
def two_products(q: list[float], a: float, b: float, c: float, d: float, n: int, eps: float) -> float:
    """Products outside of linear arithmetic must stay apart in the account.

    True loss: 2*a*b*eps, for n > 1000.
    """
    return laplace(2 * q[0] if n > 1000 else q[0], scale=1 / eps)


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps", delta="-eps")
def negative_delta(x: int, eps: float) -> int:
    """A negative delta can't be proved by a coupling: the loss alone is eps already.

    True: for large outputs the probabilities are in the ratio exp(eps), so no delta below 0 will do.
    """
    return laplace(x, 1 / eps)
