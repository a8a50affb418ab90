"""What entries of an array ask for, a divisor that isn't 0, numpy computes whether they are used or not.

Where it fails numpy shows a warning, or raises.  So a program of which private data decide about that isn't
proved, and CPython says of which they do.
"""

from __future__ import annotations

import warnings

import pytest

from synth.prover.acceptance import Unknown
from synth.prover.prove import prove
from synth.prover.proved import Proved
from synth.prover.templates.loading import load_templates
from synth.trusted.frontend.reader import read_source

HEAD = """\
from synth.lang import *
import numpy as np


@mechanism(adjacent={"x": absolute_distance(1)}, epsilon="0")
def of_array(x: float):
"""
FIRST = "a = np.array([x, 1.0])"
INPUTS = (0.0, 1.0, -1.0, 3.0, -0.5, 7.0)


def body(line: str) -> str:
    return "".join(f"    {part}\n" for part in (FIRST, *line.split("; "), "return 1"))


def shown_differs(line: str) -> bool:
    """Whether what numpy shows for some inputs is not what it shows for others."""
    names: dict[str, object] = {}
    exec(f"import numpy as np\ndef of_array(x):\n{body(line)}", names)
    of_array = names["of_array"]
    assert callable(of_array)
    shown = set()
    for x in INPUTS:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            try:
                of_array(x)
            except ValueError as error:
                shown.add(str(error))
            else:
                shown.add(" ".join(sorted(str(item.message) for item in found)))
    return len(shown) > 1


def verdict(line: str) -> Proved | Unknown:
    (of,) = read_source(HEAD + body(line), "p.py")
    return prove(of, load_templates())


@pytest.mark.parametrize(
    "line",
    [
        "b = 1 / a",
        "b = len(1 / a)",
        "b = (1 / a)[1]",
        "b = np.array([1.0, 2.0]) / x",
        "b = a / a",
        "b = a / a.sum()",
        "t = np.sum(a); b = a / t",
        "b = np.log(a)",
        "b = np.sqrt(a)",
        "b = a ** -1",
        "b = a // a",
        "b = np.isfinite(1 / a)",
        "b = np.where(a > 0, np.log(a), 0.0)",
        "b = 1 / a[a < 5]",
        "a /= a",
        "a[1] /= x",
        "a[0] **= -1",
        "a[a < 5] **= -1",
        "a[:1] = 1 / a[:1]",
        "b = np.random.laplace(1 / a, 1.0)",
        "b = np.random.laplace(0, a)",
    ],
)
def test_what_numpy_warns_of_is_asked_of_entries_that_nobody_uses(line: str) -> None:
    assert shown_differs(line)
    assert isinstance(verdict(line), Unknown)


@pytest.mark.parametrize(
    "line",
    [
        "b = a * a + 1",
        "b = 1 / np.exp(a)",
        "b = 1 / (np.abs(a) + 1)",
        "b = np.log(np.maximum(a, 1))",
        "b = np.log(a[a > 0])",
        "b = np.array([]) / x",
        "w = np.exp(a); b = w / w.sum()",
        "w = np.exp(a); t = np.sum(w); b = w / t",
        "w = np.exp(a[a > 0]); b = w / w.sum()",
        "t = np.sum(a) + np.random.laplace(0, 1.0); b = a / t",
        "a[1] **= -1",
        "a[a > 0] **= -1",
        "a[1:] = 1 / a[1:]",
    ],
)
def test_nothing_is_asked_where_numpy_never_warns(line: str) -> None:
    assert not shown_differs(line)
    assert isinstance(verdict(line), Proved)
