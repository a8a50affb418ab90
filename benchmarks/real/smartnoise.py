"""Parts of SmartNoise, written anew: its sampler for SQL, the exponential mechanism and covariances."""

import math
import random

import numpy as np

sys_rand = random.SystemRandom()


def laplace(loc, scale, size):
    U = [sys_rand.uniform(-0.5, 0.5) for i in range(size)]
    return [loc - scale * math.copysign(math.log(1 - (2 * abs(u))), u) for u in U]


def noisy_counts(counts, epsilon):
    lambd = 1 / epsilon
    noisy = {}
    for name in counts.keys():
        noisy[name] = counts[name] + laplace(0, lambd, 1)[0]
    return noisy


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def exponential_mechanism(qualities, epsilon, sensitivity=1.0, base_measure=None):
    if isinstance(qualities, dict):
        keys = list(qualities.keys())
        qualities = np.array([qualities[key] for key in keys])
        if base_measure is not None:
            base_measure = np.log([base_measure[key] for key in keys])
    else:
        qualities = np.array(qualities)
        keys = np.arange(qualities.size)
    q = qualities - qualities.max()
    if base_measure is None:
        p = softmax(0.5 * epsilon / sensitivity * q)
    else:
        p = softmax(0.5 * epsilon / sensitivity * q + base_measure)
    return keys[np.random.choice(p.size, p=p)]


def covariance_sensitivity(n, rng):
    diffs = []
    for i in range(rng.shape[1]):
        diffs.append(rng[i][1] - rng[i][0])
    const = 2 / n
    sensitivity = []
    for i in range(len(diffs)):
        for j in range(i, len(diffs)):
            sensitivity.append(const * diffs[i] * diffs[j])
    return np.array(sensitivity)


def censor_data(data, rng):
    new_data = data.copy()
    for i in range(data.shape[1]):
        new_data[:, i] = np.clip(data[:, i], rng[i][0], rng[i][1])
    return new_data


class DPcovariance:
    def __init__(self, n, rng, global_eps):
        self.num_rows = n
        self.rng = rng
        self.sens = covariance_sensitivity(n, rng)
        n_calcs = len(self.sens)
        self.epsilon = np.array([global_eps / n_calcs for i in range(n_calcs)])

    def release(self, data):
        new_data = censor_data(data, self.rng)

        def covar(x):
            covariance = np.cov(x)
            return list(covariance[np.tril_indices(covariance.shape[0])])

        def q_lap(elem, mu=0, b=1):
            if elem < 0.5:
                return mu + b * np.log(2 * elem)
            else:
                return mu - b * np.log(2 - 2 * elem)

        def q_lap_iter(p, mu=0, b=1):
            for i in range(len(p)):
                p[i] = q_lap(p[i], mu, b[i])
            return p

        def dp_noise(n, noise_scale):
            u = np.random.uniform(size=n)
            return q_lap_iter(u, b=noise_scale)

        true_val = covar(data.T)  # of the data as they came, not of new_data
        scale = self.sens / self.epsilon
        val = np.array(true_val) + dp_noise(n=len(true_val), noise_scale=scale)
        return list(val)
