"""What Python evaluates at the level of a module: it must not change what the reader has read."""

from __future__ import annotations

import collections.abc
import math
import typing

import pytest

import synth.lang
from synth.trusted.errors import ProgramError
from synth.trusted.frontend import vocabulary
from synth.trusted.frontend.reader import read_source

HEAD = """from synth.lang import mechanism, absolute_distance, laplace

C = 1

@mechanism(adjacent={"x": absolute_distance(1)}, epsilon=1)
def f(x: int) -> int:
    return laplace(x * C, 1)

"""
"""What follows stands in line 9."""

GUARD = 'if __name__ == "__main__":\n'
IN_GUARD = {
    "constant": ("C = 1000", "10:5: the '__main__' guard binds 'C' anew"),
    "annotated": ("C: int = 1000", "10:5: the '__main__' guard binds 'C' anew"),
    "augmented": ("C *= 1000", "10:5: the '__main__' guard binds 'C' anew"),
    "several": ("a, (b, C) = 1, (2, 3)", "10:12: the '__main__' guard binds 'C' anew"),
    "walrus": ("print(C := 1000)", "10:11: the '__main__' guard binds 'C' anew"),
    "loop": ("for C in range(3): print(f(C))", "10:9: the '__main__' guard binds 'C' anew"),
    "with": ("with open('a') as C: pass", "10:23: the '__main__' guard binds 'C' anew"),
    "except": (
        "try: pass\n    except ValueError as C: pass",
        "10:5: the '__main__' guard binds 'C' anew",
    ),
    "match": ("match 3:\n        case C: pass", "10:5: the '__main__' guard binds 'C' anew"),
    "del": ("del C", "10:9: the '__main__' guard binds 'C' anew"),
    "function": ("def laplace(c, s): return c", "10:5: the '__main__' guard binds 'laplace' anew"),
    "class": ("class f: pass", "10:5: the '__main__' guard binds 'f' anew"),
    "import": ("import numpy as laplace", "10:12: the '__main__' guard binds 'laplace' anew"),
    "import from": ("from a import C", "10:19: the '__main__' guard binds 'C' anew"),
    "star": ("from a import *", "10:19: the '__main__' guard binds '*' anew"),
    "built-in": ("len = f", "10:5: the '__main__' guard binds 'len' anew"),
    "special": ("__builtins__ = 3", "10:5: the '__main__' guard binds '__builtins__' anew"),
    "global": (
        "def g():\n        global C\n    g()",
        "11:9: the '__main__' guard binds 'C' anew",
    ),
    "globals": ("globals().update(C=3)", "10:5: 'globals' is not supported"),
    "exec": ("exec('C = 3')", "10:5: 'exec' is not supported"),
    "attribute": ("synth.lang.laplace = f", "10:5: an assignment to an attribute is not supported"),
    "special attribute": (
        "f.__globals__['C'] = 3",
        "10:5: the attribute '__globals__' is not supported",
    ),
}

AT_MODULE_LEVEL = {
    "else": (
        GUARD + "    pass\nelse:\n    C = 3",
        "12:5: 'else' or 'elif' of the '__main__' guard is not supported",
    ),
    "elif": (
        GUARD + "    pass\nelif f(3):\n    pass",
        "11:1: 'else' or 'elif' of the '__main__' guard is not supported",
    ),
    "guard in between": (
        GUARD + "    f(3)\ndef abs(x): return 3",
        "9:1: the '__main__' guard must be the last statement",
    ),
    "name": ("__name__ = '__main__'", "9:1: an assignment to '__name__' is not supported"),
    "built-ins": ("__builtins__ = 3", "9:1: an assignment to '__builtins__' is not supported"),
    "special function": ("def __name__(): pass", "9:1: an assignment to '__name__' is not supported"),
    "special import": ("import math as __name__", "9:1: an assignment to '__name__' is not supported"),
    "version": (
        "__version__ = globals().update(C=3)",
        "9:15: a call in the value of '__version__' is not supported",
    ),
    "version annotated": ("__version__: f(3) = ''", "9:14: a call in an annotation is not supported"),
    "all": ("__all__ = [f(3)]", "9:12: a call in the value of '__all__' is not supported"),
    "star of math": (
        "from math import *",
        "9:1: a star import from 'math' must stand before all other imports and definitions",
    ),
    "star of typing": (
        "from typing import *",
        "9:1: a star import from 'typing' must stand before all other imports and definitions",
    ),
    "star of synth": ("from synth import *", "9:1: a star import from 'synth' is not supported"),
    "late star": (
        "def exp(x): return x\nfrom synth.lang import *",
        "10:1: the import would hide the definition of 'exp'",
    ),
    "another import": (
        "from synth.lang import l1_distance as absolute_distance",
        "9:1: the import would hide another one of 'absolute_distance'",
    ),
    "hidden function": (
        "from math import exp\ndef exp(x): return x",
        "10:1: a definition of 'exp' would hide the imported one",
    ),
    "built-in in a default value": (
        "def g(a=copyright): return a\ncopyright = 3",
        "9:9: constant 'copyright' is used before it is defined",
    ),
    "built-in in a constant": (
        "D = abs(-3)\ndef abs(x): return x",
        "9:5: function 'abs' is used before it is defined",
    ),
    "built-in in an import": (
        "D = abs(-3)\nfrom math import exp as abs",
        "9:5: the import 'abs' is used before it is defined",
    ),
    "result": ("def g(a) -> f(3): return a", "9:13: a call in an annotation is not supported"),
    "parameter": ("def g(a: f(3)): return a", "9:10: a call in an annotation is not supported"),
    "star parameter": ("def g(*a: f(3)): return a", "9:11: a call in an annotation is not supported"),
    "keyword parameter": ("def g(*, a: f(3)): return a", "9:13: a call in an annotation is not supported"),
    "constant": ("D: f(3) = 3", "9:4: a call in an annotation is not supported"),
    "local": (
        "def g():\n    a: (C := 3) = 3",
        "10:9: an assignment expression (':=') in an annotation is not supported",
    ),
    "lambda": ("def g(a: (lambda: 3)): pass", "9:11: a lambda in an annotation is not supported"),
    "comprehension": (
        "def g(a: [C for C in (1, 2)]): pass",
        "9:10: a list comprehension in an annotation is not supported",
    ),
    "f-string": ("def g(a: f'{f(3)}'): pass", "9:10: an f-string in an annotation is not supported"),
    "arithmetic": ("def g(a: 10 ** 10): pass", "9:10: arithmetic in an annotation is not supported"),
    "ghost": (
        "@mechanism(ghosts={'t': f(3).Callable[[int], int]})\ndef g(n: int): return n",
        "9:25: a call in an annotation is not supported",
    ),
    "default": ("def g(a=f(3)): return a", "9:9: a call in a default value is not supported"),
    "keyword default": ("def g(*, a=f(3)): return a", "9:12: a call in a default value is not supported"),
    "walrus default": (
        "def g(a=(C := 3)): return a",
        "9:10: an assignment expression (':=') in a default value is not supported",
    ),
    "default of a mechanism": (
        "@mechanism()\ndef g(n: int = globals().update(C=3)): return n",
        "10:16: a call in a default value is not supported",
    ),
    "global in a helper": ("def g():\n    global C\n    C = 3", "10:5: a global statement is not supported"),
    "exec in a helper": ("def g():\n    exec('C = 3')", "10:5: 'exec' is not supported"),
    "message of an assert": (
        "@mechanism()\ndef g(n: int):\n    assert n > 0, f(3)\n    return n",
        "11:19: a call in the message of an assert is not supported",
    ),
    "attribute in a helper": (
        "def g():\n    f.a = 3",
        "10:5: an assignment to an attribute is not supported",
    ),
}

HONEST = {
    "guard": (
        GUARD + "    import sys\n    x = 3\n    for i in range(x): print(f(i), f.__name__)\n"
        "    counts = {}\n    counts[f(3)] = 1"
    ),
    "special": "__all__ = ['f']\n__version__ = '1.0'\n__author__: str = 'A'",
    "imports twice": "from synth.lang import laplace\nfrom synth.lang import *\nfrom math import exp, log",
    "annotations": (
        "import typing\nfrom collections.abc import Sequence\n"
        "def g(a: 'int | None', b: int | None, c: typing.Literal[-1, 'a']) -> tuple[int, ...]: return a"
    ),
    "defaults": "def g(a=-C / 2, b=None, c=(1, 2), *, d=True): return a",
    "name of a built-in": "def abs(x): return x",
    "message": "@mechanism()\ndef g(n: int):\n    assert n > 0, f'{n} is too small'\n    return n",
    "local": "def g(vars, locals): return vars + locals",
}


def _error(text: str) -> str:
    with pytest.raises(ProgramError) as caught:
        read_source(text, "p.py")
    return str(caught.value).removeprefix("p.py:")


@pytest.mark.parametrize(("text", "message"), AT_MODULE_LEVEL.values(), ids=AT_MODULE_LEVEL.keys())
def test_refused(text: str, message: str) -> None:
    assert _error(f"{HEAD}{text}\n") == message


@pytest.mark.parametrize(("text", "message"), IN_GUARD.values(), ids=IN_GUARD.keys())
def test_the_guard_changes_nothing_that_was_read(text: str, message: str) -> None:
    assert _error(f"{HEAD}{GUARD}    {text}\n") == message


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST.keys())
def test_read(text: str) -> None:
    assert read_source(f"{HEAD}{text}\n", "p.py")


@pytest.mark.parametrize("module", ["math", "typing", "collections.abc"])
def test_a_star_import_may_stand_first(module: str) -> None:
    before = f"from __future__ import annotations\nfrom synth.lang import *\nfrom {module} import *\n"
    assert read_source(before + HEAD, "p.py")


def test_an_import_before_a_star() -> None:
    """``math`` may have any name."""
    text = f"from synth.lang import laplace as fabs\nfrom math import *\n{HEAD}"
    assert _error(text).startswith("2:1: a star import from 'math' must stand before all other imports")


def test_a_star_import_binds_what_the_reader_says() -> None:
    """The names of ``synth.lang`` are known exactly; those of other modules hide none of them."""
    known = vocabulary.builtin_names() | vocabulary.language_names()
    assert set(vocabulary.language_names()) == set(synth.lang.__all__)
    assert set(known) & set(vars(math)) == set(vocabulary.MATH_FUNCTIONS)
    assert set(known) & set(typing.__all__) == {"Callable"} == set(known) & set(collections.abc.__all__)
