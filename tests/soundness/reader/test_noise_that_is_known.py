"""What tells a library which noise comes next, or changes what it does: draws beside it are refused."""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_what_can_be

IMPORTS = """import random
import secrets
import numpy as np
from scipy.stats import geom, laplace
from sklearn.utils import check_random_state
from diffprivlib import mechanisms
from synth.lang import discrete_distance, mechanism
"""
OF_NUMPY = "np.random.laplace(x, 2.0)"
OF_SCIPY = "laplace.rvs(x, 2.0)"

KNOWN = {
    "scipy draws from the source of numpy": ("np.random.seed(0)", OF_SCIPY),
    "so do frozen laws": ("np.random.seed(0)", "laplace(x, 2.0).rvs()"),
    "and laws on integers": ("np.random.seed(0)", "x + geom.rvs(0.5)"),
    "the module that has numpy's source": ("np.random.mtrand.seed(0)", OF_NUMPY),
    "that module by its name": ("from numpy.random import mtrand\nmtrand.seed(0)", OF_NUMPY),
    "another bit generator": ("np.random.set_bit_generator(np.random.MT19937(0))", OF_NUMPY),
    "the state of the bit generator": ("np.random.get_bit_generator().state = {'a': 1}", OF_NUMPY),
    "the bit generator in a variable": ("bits = np.random.get_bit_generator()\nbits.state = 3", OF_NUMPY),
    "a function that says that it seeds": (
        "from lightning import seed_everything\nseed_everything(0)",
        OF_NUMPY,
    ),
    "a method that does so": ("import tensorflow as tf\ntf.keras.utils.set_random_seed(0)", OF_NUMPY),
    "what randint calls": ("random.Random.getrandbits = lambda s, k: 0", "random.randint(0, 1)"),
    "what secrets calls": ("random.SystemRandom.getrandbits = lambda s, k: 0", "secrets.randbelow(2)"),
    "a class by another name": (
        "Q = random.Random\nQ.getrandbits = lambda s, k: 0",
        "random.randint(0, 1)",
    ),
    "a class that is given to a function": (
        "def put(c):\n    c.getrandbits = lambda s, k: 0\nput(random.Random)",
        "random.randint(0, 1)",
    ),
    "the type of a source": (
        "type(random.Random()).randrange = lambda s, *ends: 0",
        "random.randint(0, 1)",
    ),
    "what is set by name": (
        "setattr(random.Random, 'getrandbits', lambda s, k: 0)",
        "random.choice([0, 1])",
    ),
    "an attribute of a law": ("laplace.__setattr__('random_state', 1)", OF_SCIPY),
    "a module below a library's": (
        "mechanisms.laplace.secrets = None",
        "mechanisms.Laplace(epsilon=1, sensitivity=1).randomise(x)",
    ),
}

UNKNOWN = {
    "another library's seed": ("random.seed(0)", OF_NUMPY),
    "a function of the file": ("def seed_nothing():\n    return 1\nseed_nothing()", OF_NUMPY),
    "what only asks for a seed": ("def show():\n    return get_seed(0)", OF_NUMPY),
}


def _program(before: str, drawn: str) -> str:
    return (
        f"{IMPORTS}{before}\n"
        f"@mechanism(adjacent={{'x': discrete_distance()}})\ndef f(x: float):\n    return {drawn}\n"
    )


def _is_read(before: str, drawn: str) -> bool:
    mechanisms, _ = read_what_can_be(_program(before, drawn), "p.py")
    return bool(mechanisms)


@pytest.mark.parametrize("name", KNOWN)
def test_a_draw_beside_it_is_refused(name: str) -> None:
    _, drawn = KNOWN[name]
    assert _is_read("", drawn)
    assert not _is_read(*KNOWN[name])


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_tells_nothing_is_read(name: str) -> None:
    assert _is_read(*UNKNOWN[name])
