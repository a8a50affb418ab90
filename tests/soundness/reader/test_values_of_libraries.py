"""What a library gives may be numpy's, whose truth values are not Python's, whichever library it is."""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_what_can_be

TESTS = ("(y * 0 + 1 > 0) is True", "isinstance(y > 0, bool)", "type(y) is float")
LIBRARIES = {
    "scipy": ("import scipy.stats", "scipy.stats.laplace.rvs(0, 1)", False),
    "numpy": ("import numpy as np", "np.random.laplace(0, 1)", False),
    "diffprivlib": (
        "from diffprivlib.mechanisms import Laplace",
        "Laplace(epsilon=1, sensitivity=1).randomise(0.0)",
        False,
    ),
    "Python's own": ("import random", "random.gauss(0, 1)", True),
}


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.parametrize("test", TESTS)
def test_a_type_is_not_known(name: str, test: str) -> None:
    line, value, of_python = LIBRARIES[name]
    text = (
        f"{line}\nfrom synth.lang import *\n@mechanism(adjacent={{'x': absolute_distance(1)}})\n"
        f"def f(x: float):\n    y = {value}\n    if {test}:\n        return 0\n    return x\n"
    )
    found, refused = read_what_can_be(text, "p.py")
    assert bool(found) == (of_python and "type" not in test)
    assert found or "is an instance here is not known" in str(refused[0])
