"""Mechanisms that DP-Sniper attacks, written anew: one row of output for each sample."""

import numpy as np


class Mechanism:
    def m(self, a, n_samples=1):
        raise NotImplementedError


def _identity(x):
    return x.item(0)


class LaplaceMechanism(Mechanism):
    def __init__(self, fun=_identity, eps: float = 0.1):
        self.fun = fun
        self.scale = 1.0 / eps

    def m(self, a, n_samples: int = 1):
        loc = self.fun(a)
        return np.random.laplace(loc=loc, scale=self.scale, size=n_samples)


class NoisyHist1(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        l = a.shape[0]
        v = np.atleast_2d(a)
        return v + np.random.laplace(scale=1 / self.eps, size=(n_samples, l))


class NoisyHist2(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        l = a.shape[0]
        v = np.atleast_2d(a)
        return v + np.random.laplace(scale=self.eps, size=(n_samples, l))


class ReportNoisyMax1(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        v = np.atleast_2d(a)
        m = v + np.random.laplace(scale=2 / self.eps, size=(n_samples, a.shape[0]))
        return np.argmax(m, axis=1)


class ReportNoisyMax2(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        v = np.atleast_2d(a)
        m = v + np.random.exponential(scale=2 / self.eps, size=(n_samples, a.shape[0]))
        return np.argmax(m, axis=1)


class ReportNoisyMax3(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        v = np.atleast_2d(a)
        m = v + np.random.laplace(scale=2 / self.eps, size=(n_samples, a.shape[0]))
        return np.amax(m, axis=1)


class ReportNoisyMax4(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        v = np.atleast_2d(a)
        m = v + np.random.exponential(scale=2 / self.eps, size=(n_samples, a.shape[0]))
        return np.amax(m, axis=1)


class PrefixSum(Mechanism):
    def __init__(self, eps: float = 0.1):
        self.eps = eps

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho = np.random.laplace(scale=1 / self.eps, size=(n_samples, a.shape[0]))
        m = x + rho
        res = np.empty(shape=(n_samples, a.shape[0]), dtype=float)
        partial_sum = np.zeros(shape=(n_samples,))
        for col_idx in range(0, a.shape[0]):
            partial_sum = partial_sum + m[:, col_idx]
            res[:, col_idx] = partial_sum
        return res


class SparseVectorTechnique1(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps1 = eps / 2.0
        self.eps2 = eps - self.eps1
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho = np.random.laplace(scale=1 / self.eps1, size=(n_samples, 1))
        nu = np.random.laplace(scale=2 * self.c / self.eps2, size=(n_samples, a.shape[0]))
        m = nu + x
        cmp = m >= (rho + self.t)
        count = np.zeros(n_samples)
        aborted = np.full(n_samples, False)
        res = cmp.astype(int)
        col_idx = 0
        for column in cmp.T:
            res[aborted, col_idx] = -1
            count = count + column
            aborted = np.logical_or(aborted, count == self.c)
            col_idx = col_idx + 1
        return res


class SparseVectorTechnique2(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps1 = eps / 2.0
        self.eps2 = eps - self.eps1
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        n_queries = a.shape[0]
        rho = np.random.laplace(scale=self.c / self.eps1, size=(n_samples,))
        nu = np.random.laplace(scale=2 * self.c / self.eps2, size=(n_samples, n_queries))
        m = nu + x
        count = np.zeros(n_samples)
        aborted = np.full(n_samples, False)
        res = np.empty(shape=m.shape, dtype=int)
        for col_idx in range(0, n_queries):
            cmp = m[:, col_idx] >= (rho + self.t)
            res[:, col_idx] = cmp.astype(int)
            res[aborted, col_idx] = -1
            count = count + cmp
            new_rho = np.random.laplace(scale=self.c / self.eps1, size=(n_samples,))
            rho[cmp] = new_rho[cmp]
            aborted = np.logical_or(aborted, count == self.c)
        return res


class SparseVectorTechnique4(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps1 = eps / 4.0
        self.eps2 = eps - self.eps1
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho = np.random.laplace(scale=1 / self.eps1, size=(n_samples, 1))
        nu = np.random.laplace(scale=1 / self.eps2, size=(n_samples, a.shape[0]))
        m = nu + x
        cmp = m >= (rho + self.t)
        count = np.zeros(n_samples)
        aborted = np.full(n_samples, False)
        res = cmp.astype(int)
        col_idx = 0
        for column in cmp.T:
            res[aborted, col_idx] = -1
            count = count + column
            aborted = np.logical_or(aborted, count == self.c)
            col_idx = col_idx + 1
        return res


class SparseVectorTechnique5(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps1 = eps / 2.0
        self.eps2 = eps - self.eps1
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho = np.random.laplace(scale=1 / self.eps1, size=(n_samples, 1))
        cmp = x >= (rho + self.t)
        return cmp.astype(int)


class SparseVectorTechnique6(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps1 = eps / 2.0
        self.eps2 = eps - self.eps1
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho = np.random.laplace(scale=1 / self.eps1, size=(n_samples, 1))
        nu = np.random.laplace(scale=1 / self.eps2, size=(n_samples, a.shape[0]))
        m = nu + x
        cmp = m >= (rho + self.t)
        return cmp.astype(int)


class NumericalSVT(Mechanism):
    def __init__(self, eps: float = 0.1, c: int = 2, t: float = 1.0):
        self.eps = eps
        self.c = c
        self.t = t

    def m(self, a, n_samples: int = 1):
        x = np.atleast_2d(a)
        rho1 = np.random.laplace(scale=3 / self.eps, size=(n_samples, 1))
        rho2 = np.random.laplace(scale=6 * self.c / self.eps, size=(n_samples, a.shape[0]))
        rho3 = np.random.laplace(scale=3 * self.c / self.eps, size=(n_samples, a.shape[0]))
        m = rho2 + x
        cmp = m >= (self.t + rho1)
        z = rho3 + x
        count = np.zeros(n_samples)
        aborted = np.full(n_samples, False)
        res = np.zeros(shape=(n_samples, a.shape[0]))
        for col_idx in range(0, a.shape[0]):
            above = cmp[:, col_idx]
            res[above, col_idx] = z[above, col_idx]
            count = count + above
            res[aborted, col_idx] = -1000.0
            aborted = np.logical_or(aborted, count == self.c)
        return res
