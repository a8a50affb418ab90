"""RAPPOR's permanent response of one of four values, as its first implementations write it: bits are changed in place."""

import random

from synth.lang import discrete_distance, log, mechanism  # noqa: F401


def encoded(v: int, d: int) -> list[int]:
    b = []
    for _ in range(d):
        b.append(0)
    b[v] = 1
    return b


def permanent_response(b: list[int], d: int, f: float) -> list[int]:
    for i in range(d):
        r = random.uniform(0, 1)
        if r * 2 < f:
            b[i] = 1
        elif r < f:
            b[i] = 0
        else:
            pass
    return b


@mechanism(
    adjacent={"v": discrete_distance()},
    requires="0 <= v < 4 and 0 < f and f < 1",
    epsilon="2*log((1 - f/2)/(f/2))",
)
def permanent_response_of_four(v: int, f: float) -> list[int]:
    return permanent_response(encoded(v, 4), 4, f)


@mechanism(
    adjacent={"v": discrete_distance()},
    requires="0 <= v < 4 and 0 < f and f < 1",
    epsilon="log((1 - f/2)/(f/2))",
)
def permanent_response_as_of_one_bit(v: int, f: float) -> list[int]:
    return permanent_response(encoded(v, 4), 4, f)
