"""Clients of local protocols, written anew after pure-LDP: a base class with parameters, and one class each."""

import math
import random

import numpy as np


class FreqOracleClient:
    def __init__(self, epsilon, d, index_mapper=None):
        self.epsilon = epsilon
        self.d = d
        if index_mapper is None:
            self.index_mapper = lambda x: x - 1
        else:
            self.index_mapper = index_mapper

    def update_params(self, epsilon=None, d=None, index_mapper=None):
        self.epsilon = epsilon if epsilon is not None else self.epsilon
        self.d = d if d is not None else self.d
        self.index_mapper = index_mapper if index_mapper is not None else self.index_mapper

    def _perturb(self, data):
        raise NotImplementedError("to be written by each protocol")

    def privatise(self, data):
        raise NotImplementedError("to be written by each protocol")


class DEClient(FreqOracleClient):
    def __init__(self, epsilon, d, index_mapper=None):
        super().__init__(epsilon, d, index_mapper)
        self.update_params(epsilon, d, index_mapper)

    def update_params(self, epsilon=None, d=None, index_mapper=None):
        super().update_params(epsilon, d, index_mapper)
        if epsilon is not None or d is not None:
            self.const = math.pow(math.e, self.epsilon) + self.d - 1
            self.p = (math.pow(math.e, self.epsilon)) / self.const
            self.q = 1 / self.const

    def _perturb(self, data):
        if random.random() < self.p:
            return data
        else:
            other = random.randint(0, self.d - 2)
            if other == data:
                return self.d - 1
            else:
                return other

    def privatise(self, data):
        index = self.index_mapper(data)
        return self._perturb(index)


class HEClient(FreqOracleClient):
    def __init__(self, epsilon, d, index_mapper=None):
        super().__init__(epsilon, d, index_mapper=index_mapper)

    def _perturb(self, oh_vec):
        noise = np.random.laplace(scale=(2 / self.epsilon), size=self.d)
        noisy_vec = oh_vec + noise
        return noisy_vec

    def privatise(self, data):
        index = self.index_mapper(data)
        oh_vec = np.zeros(self.d)
        oh_vec[index] = 1
        return self._perturb(oh_vec)


class UEClient(FreqOracleClient):
    def __init__(self, epsilon, d, use_oue=False, index_mapper=None):
        super().__init__(epsilon, d, index_mapper=index_mapper)
        self.use_oue = use_oue
        self.update_params(epsilon, d, index_mapper)

    def update_params(self, epsilon=None, d=None, index_mapper=None):
        super().update_params(epsilon, d, index_mapper)
        if epsilon is not None:
            const = math.pow(math.e, self.epsilon / 2)
            self.p = const / (const + 1)
            self.q = 1 - self.p
            if self.use_oue is True:
                self.p = 0.5
                self.q = 1 / (math.pow(math.e, self.epsilon) + 1)

    def _perturb(self, index):
        oh_vec = np.random.choice([1, 0], size=self.d, p=[self.q, 1 - self.q])
        oh_vec[index] = 0
        if random.random() < self.p:
            oh_vec[index] = 1
        return oh_vec

    def privatise(self, data):
        index = self.index_mapper(data)
        return self._perturb(index)


class UEClientUntil2023(UEClient):
    """As it was from February 2021 to September 2023."""

    def _perturb(self, index):
        oh_vec = np.random.choice([1, 0], size=self.d, p=[self.q, 1 - self.q])
        if random.random() < self.p:
            oh_vec[index] = 1
        return oh_vec


class RAPPORClient(FreqOracleClient):
    def __init__(self, f, m, hash_funcs, num_of_cohorts=8, index_mapper=None):
        super().__init__(epsilon=None, d=None, index_mapper=index_mapper)
        self.m = m
        self.f = f
        self.hash_family = hash_funcs
        self.num_of_cohorts = num_of_cohorts

    def _perturb(self, data):
        for i, bit in enumerate(data):
            u = random.random()
            if (bit == 1 and u < (1 - 0.5 * self.f)) or (bit == 0 and u < 1 / 2 * self.f):
                data[i] = 1  # a bit that is 1 and should become 0 is left as it is
        return data

    def privatise(self, data):
        index = self.index_mapper(data)
        cohort_num = random.randint(0, self.num_of_cohorts - 1)
        b = [0] * self.m
        hash_funcs = self.hash_family[cohort_num]
        for func in hash_funcs:
            hash_index = func(str(index))
            b[hash_index] = 1
        return self._perturb(b), cohort_num


class CMSClient(FreqOracleClient):
    def __init__(self, epsilon, hash_funcs, m):
        super().__init__(epsilon, None)
        self.hash_funcs = hash_funcs
        self.k = len(self.hash_funcs)
        self.m = m
        self.prob = 1 / (1 + math.pow(math.e, self.epsilon / 2))

    def _one_hot(self, data):
        j = random.randint(0, self.k - 1)
        h_j = self.hash_funcs[j]
        v = np.full(self.m, -1)
        v[h_j(data)] = 1
        return v, j

    def _perturb(self, data):
        v, j = self._one_hot(data)
        v[np.random.rand(*v.shape) < self.prob] *= -1
        return v, j

    def privatise(self, data):
        return self._perturb(str(data))


class LHClient(FreqOracleClient):
    """Local hashing; ``hashed`` stands for xxhash of the value with a seed, modulo g."""

    def __init__(self, epsilon, d, hashed, g=2, use_olh=False, index_mapper=None):
        super().__init__(epsilon, d, index_mapper=index_mapper)
        self.use_olh = use_olh
        self.hashed = hashed
        self.g = g
        if self.use_olh is True:
            self.g = int(round(math.exp(self.epsilon))) + 1
        self.p = math.exp(self.epsilon) / (math.exp(self.epsilon) + self.g - 1)
        self.q = 1.0 / (math.exp(self.epsilon) + self.g - 1)

    def _perturb(self, data, seed):
        index = self.index_mapper(data)
        x = self.hashed(str(index), seed) % self.g
        y = x
        p_sample = np.random.random_sample()
        if p_sample > self.p - self.q:
            y = np.random.randint(0, self.g)
        return y

    def privatise(self, data):
        seed = random.randint(0, 2**63 - 1)
        return self._perturb(data, seed), seed


class HadamardMechClient(FreqOracleClient):
    """The Hadamard mechanism with one coefficient (t = 1)."""

    def __init__(self, epsilon, d, index_mapper=None):
        super().__init__(epsilon, d, index_mapper)
        self.p = math.exp(self.epsilon) / (math.exp(self.epsilon) + 1)

    def _count_bin_ones(self, bin1, bin2):
        count = 0
        for i, bit in enumerate(bin1):
            if bit == "1" and bin2[i] == "1":
                count += 1
        return count

    def _perturb(self, data):
        j = random.randint(0, self.d - 1)
        size = len(bin(self.d)[2:])
        bin_data = bin(data)[2:].zfill(size)
        bin_j = bin(j)[2:].zfill(size)
        return j, (-1) ** self._count_bin_ones(bin_data, bin_j)

    def privatise(self, data):
        index = self.index_mapper(data)
        j, coefficient = self._perturb(index)
        if random.random() >= self.p:
            coefficient = -coefficient
        return j, coefficient
