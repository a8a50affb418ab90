"""The sparse vector filter of NVFlare before the correction of its issue 343, written anew for one array of weights."""

import logging

import numpy as np


class SVTPrivacy:
    def __init__(self, fraction=0.1, epsilon=0.1, noise_var=0.1, gamma=1e-5, tau=1e-6):
        self.frac = fraction
        self.eps_1 = epsilon
        self.eps_2 = None
        self.eps_3 = noise_var
        self.gamma = gamma
        self.tau = tau
        self.logger = logging.getLogger(self.__class__.__name__)

    def process(self, weights, total_steps=1):
        delta_w = weights / float(total_steps)
        n_upload = np.minimum(np.ceil(float(delta_w.size) * self.frac), float(delta_w.size))
        lambda_rho = self.gamma * 2.0 / self.eps_1
        threshold = self.tau + np.random.laplace(scale=lambda_rho)
        self.eps_2 = self.eps_1 * (2.0 * n_upload) ** (2.0 / 3.0)
        lambda_nu = self.gamma * 4.0 * n_upload / self.eps_2
        self.logger.info("total params: %s, epsilon: %s", delta_w.size, self.eps_1)
        accepted, candidate_idx = [], np.arange(delta_w.size)
        clipped_w = np.abs(np.clip(delta_w, a_min=-self.gamma, a_max=self.gamma))
        while len(accepted) < n_upload:
            nu_i = np.random.laplace(scale=lambda_nu, size=candidate_idx.shape)
            above_threshold = (clipped_w[candidate_idx] + nu_i) >= threshold
            accepted += candidate_idx[above_threshold].tolist()
            candidate_idx = candidate_idx[~above_threshold]
            self.logger.info("selected %s responses, requested %s", len(accepted), n_upload)
        accepted = np.random.choice(accepted, size=np.int64(n_upload))
        noise = np.random.laplace(scale=self.gamma * 2.0 / self.eps_3, size=accepted.shape)
        delta_w[accepted] = np.clip(delta_w[accepted] + noise, a_min=-self.gamma, a_max=self.gamma)
        delta_w[candidate_idx] = 0.0
        return delta_w * float(total_steps)
