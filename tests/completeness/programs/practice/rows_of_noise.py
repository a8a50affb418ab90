"""Geometric noise of all cells in two rows: the discrete Laplace noise of a cell is a difference of two entries."""

import math

import numpy as np

from synth.lang import l1_distance, mechanism


def geometric_noise(sensitivity: int, eps: float, count: int):
    p = 1 - np.exp(-eps / sensitivity)
    return np.random.geometric(p, count) - np.random.geometric(p, count)


@mechanism(adjacent={"cells": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def cells_with_geometric_noise(cells: list[int], eps: float):
    cells = np.array(cells)
    return cells + geometric_noise(1, eps, len(cells))


@mechanism(adjacent={"cells": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def cells_with_two_rows(cells: "np.typing.NDArray[np.int64]", eps: float):
    up = np.random.geometric(1 - math.exp(-eps), size=len(cells))
    down = np.random.geometric(1 - math.exp(-eps), size=len(cells))
    return [int(cell) + a - b for cell, a, b in zip(cells, up, down)]


@mechanism(adjacent={"cells": l1_distance(1)}, requires="eps > 0", epsilon="eps")
def cells_with_one_row(cells: "np.typing.NDArray[np.int64]", eps: float):
    return cells + np.random.geometric(1 - math.exp(-eps), size=len(cells))
