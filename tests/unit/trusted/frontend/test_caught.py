"""``try`` around what raises nothing that it catches is read; where it may catch something it is refused."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source

HEAD = """\
import math
from synth.lang import *


def check(v):
    if v > 5:
        raise ValueError("too large")
    return v


class Refused(ValueError):
    pass


@mechanism(adjacent={"x": absolute_distance(1)})
def f(x: float, n: int, m: int):
"""
FREE = {
    "an operation that is shown to go well": (
        "try:\n    y = x / (1 + n * n)\nexcept ZeroDivisionError:\n    y = 0\nreturn laplace(y, 2)",
        "y = x / (1 + n * n)\nreturn laplace(y, 2)",
    ),
    "another exception": (
        "try:\n    y = check(n)\nexcept OverflowError as e:\n    y = 3\nreturn laplace(x + y, 2)",
        "y = check(n)\nreturn laplace(x + y, 2)",
    ),
    "several others": (
        "try:\n    y = check(n)\n"
        "except (KeyError, TypeError):\n    y = 3\nexcept OSError:\n    y = 4\nreturn y",
        "y = check(n)\nreturn y",
    ),
    "else and finally": (
        "try:\n    y = x\n"
        "except KeyError:\n    y = 2\nelse:\n    y = y + 1\nfinally:\n    y = y + n\nreturn y",
        "y = x\ny = y + 1\ny = y + n\nreturn y",
    ),
    "a return inside": (
        "try:\n    if n > 3:\n        return laplace(x, 1)\n"
        "except KeyError:\n    return 2\nelse:\n    n = n + 1\nreturn n",
        "if n > 3:\n    return laplace(x, 1)\nn = n + 1\nreturn n",
    ),
    "one in a loop": (
        "s = 0\nfor i in range(n):\n    try:\n        s += i\n"
        "    except ValueError:\n        break\nreturn s",
        "s = 0\nfor i in range(n):\n    s += i\nreturn s",
    ),
    "one in another": (
        "try:\n    try:\n        y = x\n    except KeyError:\n        y = 1\n"
        "except ValueError:\n    y = 2\nreturn y",
        "y = x\nreturn y",
    ),
    "what raises in else": (
        "try:\n    y = x\nexcept ValueError:\n    y = 1\nelse:\n    check(n)\nreturn y",
        "y = x\ncheck(n)\nreturn y",
    ),
}
CAUGHT = {
    "a raise": (
        "try:\n    if n > 5:\n        raise ValueError('a')\nexcept ValueError:\n    return x\nreturn 0"
    ),
    "in a function": "try:\n    check(n)\nexcept ValueError:\n    return x\nreturn 0",
    "by a class above": "try:\n    check(n)\nexcept Exception:\n    return x\nreturn 0",
    "by one of several": "try:\n    check(n)\nexcept (KeyError, ValueError):\n    return x\nreturn 0",
    "by all": "try:\n    check(n)\nexcept:\n    return x\nreturn 0",
    "by one outside": (
        "try:\n    try:\n        check(n)\n    except KeyError:\n        pass\n"
        "except ValueError:\n    return x\nreturn 0"
    ),
    "one of the file": (
        "try:\n    if n > 5:\n        raise Refused('a')\nexcept KeyError:\n    return x\nreturn 0"
    ),
    "by one of the file": "try:\n    check(n)\nexcept Refused:\n    return x\nreturn 0",
    "an assertion": "try:\n    assert n < 5\nexcept AssertionError:\n    return x\nreturn 0",
    "a raise before finally": "try:\n    check(n)\nfinally:\n    n = 3\nreturn n",
}
LEAVING = {
    "a return before finally": "try:\n    return 1\nfinally:\n    n = 3",
    "a break before finally": "while True:\n    try:\n        break\n    finally:\n        n = 3\nreturn n",
    "exceptions in groups": "try:\n    n = 2\nexcept* ValueError:\n    pass\nreturn n",
}


def text_of(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


def core_of(body: str) -> str:
    (found,) = read_source(text_of(body), "p.py")
    return write_core(found)


@pytest.mark.parametrize("name", FREE)
def test_it_is_what_stands_inside(name: str) -> None:
    tried, plain = FREE[name]
    assert core_of(tried) == core_of(plain)


@pytest.mark.parametrize("name", CAUGHT)
def test_what_may_be_caught_is_refused(name: str) -> None:
    with pytest.raises(ProgramError, match="may be caught"):
        core_of(CAUGHT[name])


@pytest.mark.parametrize("name", LEAVING)
def test_other_statements_are_refused(name: str) -> None:
    with pytest.raises(ProgramError, match="a try statement is not supported"):
        core_of(LEAVING[name])


def test_what_is_not_shown_to_go_well_is_an_obligation() -> None:
    """A handler for a division by zero changes nothing: that there is none must be shown."""
    tried = "try:\n    y = x / n\nexcept ZeroDivisionError:\n    y = 0\nreturn y"
    assert core_of(tried) == core_of("y = x / n\nreturn y") and "ensure" in core_of(tried)
