"""Parts of the mechanisms in private-pgm, written anew; marginals are arrays, not objects of a model."""

import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def worst_approximated(answers, estimates, sizes, eps, penalty=True, bounded=False):
    errors = np.array([])
    for x, xest, size in zip(answers, estimates, sizes):
        bias = size if penalty else 0
        errors = np.append(errors, np.abs(x - xest).sum() - bias)
    sensitivity = 2.0 if bounded else 1.0
    prob = softmax(0.5 * eps / sensitivity * (errors - errors.max()))
    return np.random.choice(len(errors), p=prob)


def mwem_round(rows, estimates, size, epsilon, bounded=False, alpha=0.9):
    """One round over the one-way marginals of attributes with values 0, ..., size - 1."""
    sigma = 1.0 / (alpha * epsilon)
    exp_eps = (1 - alpha) * epsilon
    marginal_sensitivity = 2 if bounded else 1.0
    answers = [np.bincount(rows[:, j], minlength=size) for j in range(rows.shape[1])]
    ax = worst_approximated(answers, estimates, [size] * len(answers), exp_eps)  # bounded is not handed on
    x = answers[ax]
    y = x + np.random.laplace(loc=0, scale=marginal_sensitivity * sigma, size=len(x))
    return ax, y


class Mechanism:
    def __init__(self, epsilon, bounded, prng=np.random):
        self.epsilon = epsilon
        self.bounded = bounded
        self.prng = prng

    def permute_and_flip(self, qualities, epsilon, sensitivity=1.0):
        q = qualities - qualities.max()
        p = np.exp(0.5 * epsilon / sensitivity * q)
        for i in np.random.permutation(p.size):
            if np.random.rand() <= p[i]:
                return i

    def laplace_noise_scale(self, l1_sensitivity, epsilon):
        if self.bounded:
            l1_sensitivity *= 2.0
        return l1_sensitivity / epsilon

    def laplace_noise(self, b, size):
        return self.prng.laplace(0, b, size)

    def measure(self, x):
        return x + self.laplace_noise(self.laplace_noise_scale(1.0, self.epsilon), x.size)
