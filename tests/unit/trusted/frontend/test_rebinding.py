"""What isn't read at the level of a module costs the functions that use it, and those that it may change.

Each attack is a program that would leak if it ran: a name that the mechanism uses stands for something else
than what the reader read.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError, Refusal
from synth.trusted.frontend.reader import File, read_program, read_source

HEAD = """import math
from synth.lang import mechanism, absolute_distance, laplace
import synth.lang as lang
C = 1
def twice(y):
    return y + y - y
"""
F = """@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=2)
def f(x: int) -> int:
    return laplace(twice(x) * C, lang.exp(0)) + lang.laplace(max(x, x), math.exp(0))
"""
G = """@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1)
def g(x: int) -> int:
    return laplace(x, 1)
"""

ATTACKS = {
    "again": "C = 1000",
    "again, not read": "C = {1: 2}",
    "again, as a tuple": "C, D = 1000, 1",
    "augmented": "C += 999",
    "in a branch": "if print():\n    C = 1000",
    "in another branch": "if print():\n    pass\nelse:\n    C = 1000",
    "in a loop": "for C in (1000,):\n    pass",
    "in the end of a loop": "while print():\n    pass\nelse:\n    C = 1000",
    "in with": "with open('a') as C:\n    pass",
    "in try": "try:\n    C = 1000\nexcept ValueError:\n    pass",
    "in except": "try:\n    pass\nexcept ValueError:\n    C = 1000",
    "as an exception": "try:\n    pass\nexcept ValueError as C:\n    pass",
    "in finally": "try:\n    pass\nfinally:\n    C = 1000",
    "in match": "match 1000:\n    case C:\n        pass",
    "in a pattern": "match [1000]:\n    case [*C]:\n        pass",
    "of a mapping": "match {}:\n    case {**C}:\n        pass",
    "walrus": "print(C := 1000)",
    "walrus in a comprehension": "[C := y for y in (1000,)]",
    "walrus in a comprehension of a comprehension": "[[C := y for y in z] for z in ((1000,),)]",
    "walrus in a condition": "if C := 1000:\n    pass",
    "walrus in a default value": "def h(y=(C := 1000)):\n    return y",
    "walrus in a default value of a lambda": "h = lambda y=(C := 1000): y",
    "walrus in an annotation": "def h(y: (C := 1000)):\n    return y",
    "walrus in a result": "def h() -> (C := 1000):\n    pass",
    "walrus in a decorator": "@(C := print)\ndef h():\n    pass",
    "walrus in a base": "class H(C := object):\n    pass",
    "walrus in a keyword of a class": "class H(metaclass=(C := type)):\n    pass",
    "walrus in an annotated constant": "D: (C := int) = 3",
    "walrus in an annotation without a value": "print.y: (C := int)",
    "walrus in what is annotated": "(C := print).y: int",
    "del": "del C",
    "function": "def twice(y):\n    return y * 1000",
    "async function": "async def twice(y):\n    return y * 1000",
    "class": "class twice:\n    pass",
    "decorated again": "twice = print(twice)",
    "mechanism again": "f = print",
    "import": "import numpy as twice",
    "import of a package": "import twice.parts",
    "import from": "from numpy import laplace",
    "import in a branch": "if print():\n    from numpy import laplace",
    "import in try": "try:\n    import numpy as math\nexcept ImportError:\n    pass",
    "import of a module by another name": "import cmath as math",
    "star import": "from numpy import *",
    "star import in a branch": "if print():\n    from numpy import *",
    "relative star import": "from . import *",
    "decorator": "mechanism = print",
    "metric": "absolute_distance = print",
    "built-in, not read": "max = print(max)",
    "built-in in a loop": "for max in [print]:\n    pass",
    "global": "def h():\n    global C\n    C = 1000\nh()",
    "global in a class": "class H:\n    global C\n    C = 1000",
    "global in a method": "class H:\n    def h(self):\n        global C\n        C = 1000",
    "global in a nested function": "def h():\n    def k():\n        global C\n        C = 1000\n    k()",
    "global in an async function": "async def h():\n    global C\n    C = 1000",
    "global import": "def h():\n    global laplace\n    from numpy.random import laplace",
    "global loop": "def h():\n    global C\n    for C in range(1000):\n        pass",
    "global function": "def h():\n    global twice\n    def twice(y):\n        return y * 1000",
    "attribute of a module": "lang.laplace = print",
    "attribute of a module in a function": "def h():\n    lang.laplace = print",
    "attribute of what was imported from": "lang.absolute_distance = print",
    "attribute of math": "math.exp = print",
    "attribute by another name": "m = math\nm.exp = print",
    "attribute of a parameter": "def h(m):\n    m.exp = print\nh(math)",
    "attribute of self": "class H:\n    def __init__(self):\n        self.exp = print\nH.__init__(math)",
    "attribute in a loop": "for math.exp in [print]:\n    pass",
    "attribute in with": "with open('a') as math.exp:\n    pass",
    "attribute, augmented": "math.exp += 1",
    "attribute in a tuple": "math.exp, y = print, 1",
    "attribute, deleted": "del math.exp",
    "attribute of the package": "import synth\nsynth.lang = print",
    "setattr": "setattr(math, 'exp', print)",
    "setattr by a name": "def h(name):\n    setattr(math, name, print)",
    "setattr of some other module": "import operator\nset_it = object.__setattr__",
    "delattr": "delattr(math, 'exp')",
    "setattr, passed on": "map(setattr, [math], ['exp'], [print])",
    "special setattr": "type(math).__setattr__(math, 'exp', print)",
    "monkeypatch": "def h(monkeypatch):\n    monkeypatch.setattr(math, 'exp', print)",
    "monkeypatch by a path": "def h(monkeypatch):\n    monkeypatch.setattr('math.exp', print)",
    "built-in by its module": "import builtins\nbuiltins.max = print",
    "built-in by another name": "import builtins as b\nb.max = print",
    "built-in from its module": "from builtins import __dict__ as d\nd['max'] = print",
    "built-ins": "__builtins__.max = print",
    "built-ins by a key": "__builtins__['max'] = print",
    "built-ins, all": "__builtins__ = {}",
    "class of a module": "class M:\n    exp = property(print)\nmath.__class__ = M",
    "mock": "from unittest import mock\nmock.patch('math.exp', print).start()",
    "patch": "from unittest.mock import patch\npatch('math.exp', print).start()",
    "patches": "import unittest.mock as m\nm.patch('math.exp', print).start()",
    "type": "int = float",
    "type, as a function": "def int(x):\n    return x",
    "exec": "exec('C = 1000')",
    "exec in a function": "def h():\n    exec('C = 1000', f.__globals__)",
    "exec in a lambda": "h = lambda: exec('C = 1000')",
    "exec in a class": "class H:\n    exec('global C; C = 1000')",
    "exec, passed on": "list(map(exec, ['C = 1000']))",
    "exec though a local one is elsewhere": "def h(exec):\n    pass\ndef k():\n    exec('C = 1000')",
    "eval": "eval('(C := 1000)')",
    "globals": "globals()['C'] = 1000",
    "globals by another name": "g = globals\ng().update(C=1000)",
    "locals": "locals()['C'] = 1000",
    "vars": "vars()['C'] = 1000",
    "vars of a module": "vars(math)['exp'] = print",
    "dictionary of a module": "math.__dict__['exp'] = print",
    "names of a function": "f.__globals__['C'] = 1000",
    "code of a function": "twice.__code__ = print.__code__",
    "default values of a function": "twice.__defaults__ = (1,)",
    "names by getattr": "getattr(f, '__globals__')['C'] = 1000",
    "names by getattr of a text": "getattr(f, '__glob' + 'als__')['C'] = 1000",
    "frames": "import inspect\ninspect.currentframe().f_globals['C'] = 1000",
    "frame of a generator": "h = (y for y in [])\nh.gi_frame.f_globals['C'] = 1000",
    "main": "import __main__\n__main__.C = 1000",
    "main from": "from __main__ import twice as h\nh.x = 1",
    "itself": "import p\np.C = 1000",
    "itself in a package": "import q.p as h\nh.C = 1000",
    "itself, from its package": "from q import p as h\nh.C = 1000",
    "itself, relative": "from . import p as h\nh.twice = print",
    "import by a call": "__import__('p').C = 1000",
    "import by importlib": "import importlib\nimportlib.import_module('p').C = 1000",
    "import by a member of importlib": "from importlib import import_module\nimport_module('p').C = 1000",
    "reload": "import importlib\nimportlib.reload(math)",
    "reload by its name": "from importlib import reload\nreload(math)",
    "modules": "import sys\nsys.modules['math'] = None",
    "modules by name": "from sys import modules\nmodules['math'] = None",
    "modules by another name": "import sys as s\ns.modules[__name__].C = 1000",
    "garbage": "import gc\ngc.get_referrers(C)[0]['C'] = 1000",
    "ctypes": "import ctypes",
    "the guard": 'if __name__ == "__main__":\n    C = 1000',
    "the guard in between": 'if __name__ == "__main__":\n    C = 1000\nD = 3',
    "the end of the guard": 'if __name__ == "__main__":\n    pass\nelse:\n    C = 1000',
    "global in the guard": 'if __name__ == "__main__":\n    def h():\n        global C\n    h()',
}
"""What follows the file, or stands in it before the mechanism."""

HARMLESS = {
    "unknown import": "import numpy as np",
    "unknown import from": "from scipy.stats import norm",
    "relative import": "from .others import thing",
    "import in try": "try:\n    import numba\nexcept ImportError:\n    numba = None",
    "class": "class Data:\n    C = 3\n    twice = None\n    def f(self):\n        self.total = 3",
    "call": "print('hello')",
    "logger": "import logging\nlogger = logging.getLogger(__name__)",
    "other constants": "NAMES = ['a', 'b']\nLIMITS = {'a': 1}\nTITLE = 'a'\nNOTHING = None",
    "annotation": "limit: int",
    "typing": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas as pd",
    "decorated": "@property\ndef other(x):\n    return x",
    "default value": "def other(x=print()):\n    return x",
    "async function": "async def other(x):\n    return x",
    "generator": "def other(x):\n    yield x",
    "attribute elsewhere": "def plot(ax):\n    ax.title = 'a'",
    "local of the same name": "def other():\n    C = 3\n    return C",
    "parameter of the same name": "def other(C, twice, laplace):\n    return C",
    "comprehension of the same name": "others = [C for C in range(3)]",
    "lambda": "other = lambda C: C",
    "for loop": "for i in range(3):\n    print(i)",
    "eval of a model": "def other(model):\n    model.eval()\n    return model.modules()",
    "compiled pattern": "import re\nPATTERN = re.compile('a')",
    "class by its name": "def other(x):\n    x.__name__ = 'a'\n    return x.__class__.__name__",
    "getattr": "def other(x):\n    return getattr(x, 'name', None)",
    "setattr": "def other(x):\n    setattr(x, 'name', None)",
    "local exec": "def other(exec):\n    return exec(3)",
    "arguments": "import sys\nARGUMENTS = sys.argv[1:]",
    "guard": 'if __name__ == "__main__":\n    import argparse\n    print(f(3))',
}


def written(tmp_path: Path, text: str) -> File:
    path = tmp_path / "p.py"
    path.write_text(text)
    return read_program(path)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_what_may_change_a_name_is_an_obstacle_of_who_uses_it(tmp_path: Path, attack: str) -> None:
    for text in (f"{HEAD}{F}{attack}\n", f"{HEAD}{attack}\n{F}"):
        file = written(tmp_path, text)
        assert not file.mechanisms
        assert {error.function for error in file.refused} == {"f"}
        assert all(error.line is not None for error in file.refused)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_text_that_is_read_as_a_whole_has_no_such_thing(attack: str) -> None:
    with pytest.raises(ProgramError):
        read_source(f"{HEAD}{F}{attack}\n", "p.py")


@pytest.mark.parametrize("rest", HARMLESS.values(), ids=HARMLESS.keys())
def test_what_changes_no_name_that_is_used_costs_nothing(tmp_path: Path, rest: str) -> None:
    (plain,) = written(tmp_path, f"{HEAD}{F}").mechanisms
    file = written(tmp_path, f"{HEAD}{F}{rest}\n")
    assert not file.refused
    (found,) = file.mechanisms
    assert (replace(found, unread=()), found.source) == (plain, plain.source)
    assert found.unread == file.unread


def test_only_who_uses_a_name_pays_for_it(tmp_path: Path) -> None:
    file = written(tmp_path, f"{HEAD}{F}{G}C = print()\n")
    assert [item.name for item in file.mechanisms] == ["g"]
    assert [(error.function, error.code) for error in file.refused] == [("f", Refusal.UNSUPPORTED_CALL)]


def test_a_built_in_name_that_code_above_may_have_used(tmp_path: Path) -> None:
    """What runs before the definition calls Python's."""
    text = "def max(x, y):\n    return x\n"
    assert written(tmp_path, f"{HEAD}{text}{F}print(f(3))\n").mechanisms
    for run in ("print(f(3))\n", "D = f(3)\n", 'if __name__ == "__main__":\n    print(f(3))\n'):
        assert not written(tmp_path, f"{HEAD}{F}{run}{text}").mechanisms


def test_facts_say_nothing_of_all_numbers_where_a_constant_is_not_read(tmp_path: Path) -> None:
    """A name without a meaning stands for any integer there."""
    facts = "facts=['one(q(i)) <= LIMIT']"
    head = "from synth.lang import *\n"
    function = f"@mechanism(adjacent={{'q': linf_distance(1)}}, {facts})\n"
    function += "def f(q: Callable[[int], int]) -> int:\n    return laplace(q(0), 1)\n"
    assert written(tmp_path, f"{head}LIMIT = 3\n{function}").mechanisms
    assert not written(tmp_path, f"{head}LIMIT = print()\n{function}").mechanisms


def test_what_is_not_read_is_told_by_its_lines(tmp_path: Path) -> None:
    text = "import pandas\n" + HEAD + F + "class A(dict):\n    pass\n\nprint(\n    1\n)\nTEXT = 'a'\n"
    first = text.split("\n").index("class A(dict):") + 1
    assert written(tmp_path, text).unread == (1, first, first + 1, first + 3, first + 4, first + 5)


def test_a_definition_costs_its_function_only(tmp_path: Path) -> None:
    """What Python may replace, or runs where it is defined."""
    for bad in ("@print\n", "@mechanism()\n@mechanism()\n"):
        file = written(tmp_path, f"{HEAD}{F}{bad}def g(n: int) -> int:\n    return n\n")
        assert [item.name for item in file.mechanisms] == ["f"]
    file = written(tmp_path, f"{HEAD}{F}@mechanism()\ndef g(n: int = print()) -> int:\n    return n\n")
    assert [error.function for error in file.refused] == ["g"]
    used = "@print\ndef other(x):\n    return x\n@mechanism()\ndef g(n: int) -> int:\n    return other(n)\n"
    file = written(tmp_path, f"{HEAD}{F}{used}")
    assert [error.function for error in file.refused] == ["g"]
    assert [item.name for item in file.mechanisms] == ["f"]


def test_an_import_that_is_not_known_is_told_where_it_is_used(tmp_path: Path) -> None:
    body = "@mechanism()\ndef g(n: int) -> int:\n    return np.clip(n, 0, 1)\n"
    (error,) = written(tmp_path, f"import pandas as np\n{HEAD}{body}").refused
    assert (error.line, error.column) == (10, 12) and "pandas" in error.message and "line 1" in error.message


@pytest.mark.parametrize("name", ["math.py", "math.cpython-311-x86_64-linux-gnu.so", "math/__init__.py"])
def test_a_module_in_the_same_folder_may_hide_another_one(tmp_path: Path, name: str) -> None:
    """Python looks in the folder of the program first, also for what a library imports."""
    assert written(tmp_path, f"{HEAD}{F}{G}").mechanisms[0].name == "f"
    hiding = tmp_path / name
    hiding.parent.mkdir(exist_ok=True)
    hiding.write_text("def exp(x):\n    return 0.001\n")
    file = written(tmp_path, f"{HEAD}{F}{G}")
    assert not file.mechanisms
    assert {(error.function, error.code) for error in file.refused} == {
        (name, Refusal.UNSUPPORTED_IMPORT) for name in "fg"
    }
    assert any("the module 'math' in the folder of the program" in error.message for error in file.refused)
    assert any("may import 'math' of the program's folder" in error.message for error in file.refused)


def test_reading_takes_steps_in_proportion_to_the_length(tmp_path: Path) -> None:
    """Of a file with many definitions, most of which aren't read."""
    block = "class A{0}:\n    def m(self, a):\n        self.x{0} = a\n\n"
    block += "X{0} = {0}\ndef g{0}(a):\n    return a * X{0}\n"
    steps = []
    for many in (50, 100, 200):
        text = f"{HEAD}{F}" + "".join(block.format(number) for number in range(many))
        steps.append(_steps(tmp_path, text))
    first, second, third = steps
    assert third - second < 2.2 * (second - first)


def _steps(tmp_path: Path, text: str) -> int:
    """How many functions are called while a file is read."""
    path = tmp_path / "p.py"
    path.write_text(text)
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        read_program(path)
    finally:
        sys.setprofile(None)
    return count


CLASSES = """import math
from dataclasses import dataclass
from synth.lang import mechanism, absolute_distance, laplace
class A:
    parts = 7
@dataclass
class B:
    eps: float
    def scale(self):
        return 1 / self.eps
class C(A):
    @property
    def scale(self):
        return self.parts
@mechanism(adjacent={"x": absolute_distance(1)})
def b(x: float) -> float:
    return laplace(x, B(1.0).scale())
@mechanism(adjacent={"x": absolute_distance(1)})
def c(x: float) -> float:
    return laplace(x, C().scale)
"""


@pytest.mark.parametrize(
    ("before", "attack", "name"),
    [
        ("@dataclass\n", "for dataclass in [print]:\n    pass\n", "b"),
        ("@dataclass\n", "dataclass = print\n", "b"),
        ("@dataclass\n", "def h():\n    global dataclass\n", "b"),
        ("class C(A)", "for A in [print]:\n    pass\n", "c"),
        ("class C(A)", "for property in [print]:\n    pass\n", "c"),
        ("class C(A)", "def property(x):\n    return x\n", "c"),
        ("class C(A)", "def h():\n    global A\n", "c"),
    ],
)
def test_what_a_class_is_made_of_is_bound_once(tmp_path: Path, before: str, attack: str, name: str) -> None:
    assert [item.name for item in written(tmp_path, CLASSES).mechanisms] == ["b", "c"]
    file = written(tmp_path, CLASSES.replace(before, f"{attack}{before}"))
    assert [error.function for error in file.refused] == [name]
