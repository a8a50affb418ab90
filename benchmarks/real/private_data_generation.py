"""Parts of BorealisAI's private-data-generation, written anew: the mean of RON-Gauss and the votes of PATE-GAN."""

import numpy as np


def normalize(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def dp_mean(X, epsilon_mean, prng=None):
    if prng is None:
        prng = np.random.RandomState()
    (n, m) = X.shape
    x_norm = normalize(X)
    mu = np.mean(x_norm, axis=0)
    noise_var_mu = np.sqrt(m) / (n * epsilon_mean)
    laplace_noise = prng.laplace(scale=noise_var_mu, size=m)
    return mu + laplace_noise


def pate(votes, lap_scale):
    """The label that most teachers give: ``votes`` has 0 or 1 of each."""
    clean_votes = sum(votes)
    noisy = clean_votes + np.random.laplace(loc=0, scale=1 / lap_scale)
    return 1.0 if noisy > len(votes) / 2 else 0.0
