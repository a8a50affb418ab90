"""``try`` around what raises nothing that it catches is read; where it may catch something it is refused."""

from __future__ import annotations

import pytest

from synth.trusted.core.writer import write_core
from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source

HEAD = """\
import logging, math, warnings
from synth.lang import *


def check(v):
    if v > 5:
        raise ValueError("too large")
    return v


class Refused(ValueError):
    pass


class Kept:
    def __init__(self):
        self.k = 1


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
    "a raise in else before finally": (
        "try:\n    pass\nexcept KeyError:\n    pass\nelse:\n    check(n)\nfinally:\n    return x"
    ),
}
UNREAD = {
    "what is printed": "try:\n    print('%d %d' % (n,))\nexcept TypeError:\n    return x\nreturn 0",
    "what is logged": "try:\n    logging.info('%d %d' % (n,))\nexcept TypeError:\n    return x\nreturn 0",
    "a warning that a filter raises": (
        "try:\n    warnings.warn('a')\nexcept UserWarning:\n    return x\nreturn 0"
    ),
    "a logger's name": "try:\n    g = logging.getLogger(missing)\nexcept NameError:\n    return x\nreturn 0",
    "a message": (
        "try:\n    if n > 5:\n        raise ValueError(missing)\nexcept NameError:\n    return x\nreturn 0"
    ),
    "a format of a message": (
        "try:\n    if n > 5:\n        raise KeyError(f'{n:Q}')\nexcept ValueError:\n    return x\nreturn 0"
    ),
    "another argument": (
        "try:\n    if n > 5:\n        raise KeyError('a', b=1)\nexcept TypeError:\n    return x\nreturn 0"
    ),
    "a cause": (
        "try:\n    if n > 5:\n        raise KeyError('a') from missing\n"
        "except NameError:\n    return x\nreturn 0"
    ),
    "an assertion's message": (
        "try:\n    assert n < 5, f'{n:Q}'\nexcept ValueError:\n    return x\nreturn 0"
    ),
    "an annotation": (
        "try:\n    def g(y: missing):\n        return y\nexcept NameError:\n    return x\nreturn 0"
    ),
    "what a function gives": (
        "try:\n    def g(y) -> missing:\n        return y\nexcept NameError:\n    return x\nreturn 0"
    ),
    "an attribute's annotation": (
        "o = Kept()\ntry:\n    o.k: missing = 3\nexcept NameError:\n    return x\nreturn 0"
    ),
}
LEAVING = {
    "a return before finally": "try:\n    return 1\nfinally:\n    n = 3",
    "a break before finally": "while True:\n    try:\n        break\n    finally:\n        n = 3\nreturn n",
    "a return in else before finally": (
        "out = [laplace(x, 1)]\ntry:\n    n = 1\nexcept KeyError:\n    n = 2\n"
        "else:\n    return out\nfinally:\n    out.append(x)\nreturn out"
    ),
    "a break in else before finally": (
        "y = laplace(x, 1)\nfor i in range(n):\n"
        "    try:\n        m = 1\n    except KeyError:\n        m = 2\n"
        "    else:\n        break\n    finally:\n        y = x\nreturn y"
    ),
    "a handler that makes the function a generator": (
        "try:\n    n = 1\nexcept KeyError:\n    yield x\nreturn laplace(x, 1)"
    ),
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


@pytest.mark.parametrize("name", UNREAD)
def test_what_python_evaluates_and_is_not_read_may_be_caught(name: str) -> None:
    with pytest.raises(ProgramError, match="isn't read, and may raise what a try statement catches"):
        core_of(UNREAD[name])


def test_an_exception_that_needs_other_arguments_raises_another_one() -> None:
    raising = "if n > 5:\n        raise UnicodeDecodeError('a')"
    tried = f"try:\n    {raising}\nexcept TypeError:\n    return x\nreturn 0"
    with pytest.raises(ProgramError, match="may be caught"):
        core_of(tried)


@pytest.mark.parametrize("name", LEAVING)
def test_other_statements_are_refused(name: str) -> None:
    with pytest.raises(ProgramError, match=r"a try statement is not supported|a generator with 'try'"):
        core_of(LEAVING[name])


def test_what_is_not_shown_to_go_well_is_an_obligation() -> None:
    """A handler for a division by zero changes nothing: that there is none must be shown."""
    tried = "try:\n    y = x / n\nexcept ZeroDivisionError:\n    y = 0\nreturn y"
    assert core_of(tried) == core_of("y = x / n\nreturn y") and "ensure" in core_of(tried)


CHANGED_IN_A_TRY = {
    "a Counter": (
        "try:\n    d = Counter()\nexcept ValueError:\n    T = 1\nfor v in x:\n    d[v] += 1\nz = d[t]"
    ),
    "counts": (
        "d = [0] * t\nfor v in x:\n    try:\n        d[v % t] += 1\n    except ValueError:\n        T = 1\n"
        "z = d[0]"
    ),
    "a dict that counts": (
        "d = {}\nfor v in x:\n    try:\n        d[v % 3] = d.get(v % 3, 0) + 1\n"
        "    except ValueError:\n        T = 1\nz = d.get(0, 0)"
    ),
    "a loop that is left": (
        "z = len(x)\nfor i in range(3):\n    if i == t:\n        try:\n            return 0\n"
        "        except ValueError:\n            T = 1"
    ),
}
COUNTING = "from collections import Counter, defaultdict\nfrom synth.lang import *\n\nT = 5\n\n\n"


@pytest.mark.parametrize("body", CHANGED_IN_A_TRY.values(), ids=CHANGED_IN_A_TRY)
def test_what_handlers_bind_stays_local_where_a_loop_or_a_dict_is_read_as_another(body: str) -> None:
    lines = (*body.splitlines(), "if z > 3:", "    z = T", "return 0")
    text = f"{COUNTING}@mechanism(requires='t >= 1')\ndef f(x: list[int], t: int):\n"
    with pytest.raises(ProgramError):
        read_source(text + "".join(f"    {line}\n" for line in lines), "p.py")


def test_what_a_try_catches_stays_caught_where_a_dict_is_read_as_a_list() -> None:
    text = (
        f"{COUNTING}def g(u):\n    if u > 0:\n        raise ValueError\n    return 1.0\n\n\n"
        "@mechanism\ndef f(x: list[int], t: int):\n    d = defaultdict(float)\n"
        "    try:\n        d[1] += g(t)\n    except ValueError:\n        return len(x)\n    return 0 * d[t]\n"
    )
    with pytest.raises(ProgramError, match="may be caught"):
        read_source(text, "p.py")
