"""Unary encoding as libraries write it: coins in branches, entries that are numbers, values set again."""

import numpy as np

from synth.lang import change_one_distance, discrete_distance, mechanism


@mechanism(adjacent={"x": discrete_distance()}, requires="0 <= x and x < k and k >= 2 and epsilon > 0")
def symmetric_encoding(x: int, k: int, epsilon: float) -> list[float]:
    p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    q = 1 - p
    out = np.zeros(k)
    for i in range(k):
        if i != x:
            rnd = np.random.random()
            if rnd <= q:
                out[i] = 1
        else:
            rnd = np.random.random()
            if rnd <= p:
                out[i] = 1
    return out


@mechanism(adjacent={"x": discrete_distance()}, requires="0 <= x and x < k and k >= 2 and epsilon > 0")
def with_chances_set_again(x: int, k: int, epsilon: float) -> list[float]:
    q = epsilon / 2
    q = 1 / (np.exp(q) + 1)
    p = q
    p = 1 - p
    cells = np.full(k, 7.0)
    for i in range(k):
        if i == x:
            if np.random.random() < p:
                cells[i] = 9
        elif np.random.random() < q:
            cells[i] = 9
    return cells


@mechanism(
    adjacent={"x": discrete_distance()},
    requires="0 <= x and x < k and k >= 2 and epsilon > 0",
    epsilon="epsilon",
)
def encoding_of_full_budget(x: int, k: int, epsilon: float) -> list[float]:
    p = np.exp(epsilon) / (np.exp(epsilon) + 1)
    q = 1 - p
    out = np.zeros(k)
    for i in range(k):
        if i != x:
            if np.random.random() <= q:
                out[i] = 1
        else:
            if np.random.random() <= p:
                out[i] = 1
    return out


@mechanism(adjacent={"bits": change_one_distance(1)}, requires="eps > 0")
def one_draw_for_both_sides(bits: list[bool], eps: float) -> list[float]:
    p = np.exp(eps) / (1 + np.exp(eps))
    result = np.zeros(len(bits))
    for i, b in enumerate(bits):
        r = np.random.uniform()
        value = 0.0
        if b:
            if r < p:
                value = 1.0
        else:
            if r < 1 - p:
                value = 1.0
        result[i] = value
    return result


@mechanism(adjacent={"bits": change_one_distance(1)}, requires="eps > 0", epsilon="eps")
def one_draw_and_too_sure(bits: list[bool], eps: float) -> list[float]:
    p = np.exp(2 * eps) / (1 + np.exp(2 * eps))
    result = np.zeros(len(bits))
    for i, b in enumerate(bits):
        r = np.random.uniform()
        value = 0.0
        if b:
            if r < p:
                value = 1.0
        else:
            if r < 1 - p:
                value = 1.0
        result[i] = value
    return result


@mechanism(adjacent={"bits": change_one_distance(1)}, requires="eps > 0")
def kept_or_turned(bits: list[bool], eps: float) -> list[float]:
    p = np.exp(eps) / (1 + np.exp(eps))
    result = []
    for b in bits:
        keep = np.random.random() < p
        if b:
            if keep:
                v = 1.0
            else:
                v = 0.0
        else:
            if keep:
                v = 0.0
            else:
                v = 1.0
        result.append(v)
    return result
