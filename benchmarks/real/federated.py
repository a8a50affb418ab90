"""Noise on updates of federated learning, after Flower, SecretFlow, pfl-research, Opacus and TensorFlow Privacy.

Written anew on numpy arrays; the last three work on tensors.
"""

import collections
import math

import numpy as np


# Flower: framework/py/flwr/common/differential_privacy.py


def get_norm(input_arrays):
    array_norms = [np.linalg.norm(array.flat) for array in input_arrays]
    return float(np.sqrt(sum([norm**2 for norm in array_norms])))


def add_gaussian_noise_inplace(input_arrays, std_dev):
    for array in input_arrays:
        noise = np.random.normal(0, std_dev, array.shape).astype(array.dtype)
        array += noise


def clip_inputs_inplace(input_arrays, clipping_norm):
    input_norm = get_norm(input_arrays)
    scaling_factor = min(1, clipping_norm / input_norm)
    for array in input_arrays:
        array *= scaling_factor


def local_dp(model_params, sensitivity, epsilon, delta):
    add_gaussian_noise_inplace(model_params, sensitivity * np.sqrt(2 * np.log(1.25 / delta)) / epsilon)
    return model_params


# SecretFlow: secretflow/security/aggregation/experiment/ldp_aggregator.py


def ldp_average(layers):
    """What one client hands on: its first four layers, and its last ones with noise."""
    delta = math.exp(-3)
    epsilon = [80, 80, 40, 40, 30, 30]
    data_list_l = layers[:4]
    data_list_r = layers[4:]
    for i in range(len(data_list_r)):
        sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon[i]
        noise = np.random.normal(0, sigma, data_list_r[i].shape)
        data_list_r[i] = data_list_r[i] + noise
    return data_list_l + data_list_r


# pfl-research: pfl/privacy/laplace_mechanism.py and privacy_mechanism.py


class NormClipping:
    def __init__(self, order, clipping_bound):
        self._order = order
        self._clipping_bound = clipping_bound
        assert order > 0.0
        assert order % 1 == 0 or order == float("inf"), "the order must be a natural number or infinity"

    def constrain_sensitivity(self, weights):
        global_norm = np.linalg.norm(weights, ord=self._order)
        clipped_count = int(global_norm > self._clipping_bound)
        if clipped_count:
            weights = weights * (self._clipping_bound / global_norm)
        return weights


class PflLaplaceMechanism(NormClipping):
    def __init__(self, clipping_bound, epsilon):
        NormClipping.__init__(self, 1.0, clipping_bound)
        self._epsilon = epsilon

    def add_noise(self, weights):
        noise_scale = self._clipping_bound / self._epsilon
        return weights + np.random.laplace(scale=noise_scale, size=weights.shape)

    def aggregate(self, updates, size):
        total = np.zeros(size)
        for weights in updates:
            total = total + self.constrain_sensitivity(weights)
        return self.add_noise(total)


# Opacus: opacus/optimizers/optimizer.py


class DPOptimizer:
    def __init__(self, noise_multiplier, max_grad_norm):
        self.noise_multiplier = noise_multiplier
        self.max_grad_norm = max_grad_norm
        self.summed_grad = None

    def clip_and_accumulate(self, grad_samples):
        if len(grad_samples) == 0:
            per_sample_clip_factor = np.zeros((0,))
        else:
            per_sample_norms = np.linalg.norm(grad_samples, axis=1)
            per_sample_clip_factor = (self.max_grad_norm / (per_sample_norms + 1e-6)).clip(max=1.0)
        grad = np.einsum("i,i...", per_sample_clip_factor, grad_samples)
        if self.summed_grad is not None:
            self.summed_grad += grad
        else:
            self.summed_grad = grad

    def add_noise(self):
        std = self.noise_multiplier * self.max_grad_norm
        if std == 0:
            return self.summed_grad
        return self.summed_grad + np.random.normal(0, std, size=self.summed_grad.shape)

    def step(self, grad_samples):
        self.clip_and_accumulate(grad_samples)
        return self.add_noise()


# TensorFlow Privacy: tensorflow_privacy/privacy/dp_query/gaussian_query.py


class GaussianSumQuery:
    _GlobalState = collections.namedtuple("_GlobalState", ["l2_norm_clip", "stddev"])

    def __init__(self, l2_norm_clip, stddev):
        self._l2_norm_clip = l2_norm_clip
        self._stddev = stddev

    def initial_global_state(self):
        return self._GlobalState(float(self._l2_norm_clip), float(self._stddev))

    def derive_sample_params(self, global_state):
        return global_state.l2_norm_clip

    def preprocess_record(self, params, record):
        l2_norm_clip = params
        norm = np.sqrt(np.sum(np.square(record)))
        return record * l2_norm_clip / np.maximum(norm, l2_norm_clip)

    def get_noised_result(self, sample_state, global_state):
        return sample_state + np.random.normal(scale=global_state.stddev, size=sample_state.shape)

    def run(self, records, size):
        global_state = self.initial_global_state()
        params = self.derive_sample_params(global_state)
        sample_state = np.zeros(size)
        for record in records:
            sample_state = sample_state + self.preprocess_record(params, record)
        return self.get_noised_result(sample_state, global_state)


# TensorFlow Privacy: research/pate_2017/aggregation.py


def noisy_max(labels, lap_scale):
    """The label of one sample that most teachers give, after noise."""
    label_counts = np.bincount(labels, minlength=10)
    label_counts = np.asarray(label_counts, dtype=np.float32)
    for item in range(10):
        label_counts[item] += np.random.laplace(loc=0.0, scale=float(lap_scale))
    return np.argmax(label_counts)
