"""What a mechanism needs of its file: read alone it is the same mechanism, and nothing else changes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import slicing
from synth.trusted.frontend.reader import File, read_program, read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.line_numbers import numbers_of, runs_of
from tests import ROOT

FOLDERS = (
    "tests/completeness/programs",
    "tests/soundness/programs",
    "benchmarks/programs",
    "benchmarks/refuted",
)
LARGEST = FOLDERS[0]
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
HEAD = "from synth.lang import *"
F = '@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1)'


def _readable(path: Path) -> File | None:
    """The file, if all of its mechanisms can be read."""
    try:
        found = read_program(path)
    except ProgramError:
        return None
    return None if found.refused else found


@pytest.mark.parametrize(
    "folder",
    [pytest.param(item, marks=pytest.mark.slow) if item == LARGEST else item for item in FOLDERS],
)
def test_slices_of_all_programs(folder: str) -> None:
    """The same mechanism as in the whole file, at the same places; shifted, if the lines aren't told."""
    count = 0
    for file in filter(None, (_readable(path) for path in FILES if path.is_relative_to(ROOT / folder))):
        whole = read_source(file.text, file.path)
        assert [item.name for item in whole] == [item.name for item in file.mechanisms]
        for mechanism, other in zip(file.mechanisms, whole, strict=True):
            count += 1
            assert mechanism.lines and mechanism == replace(
                other, source=mechanism.source, lines=mechanism.lines
            )
            assert mechanism in read_source(mechanism.source, file.path, mechanism.lines)
            assert _lines(mechanism) == [file.text.split("\n")[number - 1] for number in mechanism.lines]
            (alone,) = (
                item for item in read_source(mechanism.source, "alone") if item.name == mechanism.name
            )
            assert mechanism.lines[alone.span.line - 1] == mechanism.span.line
            assert alone.span.column == mechanism.span.column
            assert (alone.epsilon, alone.delta, alone.requires) == (
                other.epsilon,
                other.delta,
                other.requires,
            )
    assert count > 20


def _lines(mechanism: ir.Mechanism) -> list[str]:
    assert mechanism.source.endswith("\n")
    return mechanism.source[:-1].split("\n")


def _read(tmp_path: Path, text: str | bytes, name: str = "f") -> ir.Mechanism:
    path = tmp_path / "p.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_program(path).mechanism(name)
    assert found is not None
    return found


SLICES: dict[str, tuple[str, list[int]]] = {
    "only what is used": (
        f"""
{HEAD}
A = 1
B = A + 1
C = 3
{F}
def f(x: int) -> int:
    return laplace(x, B)
{F}
def g(x: int) -> int:
    return laplace(x, C)
""",
        [2, 3, 4, 6, 7, 8],
    ),
    "helpers, and what they use": (
        f"""
{HEAD}
A = 1
def twice(n, by=A):
    return once(n) * by
def once(n):
    return n
def other(n):
    return n
{F}
def f(x: int) -> int:
    return laplace(x, twice(1))
""",
        [2, 3, 4, 5, 6, 7, 10, 11, 12],
    ),
    "constants that stand later": (
        f"""
{HEAD}
{F}
def f(x: int) -> int:
    return laplace(x, A)
B = 1
A = 1
""",
        [2, 3, 4, 5, 7],
    ),
    "names in the strings of the decorator": (
        f"""
{HEAD}
import math
import math as m
A = 1
B = 1
C = 1
D = 1
@mechanism(
    adjacent={{"x": absolute_distance("A")}},
    requires="n > B",
    epsilon="C * math.log(3)"
)
def f(x: int, n: int) -> int:
    return laplace(x, 1)
""",
        [2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15],
    ),
    "names in facts": (
        f"""
{HEAD}
A = 1
def max(a, b):
    return a
def min(a, b):
    return a
@mechanism(adjacent={{"q": linf_distance(1)}}, facts=["one(q(i)) <= two(q(i)) + A"])
def f(q: Callable[[int], int]) -> int:
    return laplace(q(0), 1)
""",
        [2, 3, 8, 9, 10],
    ),
    "two statements in a line": (
        f"""
{HEAD}
C = 1; A = C; B = 2
D = 1; E = 1
{F}
def f(x: int) -> int:
    return laplace(x, A); B = 3
""",
        [2, 3, 5, 6, 7],
    ),
    "statements that share a line of several": (
        f"""
{HEAD}
C = 1
A = (1
  ); B = (2 +
  C); E = 1
D = 1
{F}
def f(x: int) -> int:
    return laplace(x, A)
""",
        [2, 3, 4, 5, 6, 8, 9, 10],
    ),
    "lines that go on": (
        f"""
{HEAD}
A = \\
  1 \\

B = 1
C = 1
@\\
mechanism(
  adjacent={{"x": absolute_distance(1)}}
)\\

def f(x: int) -> int: \\
    return laplace(x, \\
      A)
""",
        list(range(2, 16)),
    ),
    "imports": (
        """
from __future__ import annotations
from typing import Sequence, Callable
from typing import Optional
from collections.abc import *
from synth.lang import (
    mechanism,  # a decorator
    linf_distance,
)
from synth.lang import laplace
from math import exp, log
from synth.lang import laplace as noise
import synth.lang
import synth.lang as lang
@mechanism(adjacent={"q": linf_distance(1)})
def f(q: Sequence[int]) -> int:
    return noise(q[0], 1) if len(q) > 0 else lang.laplace(0, 1)
""",
        [2, 3, 5, 6, 7, 8, 9, 12, 14, 15, 16, 17],
    ),
    "imports twice": (
        f"""
{HEAD}
from synth.lang import laplace
from math import *
from math import exp
{F}
def f(x: int) -> int:
    return laplace(x, 1)
""".replace(
            "from synth.lang import *\nfrom synth.lang import laplace\nfrom math import *",
            "from math import *\nfrom synth.lang import *\nfrom synth.lang import laplace",
        ),
        [2, 3, 4, 6, 7, 8],
    ),
    "a mechanism that calls another one": (
        f"""
{HEAD}
{F}
def g(x: int) -> int:
    return laplace(x, 1)
{F}
def f(x: int) -> int:
    y = g(x)
    return y
{F}
def h(x: int) -> int:
    return laplace(x, 1)
""",
        [2, 3, 4, 5, 6, 7, 8, 9],
    ),
    "what is said of the program": (
        f'''
"""A file with f, and A."""
__author__ = "f"
{HEAD}
pass
A = 1
{F}
def f(x: int) -> int:
    """
# A, and g, without
@mechanism
def A(): ...
"""
    "A"
    # A
    assert 1 > 0, "A is g"

    return laplace(x, 1)
# A
{F}
def g(x: int) -> int:
    """Like f."""
    return laplace(x, 1)
if __name__ == "__main__":
    f(A)
''',
        [4, *range(7, 19)],
    ),
    "names that hide Python's": (
        f"""
{HEAD}
def max(a, b):
    return a
def min(a, b):
    return b
{F}
def f(x: int) -> int:
    return laplace(x, max(1, 2))
""",
        [2, 3, 4, 7, 8, 9],
    ),
    "letters with two forms": (
        f"""
{HEAD}
\ufb01 = 1
ﬃ = 2
{F.removesuffix("epsilon=1)")}epsilon="\ufb01", delta="fi/2")
def f(x: int) -> int:
    return laplace(x, 1)
""",
        [2, 3, 5, 6, 7],
    ),
    "names of messages, lambdas and defaults": (
        f"""
{HEAD}
A = 1
B = 1
C = 1
D = 1
{F}
def f(x: int) -> int:
    assert A > 0, f"{{B}} is not it"
    return exponential_mechanism(2, lambda i: x if i == C else 0, 1, 1)
""",
        [2, 3, 4, 5, 7, 8, 9, 10],
    ),
    "a local name that is a constant's, too": (
        f"""
{HEAD}
A = 1
B = 1
{F}
def f(x: int) -> int:
    A = laplace(x, 1)
    return A
""",
        [2, 3, 5, 6, 7, 8],
    ),
    "form feeds, tabs and odd letters": (
        f"""\ufeff# -*- coding: utf-8 -*-
{HEAD}
\f
A = 1 # \x0b \u2028 \x1c
\fB = 1
\f
{F}
def f(x: int) -> int:
\t\f# \u2029
\treturn laplace(x, B)
""",
        [2, 5, 7, 8, 9, 10],
    ),
}


@pytest.mark.parametrize("name", SLICES)
def test_the_lines_of_a_slice(tmp_path: Path, name: str) -> None:
    text, expected = SLICES[name]
    found = _read(tmp_path, text)
    assert list(found.lines) == expected
    assert [_lines(found)[0], _lines(found)[-1]] == [
        text.split("\n")[n - 1] for n in (expected[0], expected[-1])
    ]


@pytest.mark.parametrize("name", SLICES)
def test_what_a_mechanism_does_not_need_leaves_its_slice_alone(tmp_path: Path, name: str) -> None:
    """Lines above and below, between the statements, and another mechanism."""
    text, _ = SLICES[name]
    plain = _read(tmp_path, text)
    head, guard, rest = text.partition("if __name__")
    more = f"{head}\n# more\n{F}\ndef more(x: int) -> int:\n    return laplace(x, 1)\n{guard}{rest}"
    if "import laplace\n" not in text and "import (" not in text:
        assert _read(tmp_path, more).source == plain.source
    first, _, others = text.removeprefix("\ufeff").partition("\n")
    above = _read(tmp_path, f"{first}\n# above\n\n\n{others}")
    assert above.source == plain.source
    assert above.lines == tuple(number + 3 for number in plain.lines)
    assert above.span.line == plain.span.line + 3


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_line_ends(tmp_path: Path, ends: str) -> None:
    text, expected = SLICES["helpers, and what they use"]
    found = _read(tmp_path, b"\xef\xbb\xbf" + text.replace("\n", ends).encode())
    assert list(found.lines) == expected and "\r" not in found.source


def test_a_slice_begins_with_no_declaration_of_an_encoding(tmp_path: Path) -> None:
    """In the first two lines a comment may be one; here it is in the first two of the slice only."""
    text = (
        f'"""Nothing."""\n\n{HEAD}\n{F}  # coding: latin-1\ndef f(x: int) -> int:\n    return laplace(x, 1)\n'
    )
    found = _read(tmp_path, text)
    assert found.lines == (3, 4, 5, 6)


@pytest.mark.parametrize(
    ("several", "needed", "sampler"),
    [
        ("import numpy as np, pandas as pd, json", "import numpy as np", "np.random.laplace"),
        ("import os, numpy.random, pandas", "import numpy.random", "numpy.random.laplace"),
        (
            "from numpy.random import (\n    laplace,\n    weird,\n)",
            "from numpy.random import laplace",
            "laplace",
        ),
        ("import numpy as np; import sys", "import numpy as np", "np.random.laplace"),
        ("import json, numpy as np; import sys, numpy", "import numpy as np", "np.random.laplace"),
    ],
)
def test_an_import_of_several_names_brings_what_is_needed(
    tmp_path: Path, several: str, needed: str, sampler: str
) -> None:
    text = f"{several}\nfrom synth.lang import mechanism, absolute_distance\n{F}\n"
    found = _read(tmp_path, f"{text}def f(x: int) -> float:\n    return {sampler}(x, 1)\n")
    assert found.source.startswith(f"{needed}\nfrom synth.lang ")
    assert found.lines[0] == found.unread[0] == 1
    assert replace(found, unread=()) in read_source(found.source, found.path, found.lines)


@pytest.mark.parametrize("imports", ["import sys", "import numpy, sys", "import numpy; import sys"])
@pytest.mark.parametrize("mention", ["sys = 1", "what = 'sys'"])
def test_an_import_that_is_not_read_is_not_needed(tmp_path: Path, imports: str, mention: str) -> None:
    """What else has its name, or is a text, only looks like it."""
    text = f"{imports}\n{HEAD}\n{F}\ndef f(x: int) -> float:\n    {mention}\n    return laplace(x, 1)\n"
    found = _read(tmp_path, text)
    assert "import sys" not in found.source and found.lines and found.unread == (1,)
    assert replace(found, unread=()) in read_source(found.source, found.path, found.lines)


@pytest.mark.parametrize("lost", ["all names", "constants", "another one"])
def test_a_slice_that_is_read_otherwise_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """What makes slices need not be believed: then the source is the whole file."""
    text = f"{HEAD}\nlen = 1\n{F}\ndef f(x: int) -> int:\n    return laplace(x, len)\n"
    text += f"{F}\ndef g(x: int) -> int:\n    return laplace(x, 2)\n"
    made, names = slicing.Slicer.slice, slicing._mentioned
    if lost == "another one":
        monkeypatch.setattr(slicing.Slicer, "slice", lambda self, _, texts, narrow: made(self, "g", texts))
    else:
        gone = {"len"} if lost == "constants" else {"len", "mechanism", "laplace"}
        monkeypatch.setattr(slicing, "_mentioned", lambda node: names(node) - gone)
    found = _read(tmp_path, text)
    assert (found.source, found.lines) == (text, ())


def test_a_slice_with_another_meaning_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it could be read, without the function that takes the place of Python's."""
    body = f"{F}\ndef f(x: int) -> int:\n    return laplace(x, max(1, 2))\n"
    text = f"{HEAD}\ndef max(a, b):\n    return 7\n{body}"
    names = slicing._mentioned
    monkeypatch.setattr(slicing, "_mentioned", lambda node: names(node) - {"max"})
    found = _read(tmp_path, text)
    assert (found.source, found.lines) == (text, ())


@pytest.mark.parametrize(
    "more",
    [
        "def laplace(c, s):\n    return c\n",
        "A = 2\n",
        "from math import exp as laplace\n",
        "def other():\n    global A\n    A = 2\n",
        "f.__globals__['A'] = 2\n",
        "for A in range(3):\n    pass\n",
        'if __name__ == "__main__":\n    A = 3\n',
        "def f(x: int) -> int:\n    return x\n",
        "class A: pass\n",
        "def other(x=exec('A = 2')):\n    return x\n",
    ],
)
def test_the_whole_file_is_read(tmp_path: Path, more: str) -> None:
    """What the mechanism doesn't mention is no part of its slice, but may change what its names stand for."""
    text = f"{HEAD}\nA = 1\n{F}\ndef f(x: int) -> int:\n    return laplace(x, A)\n"
    assert _read(tmp_path, text).lines == (1, 2, 3, 4, 5)
    (tmp_path / "p.py").write_text(text + more)
    file = read_program(tmp_path / "p.py")
    assert not file.mechanisms and {error.function for error in file.refused} == {"f"}


def test_errors_are_at_their_places_in_the_file() -> None:
    text = f"{HEAD}\n{F}\ndef f(x: int) -> int:\n    return laplace(x, A)\n"
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py", (3, 7, 8, 12))
    assert (caught.value.line, caught.value.column) == (12, 23)
    for broken, line in ((f"{HEAD}\nx = (\n", 7), (f"{HEAD}\nx = 1 +\n", 7), (f"{HEAD}\nx = '''\n", 7)):
        with pytest.raises(ProgramError) as caught:
            read_source(broken, "p.py", (3, 7))
        assert caught.value.line == line


def test_runs_of_lines() -> None:
    numbers = (1, 4, 5, 6, 9)
    assert runs_of(numbers) == [[1, 1], [4, 6], [9, 9]]
    assert numbers_of(runs_of(numbers), "a\nb\nc\nd\ne\n") == numbers
    assert numbers_of(runs_of(numbers), "a\nb\nc\nd\ne") == numbers
    for wrong in (
        [],
        [[1, 5], [5, 5]],
        [[1, 4]],
        [[1, 6]],
        [[1, 10**12]],
        [[1, 1, 1]] * 5,
        [[5, 1]],
        [[True, 5]],
    ):
        with pytest.raises(ValueError, match="for a text of 5 lines"):
            numbers_of(wrong, "a\nb\nc\nd\ne")


def test_the_decorator_of_a_class_belongs_to_the_class(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    rest = "import elsewhere\n\n\n@elsewhere.known\nclass Other:\n    pass\n"
    path.write_text(f"{HEAD}\n\n\n{F}\ndef f(x: int) -> int:\n    return laplace(x, 1)\n\n\n{rest}")
    (mechanism,) = read_program(path).mechanisms
    assert mechanism.source.split("\n")[1:-1] == [F, "def f(x: int) -> int:", "    return laplace(x, 1)"]


@pytest.mark.parametrize("path", ["above_threshold.py", "noninterference.py", "gaussian.py"])
def test_one_mechanism_of_a_file_is_read_as_among_the_others(path: str) -> None:
    file = ROOT / "benchmarks/programs" / path
    for mechanism in read_program(file).mechanisms:
        assert read_program(file, only=mechanism.name).mechanisms == (mechanism,)


def test_the_other_mechanisms_are_not_read_where_there_is_one_of_that_name(tmp_path: Path) -> None:
    path = tmp_path / "p.py"
    one, other = (f"{F}\ndef {name}(x: float):\n    return " for name in "fg")
    path.write_text(f"{HEAD}\n{one}laplace(x, 1)\n{other}wrong(x)\n")
    only_f, only_g, only_h = (read_program(path, only=name) for name in "fgh")
    assert [item.name for item in only_f.mechanisms] == ["f"] and not only_f.refused
    assert not only_g.mechanisms and [item.function for item in only_g.refused] == ["g"]
    assert only_h == read_program(path)
