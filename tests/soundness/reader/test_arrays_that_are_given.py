"""What a mechanism writes into an array or list that it is given is seen by who calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import File, read_program, read_source
from synth.trusted.program.beside import specification_of

HEADER = """import numpy as np
import numpy.typing as npt
from numpy import copy
from synth.lang import *


def check(y):
    if y > 3:
        raise ValueError("too large")


class Checked:
    @property
    def p(self):
        check(laplace(0, 1))
        return 1

    def clip(self, v):
        return v


@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0 and len(out) >= 1", epsilon="0")
def f(x: float, out: npt.NDArray[np.float64], eps: float):
"""

LEAKING = {
    "an entry": "out[0] = x\nreturn 0",
    "all entries": "out[:] = x\nreturn 0",
    "a sum": "out += x\nreturn 0",
    "a method": "out.fill(x)\nreturn 0",
    "a loop": "for i in range(len(out)):\n    out[i] = x\nreturn 0",
    "an order": "out.sort()\nreturn 0",
    "a function": "np.random.default_rng().shuffle(out)\nreturn 0",
    "without a return": "out[0] = x",
    "behind the same array": "out = np.asarray(out)\nout[0] = x\nreturn 0",
    "behind a copy that isn't always made": "if eps > 1:\n    out = out.copy()\nout[0] = x\nreturn 0",
    "before a copy": "out[0] = x\nout = out.copy()\nreturn 0",
    "before a copy that is returned": "out[0] = x\nout = out + 1\nreturn 0, out.sum()",
    "returned on one side only": "out[0] = x\nif eps > 1:\n    return out\nreturn 0",
    "another array is returned": "out[0] = x\nout = np.zeros(len(out))\nreturn out",
    "a copy is returned that is changed": "out += x\nout = out.copy()\nout[:] = 0\nreturn out, 1",
    "a helper raises": "out[0] = x\ncheck(laplace(0, 1))\nout[0] = 0.0\nreturn out",
    "a property raises": "out[0] = x\nr = Checked().p\nout[0] = 0.0\nreturn out",
    "a helper raises later": "out[0] = x\nfor i in range(int(eps)):\n    check(i)\nout[0] = 0.0\nreturn out",
    "behind a function of its own": "def copy(v):\n    return v\nout = copy(out)\nout[0] = int(x)\nreturn 0",
    "behind a method of the user": "out = Checked().clip(out)\nout[0] = int(x)\nreturn 0",
    "in two places": "out[0] = laplace(0, 1)\nif x > 0:\n    return out, [1.0]\nreturn [1.0], out",
    "another one on one side": "out[0] = x\nif eps > 1:\n    out = out * 0\nreturn out",
}


def read(body: str) -> None:
    read_source(HEADER + "".join(f"    {line}\n" for line in body.split("\n")), "p.py")


@pytest.mark.parametrize("body", LEAKING.values(), ids=LEAKING)
def test_what_is_written_there_is_refused(body: str) -> None:
    with pytest.raises(ProgramError) as caught:
        read(body)
    assert caught.value.code is Refusal.ALIASING, caught.value.message


FINE = {
    "a copy": "out = out.copy()\nout[0] = x\nreturn 0",
    "a new array": "out = np.clip(out, 0, 1)\nout += x\nreturn 0",
    "computed": "out = out * 2\nout[0] = x\nreturn 0",
    "returned": "out += x\nreturn out",
    "returned with more": "out[0] = x\nreturn out, 1",
    "under another name": "new = out.copy()\nnew[0] = x\nreturn 0",
}


@pytest.mark.parametrize("body", FINE.values(), ids=FINE)
def test_a_new_array_and_what_is_returned_may_be_changed(body: str) -> None:
    read(body)


TWO = {
    "arrays": ("npt.NDArray[np.float64]", "y[0] = 0.0"),
    "lists": ("list[float]", "for i in range(len(y)):\n        y[i] = 0.0"),
}


@pytest.mark.parametrize("name", TWO)
def test_two_arguments_may_be_one_list(name: str) -> None:
    """What is written into one of them is read in the other, where one is given for both."""
    kind, change = TWO[name]
    text = (
        "import numpy as np\nimport numpy.typing as npt\nfrom synth.lang import *\n"
        "@mechanism(adjacent={'x': linf_distance(1)}, requires='len(x) > 0 and len(y) == len(x)')\n"
        f"def f(x: {kind}, y: KIND):\n    old = x[0]\n    {change}\n    return DIFFERENCEy\n"
    )
    with pytest.raises(ProgramError) as caught:
        read_source(text.replace("KIND", kind).replace("DIFFERENCE", "old - x[0], "), "p.py")
    assert "may be the same one" in caught.value.message


def test_a_list_that_a_run_may_not_give_back_is_not_changed() -> None:
    text = (
        "from synth.lang import *\ndef check(y):\n    if y > 3:\n        raise ValueError('too large')\n"
        "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float, out: list[float]):\n"
        "    for i in range(len(out)):\n        out[i] = xCHECK\n    for i in range(len(out)):\n"
        "        out[i] = 0.0\n    return out\n"
    )
    read_source(text.replace("CHECK", ""), "p.py")
    with pytest.raises(ProgramError, match="may raise"):
        read_source(text.replace("CHECK", "\n    check(laplace(0, 1))"), "p.py")


KEPT = """import random
class Kept:
    def __init__(self, log):
        self.log = log
    def add(self, v):
        self.log.append(v)
def put(log, v):
    log[0] = v
def same(log):
    return log
"""

WRITTEN = {
    "appended": "log.append(x)",
    "appended on one side": "if x > 0:\n    log.append(1)",
    "added": "log += [x]",
    "an entry": "log[0] = x",
    "an entry at an index": "log[x % 2] = x",
    "all entries": "for i in range(n):\n    log[i] = x",
    "taken out": "if x > 0:\n    log.pop()",
    "emptied": "if x > 0:\n    log.clear()",
    "sorted": "log.sort(reverse=True)",
    "shuffled": "random.shuffle(log)",
    "by another name": "other = log\nother.append(x)",
    "by a name that a function gives back": "other = same(log)\nother[0] = x",
    "in a helper": "put(log, x)",
    "in an object": "Kept(log).add(x)",
    "in an attribute": "kept = Kept(log)\nkept.log[0] = x",
}

READ = {
    "entries": "return log[x % 2] + len(log) + sum(log)",
    "a loop": "t = x\nfor v in log:\n    t += v\nreturn t",
    "a copy": "log = list(log)\nlog.append(x)\nreturn log",
    "a new list": "log = [v + x for v in log]\nreturn log",
    "an object": "kept = Kept(log)\nreturn kept.log[0] + x",
    "a draw": "return random.choice(log)",
    "beside a parameter that is added to": "n += log[0]\nreturn n",
}


def fixed(folder: Path, body: str, size: int) -> File:
    path = folder / "p.py"
    path.write_text(f"{KEPT}def f(x, n, log):\n    {body.replace(chr(10), chr(10) + '    ')}\n    return 0\n")
    given = {"types": {"x": "int", "n": "int"}, "fixed": {"log": str([*range(1, size + 1)])}}
    return read_program(path, {"f": specification_of({**given, "adjacent": {"x": "absolute_distance(1)"}})})


@pytest.mark.parametrize("size", [2, 17])
@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_written_into_a_list_that_a_parameter_is_fixed_to(
    tmp_path: Path, name: str, size: int
) -> None:
    (refused,) = fixed(tmp_path, WRITTEN[name], size).refused
    assert "sees what is written into 'log'" in refused.message


@pytest.mark.parametrize("name", READ)
def test_a_list_that_a_parameter_is_fixed_to_is_read(tmp_path: Path, name: str) -> None:
    assert fixed(tmp_path, READ[name], 2).mechanisms
