"""Clients of local protocols, written anew after multi-freq-ldpy; there they are compiled by numba."""

import numpy as np


def var_pure(p, q, f=0.0):
    return q * (1 - q) / (p - q) ** 2 + f * (1 - p - q) / (p - q)


def GRR_Client(input_data, k, epsilon):
    """Generalized randomized response."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if epsilon > 0:
        p = np.exp(epsilon) / (np.exp(epsilon) + k - 1)
        domain = np.arange(k)
        if np.random.binomial(1, p) == 1:
            return input_data
        else:
            return np.random.choice(domain[domain != input_data])
    else:
        raise ValueError("epsilon must be positive")


def HE_Client(input_data, k, epsilon):
    """Histogram encoding."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if epsilon > 0:
        encoded = np.zeros(k)
        encoded[input_data] = 1
        return encoded + np.random.laplace(loc=0.0, scale=2 / epsilon, size=k)
    else:
        raise ValueError("epsilon must be positive")


def UE_Client(input_data, k, epsilon, optimal=True):
    """Unary encoding, symmetric or optimized."""
    if input_data != None:
        if input_data < 0 or input_data >= k:
            raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if epsilon > 0:
        p = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
        q = 1 - p
        if optimal:
            p = 1 / 2
            q = 1 / (np.exp(epsilon) + 1)
        encoded = np.zeros(k)
        if input_data != None:
            encoded[input_data] = 1
        released = np.zeros(k)
        for i in range(k):
            if encoded[i] != 1:
                u = np.random.random()
                if u <= q:
                    released[i] = 1
            else:
                u = np.random.random()
                if u <= p:
                    released[i] = 1
        return released
    else:
        raise ValueError("epsilon must be positive")


def ADP_Client(input_data, k, epsilon, optimal=True):
    """The one of two protocols with the smaller variance."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if epsilon > 0:
        p_grr = np.exp(epsilon) / (np.exp(epsilon) + k - 1)
        q_grr = (1 - p_grr) / (k - 1)
        p_ue = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
        q_ue = 1 - p_ue
        if optimal:
            p_ue = 1 / 2
            q_ue = 1 / (np.exp(epsilon) + 1)
        if var_pure(p_grr, q_grr) <= var_pure(p_ue, q_ue):
            return GRR_Client(input_data, k, epsilon)
        else:
            return UE_Client(input_data, k, epsilon, optimal)
    else:
        raise ValueError("epsilon must be positive")


def SS_Client(input_data, k, epsilon):
    """Subset selection."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if epsilon > 0:
        domain = np.arange(k)
        size = int(max(1, np.rint(k / (np.exp(epsilon) + 1))))
        p = size * np.exp(epsilon) / (size * np.exp(epsilon) + k - size)
        u = np.random.random()
        subset = np.zeros(size, dtype="int64")
        if u <= p:
            subset[0] = int(input_data)
            subset[1:] = np.random.choice(domain[domain != input_data], size=size - 1, replace=False)
            return subset
        else:
            return np.random.choice(domain[domain != input_data], size=size, replace=False)
    else:
        raise ValueError("epsilon must be positive")


def L_GRR_Client(input_data, k, eps_perm, eps_1):
    """Two rounds of randomized response."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or k < 2:
        raise ValueError("k must be an integer, at least 2")
    if eps_perm < 0 or eps_1 < 0:
        raise ValueError("both epsilons must be positive")
    if eps_1 < eps_perm:
        p1 = np.exp(eps_perm) / (np.exp(eps_perm) + k - 1)
        q1 = (1 - p1) / (k - 1)
        e = np.exp(eps_1)
        p2 = (q1 - e * p1) / (-p1 * e + k * q1 * e - q1 * e - p1 * (k - 1) + q1)
        q2 = (1 - p2) / (k - 1)
        if (np.array([p1, q1, p2, q2]) >= 0).all():
            pass
        else:
            raise ValueError("a probability is negative")
        second = np.log(p2 / q2)
        kept = GRR_Client(input_data, k, eps_perm)
        return GRR_Client(kept, k, second)
    else:
        raise ValueError("eps_1 must be below eps_perm")


def dBitFlipPM_Client(input_data, k, b, d_bits, eps_perm):
    """A few random bits of the one-hot vector of a bucket, each flipped; the others are -1."""
    if input_data < 0 or input_data >= k:
        raise ValueError("input_data must be between 0 and k - 1")
    if not isinstance(k, int) or not isinstance(b, int) or not isinstance(d_bits, int):
        raise ValueError("k, b and d_bits must be integers")
    if b > k or d_bits > b:
        raise ValueError("d_bits <= b <= k must hold")
    if eps_perm > 0 and b > 0 and d_bits > 0:
        p1 = np.exp(eps_perm / 2) / (np.exp(eps_perm / 2) + 1)
        q1 = 1 - p1
        width = k / b
        chosen = np.random.choice(np.arange(b), size=d_bits, replace=False)
        bucket = int(input_data / width)
        released = np.ones(b) * -1
        at = 0
        for i in range(b):
            if i in chosen:
                u = np.random.random()
                if bucket == chosen[at]:
                    released[chosen[at]] = int(u <= p1)
                else:
                    released[chosen[at]] = int(u <= q1)
                at += 1
        return released
    else:
        raise ValueError("eps_perm, b and d_bits must be positive")
