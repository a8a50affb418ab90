"""Noise that is shown before a run ends is an output, whether the run returns it or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.program import syntax as ir

HEAD = """from synth.lang import *
@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: float, n: int):
    z = bernoulli(0.5)
    y = laplace(x, 1 if z else 0.001)
"""

ENDS = {
    "an assertion about noise": "print(y)\nassert z\nreturn y",
    "a loop without an end": "print(y)\nwhile not z:\n    pass\nreturn y",
    "an end for some public inputs": "print(y)\nif z:\n    assert n > 5\nreturn y",
    "in the same loop, before": (
        "k = 0\nwhile k < 2:\n    k += 1\n    if k > 1:\n        assert n > 5 or z\n    print(y)\nreturn y"
    ),
}


def read(body: str) -> ir.Mechanism:
    (found,) = read_source(HEAD + "".join(f"    {line}\n" for line in body.split("\n")), "p.py")
    return found


@pytest.mark.parametrize("name", ENDS)
def test_a_run_may_show_it_and_not_return(name: str) -> None:
    with pytest.raises(ProgramError, match="printed"):
        read(ENDS[name])


RETURNS = {
    "the assertion comes first": "assert n > 5\nprint(y)\nreturn y",
    "a loop with an end": "print(y)\ns = 0\nfor i in range(n):\n    s += i\nreturn y, s",
}


@pytest.mark.parametrize("name", RETURNS)
def test_a_run_that_shows_it_returns_it(name: str) -> None:
    assert read(RETURNS[name]).output is not None


MIXED = {
    "two types in a branch": "w = 1 if z else 1.0\nprint(w)\nreturn w",
    "a truth value or a number": "w = z and 0\nprint(w)\nreturn w",
    "two types in a tuple": "w = (1, 2) if z else (True, 2)\nprint(w)\nreturn w",
    "an entry of two types": "print([1, 1.0][1 if x > 7 else 0])\nreturn 0",
    "two types that are one number": "print(f'{1 if x > 7 else True}')\nreturn 0",
    "the larger of two types": "w = max(uniform_int(0, 1), 1.0)\nprint(w)\nreturn w",
    "two types that are added up": "w = 0\nif z:\n    w += 0.0\nprint(w)\nreturn w",
}


@pytest.mark.parametrize("name", MIXED)
def test_equal_numbers_that_look_unlike_are_not_shown(name: str) -> None:
    with pytest.raises(ProgramError, match=r"either of two types|printed"):
        read(MIXED[name])


def test_an_assertion_at_the_place_of_a_print_stays(tmp_path: Path) -> None:
    """All that is read of another file stands where it is called."""
    helper = "def keep(y, w, n):\n    {}assert y < w and y < w + 1\n    return y\n"
    (tmp_path / "m.py").write_text(
        "from helper import keep\n" + HEAD + "    w = laplace(x, 0.001)\n    return keep(y, w, n)\n"
    )
    (tmp_path / "helper.py").write_text(helper.format(""))
    (found,) = read_program(tmp_path / "m.py").mechanisms
    assert any(isinstance(item, ir.Assume) for item in ir.statements(found.body))
    (tmp_path / "helper.py").write_text(helper.format("print(n)\n    "))
    assert not read_program(tmp_path / "m.py").mechanisms


LOGGERS = """import logging
from synth.lang import *
LOG = logging.getLogger("a")
OTHER = logging.getLogger("b")
class Kept:
    def __init__(self):
        self.kept = LOG
    def exchange(self):
        self.kept = OTHER
class One:
    pass
class Two:
    pass
class Called:
    def __init__(self, v):
        self.call(v)
    def call(self, v):
        self.kept = logging.getLogger(v.__class__.__name__)
def told(__name__):
    print(__name__)
def named(__name__):
    logging.getLogger(__name__).info("begun")
@mechanism(adjacent={"x": discrete_distance()})
def f(x: int):
"""

NAMED = {
    "a text with data": 'log = logging.getLogger(f"{x}")\nlog.warning("begun")\nreturn 0',
    "one of two texts": 'log = logging.getLogger("a" if x > 0 else "b")\nlog.warning("begun")\nreturn 0',
    "a text or what is none": "if x > 0:\n    logging.getLogger(0)\nreturn 0",
    "the type of a number": "v = x > 0\nlogging.getLogger(v.__class__.__name__).info('begun')\nreturn 0",
    "a logger by such a parameter": "named('a' if x > 0 else 'b')\nreturn 0",
    "an attribute that is exchanged by the same text": (
        "k = Called(One())\nif x > 0:\n    k.call(Two())\nk.kept.warning('begun')\nreturn 0"
    ),
    "an attribute that is exchanged": (
        "k = Kept()\nif x > 0:\n    k.exchange()\nk.kept.warning('begun')\nreturn 0"
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_name_of_a_logger_is_shown(name: str) -> None:
    with pytest.raises(ProgramError):
        read_source(LOGGERS + "".join(f"    {line}\n" for line in NAMED[name].split("\n")), "p.py")


def test_a_parameter_that_is_called_like_the_module_is_shown() -> None:
    (found,) = read_source(f"{LOGGERS}    told(x)\n    return 0\n", "p.py")
    assert found.shown


def test_a_logger_with_a_fixed_name_shows_nothing_private() -> None:
    lines = ("k = Kept()", "k.kept.warning('begun')", "logging.getLogger(__name__).info('k')", "return 0")
    body = "".join(f"    {line}\n" for line in lines)
    assert read_source(LOGGERS + body, "p.py")


SWAPPED = {
    "a number": ("y = uniform_int(0, 1)\nz = uniform_int(0, 1)", "y, z", "z, y"),
    "its complement": ("y = uniform_int(0, 1)\nz = 1 - y", "y, z", "z, y"),
    "a coin": ("y = bernoulli(0.5)\nz = not y", "y, z", "z, y"),
    "more values": ("y = uniform_int(0, 1)\nz = 1 - y", "0, y, z", "0, z, y"),
}


@pytest.mark.parametrize("name", SWAPPED)
def test_each_output_has_it_in_one_place(name: str) -> None:
    """Else the output doesn't say what is shown, and that becomes a part of it: the text may tell more."""
    drawn, one, other = SWAPPED[name]
    ends = f"print(y)\nif x > 0:\n    return {one}\nreturn "
    body = "".join(f"    {line}\n" for line in f"{drawn}\n{ends}".split("\n"))
    text = "from synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float):\n"
    (found,) = read_source(f"{text}{body[:-1]}{one}\n", "p.py")
    assert not found.shown
    (found,) = read_source(f"{text}{body[:-1]}{other}\n", "p.py")
    assert found.shown


BEFORE = {
    "private data": "print(x)\nraise ValueError('a')",
    "noise": "print(y)\nraise ValueError('a')",
    "before an assertion": "print(x)\nassert False",
    "as private data decide": "if x > 0:\n    print('positive')\nraise ValueError('a')",
    "on both sides": "if x > 0:\n    print(1)\n    raise ValueError('a')\nelse:\n    raise ValueError('a')",
}


@pytest.mark.parametrize("name", BEFORE)
@pytest.mark.parametrize("start", ["for i in range(n):\n    if i > 5:\n", "while True:\n    if n > 5:\n"])
def test_what_is_shown_before_a_raise_is_shown(name: str, start: str) -> None:
    """Public data decide that the run raises, and what it shows is seen: refused, or both are outputs."""
    shown = "".join(f"        {line}\n" for line in BEFORE[name].split("\n"))
    end = "    break\n" if "while" in start else ""
    try:
        found = read(f"{start}{shown}{end}return 0")
    except ProgramError as error:
        assert "printed" in error.message
        return
    assert found.shown and not any(isinstance(item, ir.Assume) for item in ir.statements(found.body))
