"""Algorithms of DPComp, written anew."""

import math
import random

import numpy


def identity(x, epsilon, prng):
    return x + prng.laplace(0.0, 1.0 / epsilon, x.shape)


def uniform_noisy(x, epsilon, prng):
    m = x.sum() + prng.laplace(0.0, 1.0 / epsilon, 1)
    return numpy.ones_like(x, dtype=numpy.float32) * m / x.size


def _wave(x, m):
    y = numpy.array(x)
    n = len(x)
    for c in range(m):
        y[:n] = numpy.hstack([y[:n][0::2] + y[:n][1::2], y[:n][0::2] - y[:n][1::2]])
        n = n // 2
    return y


def _dewave(y, m):
    x = numpy.array(y)
    n = 2
    half_n = 1
    for c in range(m):
        x[:n:2], x[1:n:2] = (x[:half_n] + x[half_n:n]) / 2.0, (x[:half_n] - x[half_n:n]) / 2.0
        n *= 2
        half_n *= 2
    return x


def privelet(x, epsilon, prng):
    n = len(x)
    if n <= 16:
        return x + prng.laplace(0.0, 1.0 / epsilon, len(x))
    else:
        m = int(math.ceil(math.log(n, 2)))
        x1 = numpy.zeros(2**m)
        x1[:n] = x
        y1 = _wave(x1, m) + prng.laplace(0.0, (m + 1.0) / epsilon, len(x1))
        return _dewave(y1, m)[:n]


def generate_cells(n, m, num1, num2, grid):
    cells = []
    for i in range(num1):
        for j in range(num2):
            lb = [int(i * grid), int(j * grid)]
            rb = [int((i + 1) * grid - 1), int((j + 1) * grid - 1)]
            if rb[0] >= n:
                rb[0] = int(n - 1)
            if rb[1] >= m:
                rb[1] = int(m - 1)
            cells = cells + [[lb, rb]]
    return cells


def count_perturb(x, cells, epsilon, prng):
    n, m = x.shape
    y = numpy.ndarray((n, m), "float32")
    y.fill(0)
    for cell in cells:
        x1, y1, x2, y2 = int(cell[0][0]), int(cell[0][1]), int(cell[1][0]), int(cell[1][1])
        cnt = 0
        for i in range(x1, x2 + 1):
            cnt = cnt + sum(x[i][y1 : y2 + 1])
        navg = prng.laplace(cnt, 1.0 / epsilon) / ((x2 - x1 + 1) * (y2 - y1 + 1))
        for i in range(x1, x2 + 1):
            y[i][y1 : y2 + 1] = navg
    return y


def uniform_grid(x, grid, epsilon, prng):
    n, m = x.shape
    num1 = int((n - 1) / grid) + 1
    num2 = int((m - 1) / grid) + 1
    return count_perturb(x, generate_cells(n, m, num1, num2, grid), epsilon, prng)


class PrivItem:
    def __init__(self, q, id):
        self.id = id
        self.q = q
        self.error = None


def basic(items, f):
    for item in items:
        item.error = f * item.q
    maximum = max([x.error for x in items])
    for item in items:
        item.error = math.exp(item.error - maximum)
    uniform = sum([x.error for x in items]) * random.random()
    for item in items:
        uniform -= item.error
        if uniform <= 0:
            break
    return item


def choose(qualities, eps, q_sens):
    items = [PrivItem(q, i) for i, q in enumerate(qualities)]
    return basic(items, eps / (2.0 * q_sens)).id
