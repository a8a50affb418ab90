"""Draws of finitely many values whose arguments are evaluated one after the other."""

from synth.lang import *


def grow(s):
    s.append(0)
    return 1.0


@mechanism(adjacent={"a": discrete_distance()}, epsilon="0")
def count_before_an_argument_grows(a: bool) -> int:
    """The number of candidates is 2, read before a later argument appends to the list.

    True loss: log((1 + sqrt(e))/2); none, if there were one candidate.
    """
    s = []
    return exponential_mechanism(2 - len(s), lambda r: r if a else 0, grow(s), 1)


@mechanism(adjacent={"a": discrete_distance()}, epsilon="0")
def epsilon_before_an_argument_grows(a: bool) -> int:
    """Epsilon is 2 when it is evaluated, 1 afterwards; the least loss is not 0 with either."""
    s = []
    return exponential_mechanism(2, lambda r: r if a else 0, 2.0 - len(s), grow(s))
