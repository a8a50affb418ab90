"""Mechanisms and tools of diffprivlib, written anew: classes that check their parameters, functions that use them."""

import secrets
from numbers import Integral, Real

import numpy as np


def check_random_state(seed, secure=False):
    if secure:
        if isinstance(seed, secrets.SystemRandom):
            return seed
        if seed is None:
            return secrets.SystemRandom()
    if seed is None:
        return np.random.mtrand._rand
    if isinstance(seed, np.random.RandomState):
        return seed
    return np.random.RandomState(seed)


class DPMechanism:
    def __init__(self, *, epsilon, delta, random_state=None):
        self.epsilon, self.delta = self._check_epsilon_delta(epsilon, delta)
        self.random_state = random_state
        self._rng = check_random_state(random_state, True)

    @classmethod
    def _check_epsilon_delta(cls, epsilon, delta):
        if not isinstance(epsilon, Real) or not isinstance(delta, Real):
            raise TypeError("epsilon and delta must be numbers")
        if epsilon < 0:
            raise ValueError("epsilon must not be negative")
        if not 0 <= delta <= 1:
            raise ValueError("delta must be in [0, 1]")
        if epsilon + delta == 0:
            raise ValueError("one of epsilon and delta must be positive")
        return float(epsilon), float(delta)

    def _check_all(self, value):
        del value
        self._check_epsilon_delta(self.epsilon, self.delta)
        return True


class TruncationAndFoldingMixin:
    def __init__(self, *, lower, upper):
        if not isinstance(self, DPMechanism):
            raise TypeError("to be used with a mechanism")
        self.lower, self.upper = self._check_bounds(lower, upper)

    @classmethod
    def _check_bounds(cls, lower, upper):
        if not isinstance(lower, Real) or not isinstance(upper, Real):
            raise TypeError("bounds must be numbers")
        if lower > upper:
            raise ValueError("the lower bound is above the upper one")
        return lower, upper

    def _truncate(self, value):
        if value > self.upper:
            return self.upper
        if value < self.lower:
            return self.lower
        return value

    def _fold(self, value):
        if value < self.lower:
            return self._fold(2 * self.lower - value)
        if value > self.upper:
            return self._fold(2 * self.upper - value)
        return value


class Laplace(DPMechanism):
    def __init__(self, *, epsilon, delta=0.0, sensitivity, random_state=None):
        super().__init__(epsilon=epsilon, delta=delta, random_state=random_state)
        self.sensitivity = self._check_sensitivity(sensitivity)
        self._scale = None

    @classmethod
    def _check_sensitivity(cls, sensitivity):
        if not isinstance(sensitivity, Real):
            raise TypeError("the sensitivity must be a number")
        if sensitivity < 0:
            raise ValueError("the sensitivity must not be negative")
        return float(sensitivity)

    def _check_all(self, value):
        super()._check_all(value)
        self._check_sensitivity(self.sensitivity)
        if not isinstance(value, Real):
            raise TypeError("the value must be a number")
        return True

    @staticmethod
    def _laplace_sampler(unif1, unif2, unif3, unif4):
        return np.log(1 - unif1) * np.cos(np.pi * unif2) + np.log(1 - unif3) * np.cos(np.pi * unif4)

    def randomise(self, value):
        self._check_all(value)
        scale = self.sensitivity / (self.epsilon - np.log(1 - self.delta))
        standard = self._laplace_sampler(
            self._rng.random(), self._rng.random(), self._rng.random(), self._rng.random()
        )
        return value - scale * standard


class LaplaceTruncated(Laplace, TruncationAndFoldingMixin):
    def __init__(self, *, epsilon, delta=0.0, sensitivity, lower, upper, random_state=None):
        super().__init__(epsilon=epsilon, delta=delta, sensitivity=sensitivity, random_state=random_state)
        TruncationAndFoldingMixin.__init__(self, lower=lower, upper=upper)

    def randomise(self, value):
        self._check_all(value)
        noisy = super().randomise(value)
        return self._truncate(noisy)


class LaplaceFolded(Laplace, TruncationAndFoldingMixin):
    def __init__(self, *, epsilon, delta=0.0, sensitivity, lower, upper, random_state=None):
        super().__init__(epsilon=epsilon, delta=delta, sensitivity=sensitivity, random_state=random_state)
        TruncationAndFoldingMixin.__init__(self, lower=lower, upper=upper)

    def randomise(self, value):
        self._check_all(value)
        noisy = super().randomise(value)
        return self._fold(noisy)


class Geometric(DPMechanism):
    def __init__(self, *, epsilon, sensitivity=1, random_state=None):
        super().__init__(epsilon=epsilon, delta=0.0, random_state=random_state)
        self.sensitivity = self._check_sensitivity(sensitivity)
        self._scale = -self.epsilon / self.sensitivity if self.sensitivity > 0 else -float("inf")

    @classmethod
    def _check_sensitivity(cls, sensitivity):
        if not isinstance(sensitivity, Integral):
            raise TypeError("the sensitivity must be an integer")
        if sensitivity < 0:
            raise ValueError("the sensitivity must not be negative")
        return sensitivity

    def _check_all(self, value):
        super()._check_all(value)
        if not isinstance(value, Integral):
            raise TypeError("the value must be an integer")

    def randomise(self, value):
        self._check_all(value)
        unif_rv = self._rng.random() - 0.5
        unif_rv *= 1 + np.exp(self._scale)
        sgn = -1 if unif_rv < 0 else 1
        return int(np.round(value + sgn * np.floor(np.log(sgn * unif_rv) / self._scale)))


class GeometricTruncated(Geometric, TruncationAndFoldingMixin):
    def __init__(self, *, epsilon, sensitivity=1, lower, upper, random_state=None):
        super().__init__(epsilon=epsilon, sensitivity=sensitivity, random_state=random_state)
        TruncationAndFoldingMixin.__init__(self, lower=lower, upper=upper)

    def randomise(self, value):
        self._check_all(value)
        noisy = super().randomise(value)
        return int(np.round(self._truncate(noisy)))


class Binary(DPMechanism):
    def __init__(self, *, epsilon, value0, value1, random_state=None):
        super().__init__(epsilon=epsilon, delta=0.0, random_state=random_state)
        self.value0, self.value1 = self._check_labels(value0, value1)

    @classmethod
    def _check_labels(cls, value0, value1):
        if not isinstance(value0, str) or not isinstance(value1, str):
            raise TypeError("labels must be strings")
        if len(value0) * len(value1) == 0:
            raise ValueError("labels must not be empty")
        if value0 == value1:
            raise ValueError("labels must differ")
        return value0, value1

    def _check_all(self, value):
        super()._check_all(value)
        if not isinstance(value, str):
            raise TypeError("the value must be a string")
        if value not in [self.value0, self.value1]:
            raise ValueError(f'the value is neither "{self.value0}" nor "{self.value1}"')
        return True

    def randomise(self, value):
        self._check_all(value)
        indicator = 0 if value == self.value0 else 1
        unif_rv = self._rng.random() * (np.exp(self.epsilon) + 1)
        if unif_rv > np.exp(self.epsilon) + self.delta:
            indicator = 1 - indicator
        return self.value1 if indicator else self.value0


class Exponential(DPMechanism):
    def __init__(
        self, *, epsilon, sensitivity, utility, monotonic=False, candidates=None, measure=None, random_state=None
    ):
        super().__init__(epsilon=epsilon, delta=0.0, random_state=random_state)
        self.sensitivity = float(sensitivity)
        self.utility, self.candidates, self.measure = utility, candidates, measure
        self.monotonic = bool(monotonic)
        self._probabilities = self._find_probabilities(
            self.epsilon, self.sensitivity, self.utility, self.monotonic, self.measure
        )

    @classmethod
    def _find_probabilities(cls, epsilon, sensitivity, utility, monotonic, measure):
        scale = epsilon / sensitivity / (2 - monotonic) if sensitivity / epsilon > 0 else float("inf")
        utility = np.array(utility) - max(utility)
        if np.isinf(scale):
            probabilities = np.isclose(utility, 0).astype(float)
        else:
            probabilities = np.exp(scale * utility)
        probabilities *= np.array(measure) if measure else 1
        probabilities /= probabilities.sum()
        return np.cumsum(probabilities)

    def randomise(self, value=None):
        self._check_all(value)
        rand = self._rng.random()
        if np.any(rand <= self._probabilities):
            idx = np.argmax(rand <= self._probabilities)
        elif np.isclose(rand, self._probabilities[-1]):
            idx = len(self._probabilities) - 1
        else:
            raise RuntimeError("no candidate")
        return self.candidates[idx] if self.candidates else idx


def bernoulli_neg_exp(gamma, rng):
    if gamma < 0:
        raise ValueError("gamma must not be negative")
    while gamma > 1:
        gamma -= 1
        if not bernoulli_neg_exp(1, rng):
            return 0
    counter = 1
    while rng.random() <= gamma / counter:
        counter += 1
    return counter % 2


class PermuteAndFlip(Exponential):
    def __init__(self, *, epsilon, sensitivity, utility, monotonic=False, candidates=None, random_state=None):
        super().__init__(
            epsilon=epsilon,
            sensitivity=sensitivity,
            utility=utility,
            monotonic=monotonic,
            candidates=candidates,
            measure=None,
            random_state=random_state,
        )

    @classmethod
    def _find_probabilities(cls, epsilon, sensitivity, utility, monotonic, measure):
        scale = epsilon / sensitivity / (2 - monotonic) if sensitivity / epsilon > 0 else float("inf")
        utility = np.array(utility)
        utility -= max(utility)
        return scale * utility

    def randomise(self, value=None):
        self._check_all(value)
        candidate_ids = list(range(len(self.utility)))
        while candidate_ids:
            idx = candidate_ids[int(self._rng.random() * len(candidate_ids))]
            candidate_ids.remove(idx)
            if bernoulli_neg_exp(-self._probabilities[idx], self._rng):
                return self.candidates[idx] if self.candidates else idx
        raise RuntimeError("no value")


class Uniform(DPMechanism):
    def __init__(self, *, delta, sensitivity, random_state=None):
        super().__init__(epsilon=0.0, delta=delta, random_state=random_state)
        self.sensitivity = float(sensitivity)

    def randomise(self, value):
        self._check_all(value)
        unif_rv = 2 * self._rng.random() - 1
        unif_rv *= self.sensitivity / self.delta / 2
        return value + unif_rv


class Staircase(Laplace):
    def __init__(self, *, epsilon, sensitivity, gamma=None, random_state=None):
        super().__init__(epsilon=epsilon, delta=0, sensitivity=sensitivity, random_state=random_state)
        self.gamma = 1 / (1 + np.exp(epsilon / 2)) if gamma is None else float(gamma)
        if isinstance(self._rng, secrets.SystemRandom):
            self._rng = np.random.default_rng()

    def randomise(self, value):
        self._check_all(value)
        sign = -1 if self._rng.random() < 0.5 else 1
        geometric_rv = self._rng.geometric(1 - np.exp(-self.epsilon)) - 1
        unif_rv = self._rng.random()
        odds = self.gamma / (self.gamma + (1 - self.gamma) * np.exp(-self.epsilon))
        binary_rv = 0 if self._rng.random() < odds else 1
        return value + sign * (
            (1 - binary_rv) * ((geometric_rv + self.gamma * unif_rv) * self.sensitivity)
            + binary_rv * ((geometric_rv + self.gamma + (1 - self.gamma) * unif_rv) * self.sensitivity)
        )


def clip_to_bounds(array, bounds):
    lower, upper = bounds
    return np.clip(array, lower, upper)


def mean(array, epsilon=1.0, bounds=None, random_state=None):
    if bounds is None:
        bounds = (np.min(array), np.max(array))  # diffprivlib warns here
    lower, upper = bounds
    array = clip_to_bounds(np.ravel(array), bounds)
    actual_mean = np.mean(array)
    mech = LaplaceTruncated(
        epsilon=epsilon,
        delta=0,
        sensitivity=(upper - lower) / array.size,
        lower=lower,
        upper=upper,
        random_state=random_state,
    )
    return mech.randomise(actual_mean)


def sum_(array, epsilon=1.0, bounds=None, random_state=None):
    lower, upper = bounds
    array = clip_to_bounds(np.ravel(array), bounds)
    actual_sum = np.sum(array)
    mech = LaplaceTruncated(
        epsilon=epsilon,
        sensitivity=upper - lower,
        lower=lower * array.size,
        upper=upper * array.size,
        random_state=random_state,
    )
    return mech.randomise(actual_sum)


def count_nonzero(array, epsilon=1.0, random_state=None):
    array = np.asanyarray(array)
    present = array.astype(np.bool_, copy=False)
    total = int(np.sum(present))
    mech = GeometricTruncated(
        epsilon=epsilon, sensitivity=1, lower=0, upper=array.size, random_state=random_state
    )
    return mech.randomise(total)


def histogram(sample, epsilon=1.0, bins=10, range=None, random_state=None):
    hist, bin_edges = np.histogram(sample, bins=bins, range=range, density=None)
    dp_mech = GeometricTruncated(
        epsilon=epsilon, sensitivity=1, lower=0, upper=2**63 - 1, random_state=random_state
    )
    dp_hist = np.zeros_like(hist)
    for i in np.arange(dp_hist.shape[0]):
        dp_hist[i] = dp_mech.randomise(int(hist[i]))
    return dp_hist, bin_edges


def quantile(array, quant, epsilon=1.0, bounds=None, random_state=None):
    random_state = check_random_state(random_state)
    array = clip_to_bounds(np.ravel(array), bounds)
    k = array.size
    array = np.append(array, list(bounds))
    array.sort()
    interval_sizes = np.diff(array)
    mech = Exponential(
        epsilon=epsilon,
        sensitivity=1,
        utility=list(-np.abs(np.arange(0, k + 1) - quant * k)),
        measure=list(interval_sizes),
        random_state=random_state,
    )
    idx = mech.randomise()
    return random_state.random() * (array[idx + 1] - array[idx]) + array[idx]


def regression_coefficients(X, y, bounds_X, bounds_y, epsilon, random_state=None):
    """Noisy monomial coefficients of a linear regression with one target."""
    n_features = X.shape[1]
    local_epsilon = epsilon / (1 + n_features + n_features * (n_features + 1) / 2)
    coefs = ((y**2).sum(), np.einsum("i,ik->k", y, X), np.einsum("ij,ik", X, X))

    def get_max_sensitivity(y_lower, y_upper, x_lower, x_upper):
        corners = [y_lower * x_lower, y_lower * x_upper, y_upper * x_lower, y_upper * x_upper]
        return np.max(corners) - np.min(corners)

    sensitivity = np.abs([bounds_y[0], bounds_y[1]]).max() ** 2
    mech = LaplaceFolded(
        epsilon=local_epsilon, sensitivity=sensitivity, lower=0, upper=float("inf"), random_state=random_state
    )
    mono_coef_0 = mech.randomise(coefs[0])
    mono_coef_1 = np.zeros(n_features)
    for j in range(n_features):
        sensitivity = get_max_sensitivity(bounds_y[0], bounds_y[1], bounds_X[0][j], bounds_X[1][j])
        mech = Laplace(epsilon=local_epsilon, sensitivity=sensitivity, random_state=random_state)
        mono_coef_1[j] = mech.randomise(coefs[1][j])
    mono_coef_2 = np.zeros((n_features, n_features))
    for i in range(n_features):
        sensitivity = np.max(np.abs([bounds_X[0][i], bounds_X[0][i]])) ** 2
        mech = LaplaceFolded(
            epsilon=local_epsilon, sensitivity=sensitivity, lower=0, upper=float("inf"), random_state=random_state
        )
        mono_coef_2[i, i] = mech.randomise(coefs[2][i, i])
        for j in range(i + 1, n_features):
            sensitivity = get_max_sensitivity(bounds_X[0][i], bounds_X[1][i], bounds_X[0][j], bounds_X[1][j])
            mech = Laplace(epsilon=local_epsilon, sensitivity=sensitivity, random_state=random_state)
            mono_coef_2[i, j] = mech.randomise(coefs[2][i, j])
            mono_coef_2[j, i] = mono_coef_2[i, j]
    return mono_coef_0, mono_coef_1, mono_coef_2
