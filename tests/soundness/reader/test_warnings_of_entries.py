"""What entries of an array ask for, a divisor that isn't 0, is shown where they are used; else numpy warns.

That nobody sees the warning is an assumption of the verdict.
"""

from __future__ import annotations

import pytest

from synth.trusted.frontend.reader import read_source
from synth.views.assumptions import assumptions

HEAD = """\
from synth.lang import *
import numpy as np


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def of_array(x: float):
    a = np.array([x, 1.0])
"""
ASSUMED = "that numpy shows nobody what it warns of where entries are not used"


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("b = 1 / a", True),
        ("b = len(1 / a)", True),
        ("b = (1 / a)[1]", True),
        ("b = np.log(a)", True),
        ("b = np.sqrt(a)", True),
        ("b = a ** -1", True),
        ("b = a / a.sum()", True),
        ("b = a * a + 1", False),
        ("b = np.exp(a) / 2", False),
    ],
)
def test_that_nobody_sees_warnings_is_listed(line: str, listed: bool) -> None:
    (of,) = read_source(f"{HEAD}    {line}\n    return 1\n", "p.py")
    assert (ASSUMED in assumptions(of)) is listed
