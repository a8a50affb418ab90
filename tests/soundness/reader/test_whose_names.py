"""Which names are local to a function is what CPython's symbol table says, also of what no run comes to."""

from __future__ import annotations

import ast
import random
import symtable
import sys
import textwrap

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import caught, scoping
from synth.trusted.frontend.reader import read_source
from synth.validation.scopes import names_of
from tests.support.real_runs import compare

BINDERS = (
    "K = 1",
    "K += 1",
    "K: int = 1",
    "K: int",
    "del K",
    "import K",
    "import K.part",
    "import other as K",
    "from other import K",
    "(K, w) = 1, 2",
    "[*K] = []",
    "(K := 1)",
    "[(K := v) for v in []]",
    "lambda v=(K := 1): v",
    "for K in []:\n    pass",
    "with x as K:\n    pass",
    "try:\n    pass\nexcept ValueError as K:\n    pass",
    "def K():\n    pass",
    "class K:\n    pass",
    "class C((K := object)):\n    pass",
    "@(K := 1)\nclass C:\n    pass",
    "@(K := 1)\ndef h():\n    pass",
    "def h(v=(K := 1)):\n    pass",
    "def h(v: (K := int)):\n    pass",
    "def h() -> (K := int):\n    pass",
    "async def K():\n    pass",
    "match x:\n    case K:\n        pass",
    "match x:\n    case [*K]:\n        pass",
    "match x:\n    case {1: 2, **K}:\n        pass",
    "match x:\n    case int(real=K):\n        pass",
    "match x:\n    case 1 as K:\n        pass",
)
"""What binds K in a function."""

OTHERS = (
    "lambda: (K := 1)",
    "[K for K in []]",
    "def h():\n    K = 1",
    "class C:\n    K = 1",
    "def h(K):\n    pass",
    "K.a = 1",
    "K[0] = 1",
)
"""What binds K elsewhere, or changes what it stands for."""

PLACES = (
    "{}",
    "if False:\n    {}",
    "if 1:\n    pass\nelse:\n    {}",
    "if isinstance(x, str):\n    {}",
    "while False:\n    {}",
    "try:\n    w = 1\nexcept ValueError:\n    {}",
    "try:\n    w = 1\nexcept ValueError:\n    if x:\n        {}",
    "try:\n    w = 1\nfinally:\n    {}",
    "return 1\n{}",
    "raise ValueError\n{}",
    "for i in range(2):\n    break\n    {}",
)


def placed(place: str, statement: str) -> str:
    indent = place.rpartition("\n")[2].partition("{")[0]
    return place.format(textwrap.indent(statement, indent).strip())


def text(place: str, statement: str) -> str:
    body = f"if x > 0:\n    y = K\n{placed(place, statement)}\nreturn 1"
    head = (
        "from synth.lang import *\nK = 5\n@mechanism(adjacent={'x': discrete_distance()})\ndef f(x: int):\n"
    )
    return head + textwrap.indent(body, "    ")


def definition(tree: ast.Module) -> ast.FunctionDef:
    (found,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return found


def local_to_python(program: str) -> bool:
    (function,) = (
        item for item in symtable.symtable(program, "p.py", "exec").get_children() if item.get_name() == "f"
    )
    return function.lookup("K").is_local()


@pytest.mark.parametrize("statement", (*BINDERS, *OTHERS))
def test_local_names_are_those_of_python(statement: str) -> None:
    for place in PLACES:
        program = text(place, statement)
        is_local = local_to_python(program)
        assert is_local == (statement in BINDERS)
        tree = ast.parse(program)
        assert ("K" in names_of(definition(tree)).bound) == is_local
        caught.write_out(tree)
        assert "K" in scoping.assigned(definition(tree)) or not is_local


@pytest.mark.parametrize("statement", BINDERS)
def test_a_name_that_is_bound_where_no_run_comes_is_refused(statement: str) -> None:
    """Python raises just where private data are positive."""
    for place in PLACES:
        with pytest.raises(ProgramError):
            read_source(text(place, statement), "p.py")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with Python 3.12")
@pytest.mark.parametrize(
    "definition",
    (
        "class C[K]:\n    def m(self):\n        return K\ndef g():\n    return C().m()\n",
        "class C[*K]:\n    def m(self):\n        return K\ndef g():\n    return C().m()\n",
        "def g[K]():\n    return K\n",
        "def g[**K]():\n    return K\n",
    ),
)
def test_type_parameters_are_refused(definition: str) -> None:
    head = f"from synth.lang import *\nK = 5\n{definition}"
    with pytest.raises(ProgramError, match="type parameter"):
        read_source(
            f"{head}@mechanism(adjacent={{'x': discrete_distance()}})\ndef f(x: int):\n"
            "    return 0 if g() == 5 else x\n",
            "p.py",
        )


OF_PYTHON = {
    "the noise of an array is read": "y = np.random.laplace(0.0, 1.0, 1)\nt = len(y)\nreturn y[0] - t",
    "an entry of a list is changed": "w = [0, 0]\nw[0] = 1\nsum(w)\nreturn w[1]",
    "by a lambda": "w = [0, 0]\nw[0] = 1\n(lambda sum: sum(w))(len)\nreturn w[1]",
}


@pytest.mark.parametrize("name", OF_PYTHON)
def test_a_function_within_another_may_be_called_like_one_of_pythons(name: str) -> None:
    """Then it does more than to count or add up."""
    own = "def len(v):\n    v = [v[0]]\n    return v[0]\ndef sum(v):\n    v[1] = x\n    return 0\n"
    if name == "by a lambda":
        own = own.replace("sum(v)", "len(v)").partition("\n    v = [v[0]]\n    return v[0]\n")[2]
    if "noise" in name:
        own = "def len(v):\n    return v[0]\n"
    program = (
        "import numpy as np\nfrom synth.lang import *\n@mechanism(adjacent={'x': discrete_distance()})\n"
        "def f(x: int):\n" + textwrap.indent(own + OF_PYTHON[name], "    ")
    )
    assert compare(program, random.Random(0)) in ("same", "refused")


def test_a_name_of_python_that_an_import_binds_makes_no_list() -> None:
    """``range(3)`` is ``floor(3)`` here: Python raises."""
    text = (
        "from numpy import floor as range\nfrom synth.lang import *\n\n\n"
        "@mechanism(adjacent={'x': absolute_distance(1)}, requires='eps > 0', epsilon='eps')\n"
        "def f(x: int, eps: float):\n"
        "    h = [0 for _ in range(3)]\n    h[1] += 1\n    return laplace(x + h[1], 1 / eps)\n"
    )
    with pytest.raises(ProgramError, match="floor"):
        read_source(text, "p.py")
