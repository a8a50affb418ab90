"""diffprivlib.mechanisms: the laws that its mechanisms are meant to have."""

import synth.lang as lang
from numpy.random import RandomState
from random import SystemRandom
from synth.stubs import floating, shown, source


def _is_taken(random_state: source):
    """random_state is None or a source without a seed"""
    return random_state is None or isinstance(random_state, (RandomState, SystemRandom))


@floating
class Laplace:
    def __init__(
        self, *, epsilon: float, delta: float = 0.0, sensitivity: float, random_state: source = None
    ):
        shown(_is_taken(random_state))
        shown(epsilon >= 0 and delta >= 0 and delta < 1 and epsilon + delta > 0)
        shown(sensitivity > 0)
        self._scale = sensitivity / epsilon if delta == 0 else sensitivity / (epsilon - lang.log(1 - delta))

    def randomise(self, value: float):
        """draws from the Laplace law around a number"""
        return lang.laplace(value, self._scale)


@floating
class LaplaceTruncated:
    def __init__(
        self,
        *,
        epsilon: float,
        delta: float = 0.0,
        sensitivity: float,
        lower: float,
        upper: float,
        random_state: source = None,
    ):
        shown(_is_taken(random_state))
        shown(epsilon >= 0 and delta >= 0 and delta < 1 and epsilon + delta > 0)
        shown(sensitivity > 0)
        shown(lower <= upper)
        self._scale = sensitivity / epsilon if delta == 0 else sensitivity / (epsilon - lang.log(1 - delta))
        self._lower = lower
        self._upper = upper

    def randomise(self, value: float):
        """draws from the Laplace law around a number, and cuts it off to the range"""
        noisy = lang.laplace(value, self._scale)
        return min(max(noisy, self._lower), self._upper)


@floating
class Geometric:
    def __init__(self, *, epsilon: float, sensitivity: int = 1, random_state: source = None):
        shown(_is_taken(random_state))
        shown(epsilon > 0)
        shown(sensitivity > 0)
        self._scale = sensitivity / epsilon

    def randomise(self, value: int):
        """draws from the two-sided geometric law around an integer"""
        return lang.laplace(value, self._scale)


@floating
class GeometricTruncated:
    def __init__(
        self, *, epsilon: float, sensitivity: int = 1, lower: int, upper: int, random_state: source = None
    ):
        shown(_is_taken(random_state))
        shown(epsilon > 0)
        shown(sensitivity > 0)
        shown(lower <= upper)
        self._scale = sensitivity / epsilon
        self._lower = lower
        self._upper = upper

    def randomise(self, value: int):
        """draws from the two-sided geometric law around an integer, and cuts it off to the range"""
        noisy = lang.laplace(value, self._scale)
        return min(max(noisy, self._lower), self._upper)


@floating
class Gaussian:
    def __init__(self, *, epsilon: float, delta: float, sensitivity: float, random_state: source = None):
        shown(_is_taken(random_state))
        shown(epsilon > 0 and epsilon <= 1 and delta > 0 and delta <= 1)
        shown(sensitivity > 0)
        self._scale = lang.sqrt(2 * lang.log(1.25 / delta)) * sensitivity / epsilon

    def randomise(self, value: float):
        """draws from the normal law around a number"""
        return lang.gaussian(value, self._scale)


@floating
class Exponential:
    def __init__(
        self,
        *,
        epsilon: float,
        sensitivity: float,
        utility,
        monotonic: bool = False,
        candidates=None,
        measure=None,
        random_state: source = None,
    ):
        shown(_is_taken(random_state))
        shown(epsilon > 0)
        shown(sensitivity > 0)
        shown(isinstance(utility, list) and len(utility) > 0)
        shown(candidates is None)
        shown(measure is None)
        self._scale = epsilon / sensitivity if monotonic else epsilon / (2 * sensitivity)
        self._utility = [+score for score in utility]  # no truth values

    def randomise(self, value=None):
        """draws an index with a chance in proportion to the exponential of its scaled utility"""
        shown(value is None)
        return lang.choice(len(self._utility), lambda r: self._scale * self._utility[r])
