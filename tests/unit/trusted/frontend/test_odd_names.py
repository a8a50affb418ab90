"""Names of programs that hidden variables begin with, too: a program means the same by whatever name."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from tests.support.typed_runs import Run, run_python
from tests.unit.trusted.frontend.test_other_files import mechanism as of_files

NAMES = ("array", "held", "vector", "unset", "kept", "number", "temp", "draw", "loop", "count", "outcome")

HEAD = "import numpy as np\nfrom synth.lang import *\n\n"
BEGIN = "@mechanism\ndef f(xs: list[float], q: float, n: int):\n    "

PROGRAMS = {
    "an array whose entries change": (
        "",
        "out = []\n    NAME = np.array(xs)\n    for i in range(len(xs)):\n        b = np.ones(2) * NAME[i]\n"
        "        NAME[i] = 0.0\n        out.append(float(b[0]))\n    return out",
    ),
    "an array of which no entry is set": (
        "",
        "out = []\n    NAME = np.empty(len(xs))\n    for i in range(len(xs)):\n        NAME[i] = xs[i]\n"
        "        b = np.full(2, NAME[i])\n        NAME[i] = 0.0\n        out.append(float(b[0]))\n"
        "    return out",
    ),
    "counts": (
        "",
        "NAME = [0.0] * n\n    for v in xs:\n        NAME[0] += v\n    b = np.array(NAME)\n    NAME.clear()\n"
        "    NAME.append(0.0)\n    return [float(b[0]), NAME[0]]",
    ),
    "a variable of a loop": (
        "",
        "out = []\n    for NAME in xs:\n        b = np.ones(2) * NAME\n        NAME = 0.0\n"
        "        out.append(float(b[0]))\n    return out",
    ),
    "a variable of a function of the name": (
        "def NAME(q):\n    y = q\n    b = np.ones(2) * y\n    y = 0.0\n    return float(b[0]) + y\n\n\n",
        "return [NAME(q)]",
    ),
    "a list of a function of the name": (
        "def NAME(xs):\n    made = [xs[0]]\n    b = np.array(made)\n    made.clear()\n    made.append(0.0)\n"
        "    return float(b[0]) + made[0]\n\n\n",
        "return [NAME(xs)]",
    ),
    "two lists that a function of the name fills": (
        "def NAME(xs, log):\n    made = []\n    for v in xs:\n        made.append(0.0)\n"
        "        log.append(v)\n    return made\n\n\n",
        "log = [q]\n    log.clear()\n    y = NAME(xs, log)\n    return log",
    ),
    "an attribute of a class of the name": (
        "class NAME:\n    def __init__(self, y):\n        self.y = y\n\n\n",
        "o = NAME(q)\n    b = np.ones(2) * o.y\n    o.y = 0.0\n    return [float(b[0])]",
    ),
}

IN_PARAMETERS = {
    "a number": "NAME: float, n: int):\n    b = np.ones(2) * NAME\n    NAME = 0.0\n    return [float(b[0])]",
}


def _flat(value: Any) -> list[float]:
    if isinstance(value, list | tuple):
        return [number for item in value for number in _flat(item)]
    return [float(value)]


def _assert_same(text: str, inputs: dict[str, Any]) -> None:
    (mechanism,) = read_source(text, "p.py")
    typed = {
        name: [Fraction(item) for item in value] if isinstance(value, list) else value
        for name, value in inputs.items()
    }
    assert _flat(Run(mechanism, typed, iter(())).output()) == _flat(run_python(text, "f", inputs, iter(())))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_means_the_same_by_any_name(program: str, name: str) -> None:
    before, body = PROGRAMS[program]
    text = HEAD + (before + BEGIN + body).replace("NAME", name) + "\n"
    _assert_same(text, {"xs": [1.5, -2.0, 3.0], "q": Fraction(5, 2), "n": 2})


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_means_the_same_by_any_name(name: str) -> None:
    text = f"{HEAD}@mechanism\ndef f({IN_PARAMETERS['a number']}\n".replace("NAME", name)
    _assert_same(text, {name: Fraction(5, 2), "n": 2})


@pytest.mark.parametrize("name", ["array", "held", "kept"])
def test_an_array_that_is_given_means_the_same_by_any_name(name: str) -> None:
    text = (
        f"{HEAD}@mechanism(adjacent={{'{name}': linf_distance(1)}}, requires='len({name}) >= 1')\n"
        f"def f({name}: np.ndarray, n: int):\n    b = {name} * 1.0\n"
        f"    if n > 1:\n        {name} = np.zeros(len({name}))\n    return float(b[0]) + float({name}[0])\n"
    )
    (mechanism,) = read_source(text, "p.py")
    for n, expected in ((1, 5), (2, 2.5)):
        assert Run(mechanism, {name: [Fraction(5, 2)], "n": n}, iter(())).output() == (expected,)


ENUM = "from enum import Enum\n\n\nclass E(Enum):\n    a = 1\n    b = 2\n\n\n"


def test_what_another_object_s_post_init_sets_may_be_missing() -> None:
    text = (
        "from dataclasses import dataclass\nfrom synth.lang import *\n\n"
        "class O:\n    def __init__(self):\n        self.k = 0\n\n"
        "    def put(self, a):\n        self.v = a\n\n"
        "@dataclass\nclass P:\n    o: O\n\n    def __post_init__(self):\n        self.o.v = 1.0\n\n"
        "@mechanism\ndef f(q: float):\n    o = O()\n    if q > 0:\n        p = P(o)\n    return o.v\n"
    )
    with pytest.raises(ProgramError, match="may be used before it is assigned"):
        read_source(text, "p.py")


def test_keys_of_two_enums_of_one_name_are_refused(tmp_path: Path) -> None:
    main = f"from other import keyed\nfrom synth.lang import *\n{ENUM}@mechanism\ndef f(q: float):\n"
    main += "    if q > 0:\n        return {E.a: 0}\n    return keyed()\n"
    with pytest.raises(ProgramError, match="two classes are called 'E'"):
        of_files(tmp_path, {"main.py": main, "other.py": f"{ENUM}def keyed():\n    return {{E.a: 0}}\n"})


def test_an_object_and_a_dict_of_two_classes_of_one_name_are_refused(tmp_path: Path) -> None:
    main = "from dataclasses import dataclass\nfrom other import keyed\nfrom synth.lang import *\n\n\n"
    main += "@dataclass\nclass D:\n    x: float\n\n\n@mechanism\ndef f(q: float):\n"
    main += "    if q > 0:\n        return D(0.0)\n    return keyed()\n"
    other = "from enum import Enum\n\n\nclass D(Enum):\n    x = 1\n\n\ndef keyed():\n    return {D.x: 0.0}\n"
    with pytest.raises(ProgramError, match="two classes are called 'D'"):
        of_files(tmp_path, {"main.py": main, "other.py": other})


@pytest.mark.parametrize("change", ["np.random.shuffle(b)", "np.random.default_rng().shuffle(b)", "b.sort()"])
def test_an_array_that_is_an_attribute_under_another_name_is_not_changed(change: str) -> None:
    text = (
        f"{HEAD}class E:\n    def __init__(self):\n        self.v = np.zeros(2)\n\n"
        "    def put(self, a):\n        self.v = a\n\n\n"
        "def fill(o, q):\n    a = np.array([v for v in (0.0, q)])\n    o.put(a)\n    return a\n\n\n"
        "@mechanism\ndef f(q: float):\n    o = E()\n    b = fill(o, q)\n"
        f"    {change}\n    return float(o.v[0])\n"
    )
    with pytest.raises(ProgramError, match="one array"):
        read_source(text, "p.py")
