import numpy as np
from scipy.special import logsumexp


def exponential_mechanism(q, eps, sensitivity, prng=np.random, monotonic=False):
    q = np.asarray(q)
    coef = 1.0 if monotonic else 0.5
    scores = coef * eps / sensitivity * q
    probas = np.exp(scores - logsumexp(scores))
    return prng.choice(q.size, p=probas)
