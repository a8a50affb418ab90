"""sklearn.utils: the source that a seed stands for."""

import numpy as np

from synth.stubs import shown, source


def check_random_state(seed: source):
    """is the source that it is given, or the one that functions of numpy draw from"""
    if seed is None or seed is np.random:
        return np.random.mtrand._rand
    shown(isinstance(seed, np.random.RandomState))
    return seed
