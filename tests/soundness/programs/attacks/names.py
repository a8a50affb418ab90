"""Names of the program that are also names of the tool, of another call, or bound twice."""

from synth.lang import *


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="0")
def bound_twice(x: int, eps: float) -> int:
    """Of two targets of one name the last one counts, as in Python.

    True loss: eps; none, if y were 5.
    """
    y, y = 5, laplace(x, 1 / eps)
    return y


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")
def variable_named_cost(x: int, n: int, eps: float) -> list[int]:
    """The hidden variables of a tuple named ``cost`` must not reset a counter of the proof.

    True loss: 50*eps, for n >= 1000.
    """
    i = 0
    out = []
    while i < (1 if n < 1000 else 50):
        cost = (0, 0)
        out.append(laplace(x, 1 / eps))
        i += 1
    return out


def list(v):
    len = v
    return len - v


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and n >= 0", epsilon="eps")
def functions_local_named_len(x: int, n: int, eps: float) -> list[int]:
    """A helper's local must not be the hidden length of the loop around its call.

    True loss: 3*eps, for n >= 1000.
    """
    out = []
    for i, y in enumerate([1, 2, 3]):
        if n >= 1000 or i == 0:
            out.append(laplace(x, 1 / eps))
        list(0)
    return out


def temp(v):
    none = v
    return 0


def pick(v, w):
    return 0 if v is None else v


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def functions_local_named_none(x: int) -> int:
    """A helper's local must not be the hidden flag that tells whether a value is None.

    True loss: 1; none, if the value were None.
    """
    temp(False)
    return pick(laplace(x, 1) if 3 > 2 else None, temp(True))


def push(xs):
    xs.append(1)
    return 0


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def operands_from_left_to_right(x: int) -> int:
    """``push`` runs before the draw, so the list is not empty and the noise is around x.

    True loss: 1; none, if draws were taken out of the sum before the call.
    """
    xs = []
    return push(xs) - exponential(x if len(xs) > 0 else 0, 1) + laplace(0, 1)


@mechanism(adjacent={"a": discrete_distance()}, epsilon=0)
def counter_named_returned(a: bool) -> tuple[int, int, int]:
    """The hidden counter of the loop must not be the third value that is returned.

    True loss: infinite; none, if the third value were the counter.
    """
    for returned in range(2):
        pass
    x = bernoulli(0.5)
    y = bernoulli(0.5)
    return x + y, 0, 1 if a else 0


@mechanism(adjacent={"a": discrete_distance()}, epsilon=0)
def counter_of_draws_named_returned(a: bool) -> list[int]:
    """The same where the loop draws, and the values are the entries of a list.

    True loss: infinite.
    """
    out = []
    for returned in range(3):
        x = bernoulli(0.5)
        out.append(1 if a else 0)
    return out


@mechanism(adjacent={"a": discrete_distance()}, epsilon=0)
def list_named_temp(a: bool) -> int:
    """The hidden variables of the two values p and q must not be the entries of the list.

    True loss: infinite; none, if the returned entry were q.
    """
    temp = []
    for i in range(9):
        temp.append((0, 1 if a else 0))
    c = bernoulli(0.5)
    p, q = (uniform_int(0, 1), 6) if c else (0, 8)
    return temp[6][1]


@mechanism(adjacent={"a": discrete_distance()}, epsilon=0)
def list_named_temp_told_in_full(a: bool) -> list[int]:
    """The same for all entries, whatever the number of the hidden variables is.

    True loss: infinite.
    """
    temp = []
    for i in range(9):
        temp.append((1 if a else 0, 1 if a else 0))
    c = bernoulli(0.5)
    p, q = (uniform_int(0, 1), 6) if c else (0, 8)
    return temp
