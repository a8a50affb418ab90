"""A seed that a function sets only where a caller gives one is no seed of a run in which none is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import Refusal
from synth.trusted.frontend.reader import read_program

HEAD = """\
import random
from abc import ABC
from dataclasses import dataclass

import numpy as np
from synth.lang import absolute_distance, mechanism

rng = np.random.default_rng()


def noise(scale, seed=None):
    if seed is not None:
        np.random.seed(seed)
    return np.random.laplace(0, scale)


"""
DECORATOR = '@mechanism(adjacent={"x": absolute_distance(1)}, requires="eps > 0", epsilon="eps")\n'
PLAIN = f"{DECORATOR}def f(x: int, eps: float):\n    return x + noise(1 / eps)\n"


def refusals(tmp_path: Path, text: str, **others: str) -> list[Refusal]:
    """Why the mechanism isn't read; nothing if it is."""
    for name, other in others.items():
        (tmp_path / f"{name}.py").write_text(other)
    path = tmp_path / "p.py"
    path.write_text(text)
    file = read_program(path)
    assert bool(file.mechanisms) != bool(file.refused)
    return [error.code for error in file.refused]


READ = {
    "none is given": PLAIN,
    "a method": (
        "class Noisy(ABC):\n    def __init__(self, scale, *, seed=None):\n        self.scale = scale\n"
        "        if seed is not None:\n            np.random.seed(seed)\n            random.seed(seed)\n\n\n"
        f"{DECORATOR}def f(x: int, eps: float):\n    return x + np.random.laplace(0, Noisy(1 / eps).scale)\n"
    ),
    "beside a script": f"{PLAIN}\n\nif __name__ == '__main__':\n    print(noise(1.0, seed=1))\n",
    "beside what the file makes of libraries": f"LIMITS = np.array([1.0, 2.0])\n\n\n{PLAIN}",
    "beside classes": f"@dataclass(frozen=True)\nclass Given:\n    eps: float = 1.0\n\n\n{PLAIN}",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ.keys())
def test_a_seed_that_nobody_gives_is_none(text: str, tmp_path: Path) -> None:
    assert refusals(tmp_path, HEAD + text) == []


@pytest.mark.parametrize("given", ["noise(1 / eps, 7)", "noise(1 / eps, seed=7)", "noise(1 / eps, x)"])
def test_a_seed_that_the_mechanism_gives_is_refused(given: str, tmp_path: Path) -> None:
    text = f"{HEAD}{DECORATOR}def f(x: int, eps: float):\n    return x + {given}\n"
    assert Refusal.KNOWN_SEED in refusals(tmp_path, text)


def test_a_seed_that_a_parameter_may_be_is_refused(tmp_path: Path) -> None:
    text = f"{HEAD}{DECORATOR}def f(x: int, eps: float, s: int):\n    return x + noise(1 / eps, s)\n"
    assert Refusal.KNOWN_SEED in refusals(tmp_path, text)


SEEDED_BY_THE_FILE = {
    "a call": f"START = noise(1.0, seed=0)\n\n\n{PLAIN}",
    "a call that is no assignment": f"noise(1.0, 0)\n\n\n{PLAIN}",
    "by another name": f"begin = noise\nSTART = begin(1.0, 0)\n\n\n{PLAIN}",
    "what calls it": f"START = sorted([1, 0], key=lambda s: noise(1.0, s))\n\n\n{PLAIN}",
    "what is given it": f"START = list(map(noise, [1.0], [0]))\n\n\n{PLAIN}",
    "by text": f"START = globals()['noi' + 'se'](1.0, 0)\n\n\n{PLAIN}",
    "a default": f"def g(start=noise(1.0, 0)):\n    return start\n\n\n{PLAIN}",
    "a decorator": f"def w(g):\n    noise(1.0, 0)\n    return g\n\n\n@w\ndef g():\n    return 1\n\n\n{PLAIN}",
    "a decorator that is called": (
        "def w(s):\n    noise(1.0, s)\n    return dataclass\n\n\n"
        f"@w(0)\nclass G:\n    a: int = 1\n\n\n{PLAIN}"
    ),
    "a class that is derived": (
        "class A:\n    def __init_subclass__(cls):\n        noise(1.0, 0)\n\n\n"
        f"class B(A):\n    pass\n\n\n{PLAIN}"
    ),
    "a class of a class": (
        "class M(type):\n    def __new__(cls, *a):\n        noise(1.0, 0)\n        return type(*a)\n\n\n"
        f"class B(metaclass=M):\n    pass\n\n\n{PLAIN}"
    ),
    "members of an Enum": (
        "from enum import Enum\n\n\nclass B(Enum):\n    ONE = 0\n\n    def __init__(self, s):\n"
        f"        noise(1.0, s)\n\n\n{PLAIN}"
    ),
    "a class body": f"class B:\n    start = noise(1.0, 0)\n\n\n{PLAIN}",
    "a block": f"class B:\n    __enter__ = __exit__ = noise\n\n\nwith B():\n    pass\n\n\n{PLAIN}",
    "a constant in a seed's place": PLAIN.replace("noise(", "other(")
    + "\n\ndef other(scale, seed=None):\n    if seed is not None:\n        np.random.seed(0)\n"
    "    return np.random.laplace(0, scale)\n",
    "another condition": PLAIN.replace("noise(", "other(")
    + "\n\ndef other(scale, seed=None):\n    if seed is None:\n        np.random.seed(seed)\n"
    "    return np.random.laplace(0, scale)\n",
    "no parameter": PLAIN.replace("noise(", "other(")
    + "\n\ndef other(scale):\n    seed = 7\n    if seed is not None:\n        np.random.seed(seed)\n"
    "    return np.random.laplace(0, scale)\n",
}


@pytest.mark.parametrize("text", SEEDED_BY_THE_FILE.values(), ids=SEEDED_BY_THE_FILE.keys())
def test_what_the_file_may_seed_is_refused(text: str, tmp_path: Path) -> None:
    assert refusals(tmp_path, HEAD + text)


def test_what_another_file_may_seed_is_refused(tmp_path: Path) -> None:
    other = "import p\n\nSTART = p.noise(1.0, 0)\n"
    assert refusals(tmp_path, f"import other\n\n{HEAD}{PLAIN}", other=other)


def test_what_another_file_seeds_where_one_is_given_is_refused(tmp_path: Path) -> None:
    other = (
        "import numpy as np\n\n\n"
        "def start(seed=None):\n    if seed is not None:\n        np.random.seed(seed)\n"
    )
    assert refusals(tmp_path, f"from other import start\n\n{HEAD}{PLAIN}", other=other)


GIVEN_BY_THE_FILE = {
    "a default": ("seed=7", ""),
    "a default of a name": ("*, seed=7", ""),
    "in the place of None": ("seed=None", "    if seed is None:\n        seed = 7\n"),
    "another one": ("seed=None", "    seed = 7\n"),
    "one of a loop": ("seed=None", "    for seed in [7]:\n        pass\n"),
}


@pytest.mark.parametrize(("given", "before"), GIVEN_BY_THE_FILE.values(), ids=GIVEN_BY_THE_FILE.keys())
def test_a_seed_that_the_file_puts_there_is_refused(given: str, before: str, tmp_path: Path) -> None:
    begin = f"def begin({given}):\n{before}    if seed is not None:\n        np.random.seed(seed)\n\n\n"
    assert Refusal.KNOWN_SEED in refusals(tmp_path, HEAD + begin + PLAIN)


@pytest.mark.parametrize("given", ["1.0, 7", "1.0, seed=7", "1.0, SEED"])
def test_a_seed_that_another_function_hands_over_is_refused(given: str, tmp_path: Path) -> None:
    text = f"{HEAD}SEED = 7\n\n\n{PLAIN}\n\ndef experiment():\n    noise({given})\n    return f(1, 1.0)\n"
    assert Refusal.KNOWN_SEED in refusals(tmp_path, text)


BEGIN = "def begin(seed=None):\n    if seed is not None:\n        np.random.seed(seed)\n\n\n"
HANDED_ON = {
    "through a function": f"{BEGIN}def again(seed):\n    begin(seed)\n\n\ndef run():\n    again(7)\n\n\n",
    "under another name": f"{BEGIN}def run():\n    start = begin\n    start(7)\n\n\n",
    "in a list of arguments": f"{BEGIN}def run():\n    begin(*[7])\n\n\n",
    "in a dict of arguments": f"{BEGIN}def run():\n    begin(**{{'seed': 7}})\n\n\n",
    "computed": f"{BEGIN}def run():\n    begin(3 + 4)\n\n\n",
    "by a static method": (
        "class C:\n    @staticmethod\n    def begin(seed=None):\n        if seed is not None:\n"
        "            np.random.seed(seed)\n\n\ndef run():\n    C.begin(7)\n\n\n"
    ),
    "by a method": (
        "class C:\n    def begin(self, seed=None):\n        if seed is not None:\n"
        "            np.random.seed(seed)\n\n\ndef run():\n    C.begin(C(), 7)\n\n\n"
    ),
    "by a class": (
        "class C:\n    def __init__(self, seed=None):\n        if seed is not None:\n"
        "            np.random.seed(seed)\n\n\nclass D(C):\n    pass\n\n\ndef run():\n    D(7)\n\n\n"
    ),
}


@pytest.mark.parametrize("text", HANDED_ON.values(), ids=HANDED_ON)
def test_a_seed_that_is_handed_on_is_refused(text: str, tmp_path: Path) -> None:
    assert Refusal.KNOWN_SEED in refusals(tmp_path, HEAD + text + PLAIN)


@pytest.mark.parametrize("given", ["", "None", "seed=None"])
def test_a_call_that_gives_no_seed_is_none(given: str, tmp_path: Path) -> None:
    assert not refusals(tmp_path, f"{HEAD}{BEGIN}def run():\n    begin({given})\n\n\n{PLAIN}")
