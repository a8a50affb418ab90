"""Geometric mechanism, for counts and other integer valued queries."""
import secrets
from numbers import Integral

import numpy as np


class Geometric:
    """Adds two-sided geometric noise to an integer.

    Parameters
    ----------
    epsilon : float
        Privacy parameter. Must be in (0, inf).
    sensitivity : int
        How far the integer can move between neighbouring data sets.
    """

    def __init__(self, epsilon, sensitivity=1):
        if epsilon <= 0:
            raise ValueError("Epsilon must be positive")
        if sensitivity < 1:
            raise ValueError("Sensitivity must be at least 1")
        self.epsilon = epsilon
        self.sensitivity = sensitivity
        self.scale = -epsilon / sensitivity
        self._rng = secrets.SystemRandom()

    def _check(self, value):
        if not isinstance(value, Integral):
            raise TypeError("Value to be randomised must be an integer")

    def randomise(self, value):
        """Randomise `value` with the mechanism."""
        self._check(value)
        # Uniform on (-(1 + a) / 2, (1 + a) / 2), where a = exp(-epsilon / sensitivity)
        unif_rv = self._rng.random() - 0.5
        unif_rv *= 1 + np.exp(self.scale)
        sgn = -1 if unif_rv < 0 else 1
        return int(value + sgn * np.floor(np.log(sgn * unif_rv) / self.scale))
