"""What a run without an output raises is no output: that nobody sees it is an assumption of the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir
from synth.views.assumptions import assumptions

TELLING = {
    "private data": ("raise ValueError(f'too many for {x}')", True),
    "private data as they are": ("raise ValueError(x)", True),
    "noise": ("raise ValueError('at', y)", True),
    "by an assertion": ("assert i < 0, f'{x}'", True),
    "the exception itself": ("raise (ValueError if x > 0 else TypeError)('too large')", True),
    "the exception without arguments": ("raise ValueError if x > 0 else TypeError", True),
    "one of a list": ("raise [ValueError, TypeError][int(x > 0)]('too large')", True),
    "the cause": ("raise ValueError('too large') from KeyError(x)", True),
    "public data": ("raise ValueError(f'{n} is too large')", False),
    "a text": ("raise ValueError('too large')", False),
    "nothing": ("assert i < 0", False),
}


@pytest.mark.parametrize("name", TELLING)
def test_what_line_may_tell_more_than_public_data(name: str) -> None:
    line, listed = TELLING[name]
    (found,) = read_source(
        "from synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
        f"def f(x: float, n: int):\n    y = laplace(x, 1)\n    for i in range(n):\n        if i > 5:\n"
        f"            {line}\n    return y\n",
        "p.py",
    )
    assert ("that nobody sees what line 7 raises" in assumptions(found)) == listed


def test_of_a_precondition_nothing_is_listed() -> None:
    """Inputs that raise are excluded: that is listed already."""
    (found,) = read_source(
        "from synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
        "def f(x: float, n: int):\n    if n > 5:\n        raise ValueError(x)\n    return 0\n",
        "p.py",
    )
    assert "nobody sees" not in assumptions(found) and "line 5 raises" in assumptions(found)


def test_a_name_of_a_public_parameter_may_stand_for_something_else() -> None:
    (found,) = read_source(
        "from synth.lang import *\ndef refuse(n, i):\n    if i > 5:\n        raise ValueError(n)\n"
        "@mechanism(adjacent={'x': absolute_distance(1)})\n"
        "def f(x: float, n: int):\n    for i in range(n):\n        refuse(x, i)\n    return 0\n",
        "p.py",
    )
    assert "that nobody sees what line 4 raises" in assumptions(found)


def test_a_name_of_pythons_may_stand_for_something_else() -> None:
    (found,) = read_source(
        "from synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
        "def f(x: float, n: int):\n    def max():\n        return x\n    for i in range(n):\n"
        "        if i > 5:\n            raise ValueError(max())\n    return 0\n",
        "p.py",
    )
    assert "that nobody sees what line 8 raises" in assumptions(found)


@pytest.mark.parametrize(("given", "listed"), [("x", True), ("'too large'", False)])
def test_another_file_raises_in_the_line_of_the_call(given: str, listed: bool, tmp_path: Path) -> None:
    helper = "def refuse(x, i):\n    if i > 5:\n        raise ValueError(GIVEN)\n"
    (tmp_path / "helper.py").write_text(helper.replace("GIVEN", given))
    program = tmp_path / "p.py"
    program.write_text(
        "from helper import refuse\nfrom synth.lang import *\n"
        "@mechanism(adjacent={'x': absolute_distance(1)})\n"
        "def f(x: float, n: int):\n    for i in range(n):\n        refuse(x, i)\n    return 0\n"
    )
    (found,) = read_program(program).mechanisms
    assert ("that nobody sees what line 6 raises" in assumptions(found)) == listed


CHOSEN = {
    "one after the other": "if x > 0:\n    raise ValueError('a')\nraise TypeError('a')",
    "on two sides": "if x > 0:\n    raise ValueError('a')\nelse:\n    raise TypeError('a')",
    "in two lines": "if x > 0:\n    raise ValueError('a')\nraise ValueError('a')",
}


@pytest.mark.parametrize("name", CHOSEN)
def test_which_one_is_raised_is_published_where_private_data_decide(name: str) -> None:
    """Public data decide whether a run raises."""
    body = "".join(f"            {line}\n" for line in CHOSEN[name].split("\n"))
    (found,) = read_source(
        "from synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
        f"def f(x: float, n: int):\n    for i in range(n):\n        if i > 5:\n{body}    return 0\n",
        "p.py",
    )
    returned = {item.values for item in ir.statements(found.body) if isinstance(item, ir.Return)}
    assert len(returned) == 3, "each raise is an output"


ASKING = ("y = 1 // m", "y = [1, 2][m]", "y = sqrt(x)")


@pytest.mark.parametrize("line", ASKING)
def test_what_stands_before_a_raise_may_raise_something_else(line: str) -> None:
    (found,) = read_source(
        "from synth.lang import *\n"
        "@mechanism(adjacent={'x': absolute_distance(1), 'm': absolute_distance(1)})\n"
        "def f(x: float, m: int, n: int):\n    for i in range(n):\n        if i > 5:\n"
        f"            {line}\n            raise ValueError('a')\n    return 0\n",
        "p.py",
    )
    assert any(isinstance(item, ir.Obligation) for item in ir.statements(found.body))


@pytest.mark.parametrize(("metric", "listed"), [("", True), (", 'report': linf_distance(1)", False)])
def test_what_is_given_to_a_function_may_be_shown(metric: str, listed: bool) -> None:
    """A public function is somebody else's; a private one is a query of the data."""
    (found,) = read_source(
        "from collections.abc import Callable\nfrom synth.lang import *\n"
        f"@mechanism(adjacent={{'x': absolute_distance(1){metric}}})\n"
        "def f(x: int, report: Callable[[int], int]):\n    report(x)\n    return 0\n",
        "p.py",
    )
    assert ("that 'report' only computes, and shows nobody what it is given" in assumptions(found)) == listed
