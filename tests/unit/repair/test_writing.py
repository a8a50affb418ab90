"""Edits of a file's text, and patches that git applies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import sympy

from synth.app.repair.allocation import Allocation
from synth.app.repair.sites import Sketch, sketch
from synth.app.repair.writing import Unwritable, patch, rewritten
from synth.trusted.errors import ProgramError

HOLES = '''"""Ünïcode before."""
from synth.lang import laplace, mechanism


@mechanism(adjacent={"x": 1}, epsilon="eps")
def f(x: float, eps: float) -> float:
    """Text."""
    ä = "é" and laplace(x, ...)  # kept
    b = ...
    return laplace(ä, scale=b)
'''
eps = sympy.Symbol("eps", positive=True)
ratio = sympy.Symbol("ratio", positive=True)


def drawn(text: str) -> Sketch:
    """The sites of f."""
    return sketch(text, "f.py", "f")


def test_holes_are_found_in_calls_and_assignments() -> None:
    assert [(site.line, site.text, site.variance) for site in drawn(HOLES).sites] == [
        (8, None, 2),
        (9, None, 1),
    ]


def test_scales_are_found_where_there_are_no_holes() -> None:
    text = "def f(x, eps):\n    y = np.random.laplace(scale=1 / eps, size=3)\n    return gaussian(y, 2)\n"
    assert [(site.line, site.text) for site in drawn(text).sites] == [(2, "1 / eps"), (3, "2")]


def test_bodies_and_docstrings_are_no_holes() -> None:
    assert not drawn("def f(x):\n    ...\n    def g(): ...\n").sites


def test_other_holes_are_refused_with_their_place() -> None:
    with pytest.raises(ProgramError) as raised:
        drawn("def f(x):\n    return x + ...\n")
    assert (raised.value.line, raised.value.column) == (2, 16)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_only_scales_change_and_what_is_missing_is_imported(end: str) -> None:
    text = HOLES.replace("\n", end)
    found = Allocation({0: (1 + ratio) / eps, 1: 2 / eps}, ((ratio, sympy.exp(eps)),), True)
    new = rewritten(text, "f.py", "f", drawn(text).sites, found).text
    assert new == (
        HOLES.replace("mechanism\n\n", "mechanism\nfrom math import exp\n\n", 1)
        .replace('    ä = "é"', '    ratio = exp(eps)\n    ä = "é"')
        .replace("laplace(x, ...)", "laplace(x, (ratio + 1) / eps)")
        .replace("b = ...", "b = 2 / eps")
        .replace("\n", end)
    )


@pytest.mark.parametrize(
    "other",
    ["from numpy import exp", "def exp(x): return 1", "def g(exp): return exp", "import numpy as exp"],
)
def test_no_import_takes_a_name_that_the_file_uses(other: str) -> None:
    text = f"{HOLES}\n\n{other}\n"
    found = Allocation({0: (1 + ratio) / eps, 1: 2 / eps}, ((ratio, sympy.exp(eps)),), True)
    with pytest.raises(Unwritable):
        rewritten(text, "f.py", "f", drawn(text).sites, found)


@pytest.mark.parametrize(
    "text", [HOLES, HOLES.rstrip("\n"), HOLES.replace("\n", "\r\n"), HOLES.replace("kept", "\x0c")]
)
def test_git_applies_the_patch(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("f.py")
    path.write_bytes(text.encode())
    found = Allocation({0: 1 / eps, 1: 2 / eps}, (), True)
    new = rewritten(text, "f.py", "f", drawn(text).sites, found).text
    difference = patch(text, new, path)
    subprocess.run(["git", "apply", "-"], input=difference.encode(), check=True)
    assert path.read_bytes() == new.encode()
