"""Names that a file gives to types: annotations mean them, and nothing else does."""

from __future__ import annotations

import pytest

from synth.trusted.core.comparison import same_program
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program import syntax as ir

HEAD = "from typing import List, Sequence, Union\nimport numpy as np\nfrom synth.lang import *\n"
STATED = '@mechanism(adjacent={"h": change_one_distance(1)}, requires="eps > 0", epsilon="eps")\n'
BODY = "    return [v + np.random.laplace(0, 1 / eps) for v in h]\n"


def _read(alias: str, annotation: str, body: str = BODY) -> ir.Mechanism:
    (found,) = read_source(f"{HEAD}{alias}{STATED}def f(h: {annotation}, eps: float):\n{body}", "p.py")
    return found


@pytest.mark.parametrize(
    ("alias", "annotation", "meaning"),
    [
        ("Histogram = List[int]\n", "Histogram", "list[int]"),
        ("Histogram = list[float]\n", "Histogram", "list[float]"),
        ("Rows = List[Union[int, float]]\n", "Rows", "list[float]"),
        ("Rows = Sequence[int]\n", "Rows", "list[int]"),
        ("Histogram = List[int]\n", '"Histogram"', "list[int]"),
    ],
)
def test_an_annotation_means_the_type(alias: str, annotation: str, meaning: str) -> None:
    assert same_program(_read(alias, annotation), _read("", meaning))


@pytest.mark.parametrize(
    ("alias", "body"),
    [
        ("Histogram = List[int]\n", "    return len(Histogram)\n"),
        ("Histogram = List[int]\n", "    return Histogram\n"),
        ("Histogram = List[int]\nHistogram = List[float]\n", BODY),
        (
            "Histogram = List[int]\ndef late():\n    global Histogram\n    Histogram = 3\n",
            "    return Histogram\n",
        ),
    ],
    ids=["as a value", "returned", "bound twice", "bound by a function"],
)
def test_it_is_nothing_else(alias: str, body: str) -> None:
    with pytest.raises(ProgramError):
        _read(alias, "List[int]", body)


def test_types_that_name_one_another_are_refused() -> None:
    with pytest.raises(ProgramError):
        _read("A = List['B']\nB = List[A]\nC = List[D]\nD = List[C]\n", "C")
