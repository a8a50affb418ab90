"""The mechanisms and faulty variants that StatDP tests, written anew after its ``algorithms.py``."""

from itertools import zip_longest

import numpy as np


def _distance(left, right):
    return sum(a != b for a, b in zip_longest(left, right))


def noisy_max_v1a(prng, queries, epsilon):
    noisy = np.asarray(queries, dtype=np.float64) + prng.laplace(scale=2.0 / epsilon, size=len(queries))
    return noisy.argmax()


def noisy_max_v1b(prng, queries, epsilon):
    # gives the value away instead of its index
    noisy = np.asarray(queries, dtype=np.float64) + prng.laplace(scale=2.0 / epsilon, size=len(queries))
    return noisy.max()


def noisy_max_v2a(prng, queries, epsilon):
    noisy = np.asarray(queries, dtype=np.float64) + prng.exponential(scale=2.0 / epsilon, size=len(queries))
    return noisy.argmax()


def noisy_max_v2b(prng, queries, epsilon):
    # gives the value away instead of its index
    noisy = np.asarray(queries, dtype=np.float64) + prng.exponential(scale=2.0 / epsilon, size=len(queries))
    return noisy.max()


def histogram(prng, queries, epsilon):
    noisy = np.asarray(queries, dtype=np.float64) + prng.laplace(scale=1.0 / epsilon, size=len(queries))
    return noisy[0]


def histogram_eps(prng, queries, epsilon):
    # the scale is epsilon where it should be its inverse
    noisy = np.asarray(queries, dtype=np.float64) + prng.laplace(scale=epsilon, size=len(queries))
    return noisy[0]


def SVT(prng, queries, epsilon, N, T):
    answers = []
    bar = T + prng.laplace(scale=2.0 / epsilon)
    found = 0
    for query in queries:
        noise = prng.laplace(scale=4.0 * N / epsilon)
        if query + noise >= bar:
            answers.append(True)
            found += 1
            if found >= N:
                break
        else:
            answers.append(False)
    return answers.count(False)


def iSVT1(prng, queries, epsilon, N, T):
    answers = []
    bar = T + prng.laplace(scale=2.0 / epsilon)
    for query in queries:
        noise = 0  # none on the queries
        if (query + noise) >= bar:
            answers.append(True)
        else:
            answers.append(False)
    half = int(len(queries) / 2)
    return _distance((True if i < half else False for i in range(len(queries))), answers)


def iSVT2(prng, queries, epsilon, N, T):
    answers = []
    bar = T + prng.laplace(scale=2.0 / epsilon)
    for query in queries:
        noise = prng.laplace(scale=2.0 / epsilon)  # does not grow with N, and nothing ends the loop
        if (query + noise) >= bar:
            answers.append(True)
        else:
            answers.append(False)
    half = int(len(queries) / 2)
    return _distance((True if i < half else False for i in range(len(queries))), answers)


def iSVT3(prng, queries, epsilon, N, T):
    answers = []
    bar = T + prng.laplace(scale=4.0 / epsilon)
    found = 0
    for query in queries:
        noise = prng.laplace(scale=4.0 / (3.0 * epsilon))  # does not grow with N
        if query + noise > bar:
            answers.append(True)
            found += 1
            if found >= N:
                break
        else:
            answers.append(False)
    half = int(len(queries) / 2)
    return _distance((True if i < half else False for i in range(len(queries))), answers)


def iSVT4(prng, queries, epsilon, N, T):
    answers = []
    bar = T + prng.laplace(scale=2.0 / epsilon)
    found = 0
    for query in queries:
        noise = prng.laplace(scale=2.0 * N / epsilon)
        if query + noise > bar:
            answers.append(query + noise)  # the noisy answer where it should be True
            found += 1
            if found >= N:
                break
        else:
            answers.append(False)
    return answers.count(False), answers[-1]
