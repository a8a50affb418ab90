"""What code beside a mechanism may change: classes, modules, and where modules are looked for.

Each attack is a program whose mechanism does something else than its text says, once the rest of the file has
run.  It is refused; the same file without the attack is read.
"""

from __future__ import annotations

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_what_can_be
from synth.views.assumptions import inputs_assumed

CLASS = """from typing import NamedTuple
from synth.lang import *
class A:
    pass
class C(A):
    def __init__(self, v):
        self.v = v
        self.u = v
    @property
    def double(self):
        return self.u * 2
    def put(self, p):
        self.v = p
    def named(self):
        return type(self).__name__
    def add(self, other):
        return other.v if isinstance(other, C) else 0
class P(NamedTuple):
    a: int
def put(k, p):
    k.v = p
p = property(lambda self: 5, lambda self, v: None)
"""

OF_CLASSES = {
    "by its name": "C.v = p",
    "of a base": "A.v = p",
    "of a named tuple": "P.a = p",
    "of a property": "C.double = p",
    "by setattr": "setattr(C, 'v', p)",
    "by type.__setattr__": "type.__setattr__(C, 'v', p)",
    "by a function": "put(C, p)",
    "by a function, of a base": "put(A, p)",
    "by a method": "C.put(C, p)",
    "by a method of another class": "class D:\n    def put(self, p):\n        self.v = p\nD.put(C, p)",
    "by a method that is a value": "class D:\n    def put(self, p):\n        self.v = p\ng = D.put\ng(C, p)",
    "by the type that an exception tells": (
        "try:\n    raise ValueError(type(C(1)))\nexcept ValueError as e:\n    k = e.args[0]\n"
        "    def late():\n        m = e.args[0]\n        m.v = p"
    ),
    "by an exception of the user that gets the type": (
        "class E(Exception):\n    def __init__(self, kind):\n        kind.v = p\n"
        "def late():\n    raise E(type(C(1)))"
    ),
    "by type": "type(C(1)).put(type(C(1)), p)",
    "by __class__": "put(C(1).__class__, p)",
    "in a loop": "for k in [C]:\n    k.v = p",
    "by another name": "def change():\n    k = C\n    k.v = p\nchange()",
    "in a dict": "for k in {C: 1}:\n    put(k, p)",
}

LIBRARY = """import random
import secrets
import sys
import os
from synth.lang import *
rng = random.Random()
def change(m):
    m._log = lambda v: 0.0
"""

OF_LIBRARIES = {
    "a source that is initialized again": "rng.__init__(0)",
    "a source that its class initializes again": "random.Random.__init__(rng, 0)",
    "a module's own source": "secrets._sysrand = random.Random()",
    "a module's own function": "random._log = lambda v: 0.0",
    "by setattr": "setattr(random, '_log', lambda v: 0.0)",
    "a module by another name": "m = random\nm._log = lambda v: 0.0",
    "a module that is given": "change(random)",
    "a module that is a default": "def other(m=random):\n    m._log = lambda v: 0.0\nother()",
    "a module that is a default of a lambda": "other = lambda m=random: change(m)\nother()",
    "a default that is given": "def other(m=random):\n    change(m)\nother()",
    "a default that is another name": "def other(m=random):\n    k = m\n    k._log = lambda v: 0.0\nother()",
    "a default that is returned": "def other(*, m=random):\n    return m\nchange(other())",
    "a default that is captured": "def other(m=random):\n    change(*[m])\nother()",
    "an attribute that is given": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\nchange(A().m)"
    ),
    "an attribute that is changed": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\nA().m._log = lambda v: 0.0"
    ),
    "an attribute that a method changes": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\n"
        "    def go(self):\n        self.m._log = lambda v: 0.0\nA().go()"
    ),
    "an attribute by its name": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\nchange(getattr(A(), 'm'))"
    ),
    "an attribute of a pattern": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\n"
        "match A():\n    case A(m=k):\n        change(k)"
    ),
    "an attribute that is a property": (
        "class A:\n    def __init__(self, m=random):\n        self.m = m\n"
        "    @property\n    def m(self):\n        return 1\n"
        "    @m.setter\n    def m(self, v):\n        change(v)\nA()"
    ),
    "an attribute that is a descriptor": (
        "class D:\n    def __set__(self, o, v):\n        change(v)\n"
        "class A:\n    m = D()\n    def __init__(self, m=random):\n        self.m = m\nA()"
    ),
    "an attribute that is set by a method": (
        "class A:\n    def __setattr__(self, k, v):\n        change(v)\n"
        "    def __init__(self, m=random):\n        self.m = m\nA()"
    ),
    "an attribute with two names": (
        "class A:\n    def __init__(self, m=random):\n        self.m = self.k = m\nchange(A().k)"
    ),
    "a member of a default": "def other(m=random):\n    change(m.sys.modules['random'])\nother()",
    "a state of scipy's laws": "import scipy.stats\nscipy.stats.laplace.random_state = 0",
    "other finders": "sys.meta_path.insert(0, rng)",
    "other folders' files": "sys.path_hooks.insert(0, rng)",
    "a site": "import site\nsite.addsitedir('x')",
    "sys by another name": "s = sys\ns.modules['secrets'] = None",
    "sys of another module": "os.sys.modules['secrets'] = None",
    "an import by its text": "from importlib import import_module as get\nget('x')",
}

FILE = """import functools
import inspect
import os
import random
import string
import timeit
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from synth.lang import *
K = 3
def h(v, w=2):
    return v + w
class E(Enum):
    A = 1
    B = 2
@dataclass
class D:
    u: int = 5
class Any(type):
    def __instancecheck__(self, other):
        return True
"""

USE = "return h(x)"
ENTRIES = "return sum(e.value for e in E) + x"
COUNT = "return Counter([1, 2])[2] + x"
SYSTEM = "return random.SystemRandom().randint(0, 1) + x"
TEST = "return 1 if isinstance(x, Sequence) else 0"

OF_FILES = {
    "defaults by setattr": ("setattr(h, '__defaults__', (9,))", USE),
    "defaults by object.__setattr__": ("object.__setattr__(h, '__defaults__', (9,))", USE),
    "defaults by their function": ("h.__setattr__('__defaults__', (9,))", USE),
    "no defaults": ("object.__delattr__(h, '__defaults__')", USE),
    "a method of a class by setattr": ("setattr(D, '__init__', h)", "return D(x).u"),
    "a method of a metaclass by setattr": ("setattr(type(E), '__iter__', h)", ENTRIES),
    "a function's code by functools": ("functools.update_wrapper(h, h, assigned=('__code__',))", USE),
    "globals in a pattern": ("match h:\n    case object(__globals__=g):\n        g['K'] = 9", "return K"),
    "globals in a pattern by their place": (
        "class Q(metaclass=Any):\n    __match_args__ = ('__globals__',)\n"
        "match h:\n    case Q(g):\n        g['K'] = 9",
        "return K",
    ),
    "globals by getattr as a value": (
        "functools.reduce(getattr, ['__glo' + 'bals__'], h)['K'] = 9",
        "return K",
    ),
    "globals by getattr of a star": ("getattr(*(h, '__glo' + 'bals__'))['K'] = 9", "return K"),
    "globals by a text": (
        "string.Formatter().get_field('0.__globals__', (h,), {})[0]['K'] = 9",
        "return K",
    ),
    "globals among members": ("dict(inspect.getmembers(h))['__glo' + 'bals__']['K'] = 9", "return K"),
    "locals of a frame": ("inspect.getargvalues(inspect.currentframe()).locals['K'] = 9", "return K"),
    "a name of Python's by a text": (
        "import pkgutil\npkgutil.resolve_name('builtins').abs = h",
        "return abs(x)",
    ),
    "a text that is run": ("timeit.timeit('K = 9', globals=h)", "return K"),
    "a text that a profiler runs": ("import cProfile\ncProfile.Profile().run('K = 9')", "return K"),
    "the order of an Enum": ("E._member_names_.reverse()", ENTRIES),
    "members of an Enum": ("E._member_map_['A'] = E.B", ENTRIES),
    "values of an Enum": ("E._value2member_map_.update({1: E.B})", "return E(1).value + x"),
    "what an Enum is made with": ("import enum\nenum.EnumType._missing = h", ENTRIES),
    "what Counter counts with": ("import collections\ncollections._count_elements = h", COUNT),
    "a method of Counter": ("Counter.update = h", COUNT),
    "what dataclasses are made with": (
        "import dataclasses\ndataclasses._process_class = h",
        "return D(x).u",
    ),
    "bytes of the system": ("os.urandom = lambda n: b'0' * n", SYSTEM),
    "bytes of the system by setattr": ("setattr(os, 'urandom', lambda n: b'0' * n)", SYSTEM),
    "a source's base": ("import _random\n_random.Random = D", SYSTEM),
    "modules by sys of another one": ("from os import sys as s\ns.modules['random'] = h", SYSTEM),
    "modules by sys that is an attribute": ("s = os.sys\ns.modules['random'] = h", SYSTEM),
    "modules by sys that getattr gives": ("getattr(os, 'sys').modules['random'] = h", SYSTEM),
    "an abstract class": ("Sequence.register(int)", TEST),
    "an abstract class by another name": ("s = Sequence\ns.register(int)", TEST),
    "how deep calls may be": ("import sys\nsys.setrecursionlimit(50)", SYSTEM),
    "a console": ("import code\ncode.InteractiveConsole().push('import random')", SYSTEM),
    "an evaluated text": ("import bdb\nbdb.Bdb().runeval('h(1)')", SYSTEM),
    "a text by its name": ("t = 'import random'\ntimeit.timeit(t)", SYSTEM),
    "a text of a timer": ("timeit.Timer(stmt='K = 9').timeit()", "return K"),
    "a text that is repeated": ("timeit.repeat('import random')", SYSTEM),
    "a text that another name runs": ("import cProfile as c\nt = 'import random'\nc.run(t)", SYSTEM),
    "what docstrings show": ("import doctest\ndoctest.testmod()", SYSTEM),
    "an annotation": (
        "import typing\ndef g(v: 'random.seed(0)'):\n    pass\ntyping.get_type_hints(g)",
        SYSTEM,
    ),
    "one of a signature": (
        "def g(v: 'random.seed(0)'):\n    pass\ninspect.signature(g, eval_str=True)",
        SYSTEM,
    ),
    "a module by its function": ("inspect.getmodule(h).K = 9", "return K"),
    "a name of a module by its function": (
        "put = setattr\nput(inspect.getmodule(h), 'h', abs)",
        "return h(x)",
    ),
    "members of a class": ("inspect.getmembers_static(E)[0][1].append(4)", ENTRIES),
    "attributes of a class": ("inspect.classify_class_attrs(E)[0].object.append(4)", ENTRIES),
    "a field of a text": ("import string\nstring.Formatter().get_field('0.K', (h,), {})", "return K"),
    "variables of a closure": ("inspect.getclosurevars(h).globals.update(K=9)", "return K"),
    "a function that pydoc finds": ("import pydoc\npydoc.resolve('random.seed')[0](0)", SYSTEM),
    "a code object": ("import codeop\ncodeop.compile_command('import random', symbol='exec')", SYSTEM),
    "what pickle finds": (
        "import io, pickle\npickle.Unpickler(io.BytesIO()).find_class('random', 'seed')(0)",
        SYSTEM,
    ),
    "an annotation that a dispatch evaluates": (
        "import functools\n@functools.singledispatch\ndef g(v):\n    pass\n@g.register\n"
        "def _(v: 'random.seed(0) or int'):\n    pass",
        SYSTEM,
    ),
    "a function by a text": ("import pkgutil\npkgutil.resolve_name('random.seed')(0)", SYSTEM),
    "another file as a module": (
        "from importlib.machinery import SourceFileLoader\nSourceFileLoader('random', 'x').load_module()",
        SYSTEM,
    ),
    "Python from within": (
        "import multiprocessing.sharedctypes as s\ns.ctypes.pythonapi.PyRun_SimpleString(b'import random')",
        SYSTEM,
    ),
    "names of Python's by a module": (
        "import rlcompleter\nb = rlcompleter.builtins\nb.abs = h",
        "return abs(x)",
    ),
    "another line": (
        "import bdb\nclass B(bdb.Bdb):\n    def user_line(self, frame):\n        frame.f_lineno = 30\n"
        "B().set_trace()",
        USE,
    ),
    "another line by setattr": ("def go(frame):\n    setattr(frame, 'f_lineno', 30)", USE),
    "what is traced": ("from sys import settrace as s\ns(h)", USE),
    "what is returned, told to a profiler": ("import sys\nsys.setprofile(h)", USE),
    "what is returned, told by threads": ("import threading\nthreading.setprofile_all_threads(h)", USE),
    "what is returned, told to a monitor": ("import sys\nsys.monitoring.register_callback(2, 32, h)", USE),
    "what is imported, told to an audit": ("from sys import addaudithook as s\ns(h)", USE),
    "operators of arrays": ("import numpy\nnumpy.set_numeric_ops(add=h)", USE),
}

PATHS = {
    "inserted": "sys.path.insert(0, 'x')",
    "assigned": "sys.path[0] = 'x'",
    "another list": "sys.path = ['x']",
    "by another name": "from sys import path as places\nplaces.insert(0, 'x')",
    "by getattr": "getattr(sys, 'path').insert(0, 'x')",
    "of another module": "import os\nos.sys.path.insert(0, 'x')",
}


def _read(text: str) -> bool:
    try:
        mechanisms, _ = read_what_can_be(text, "p.py")
    except ProgramError:
        return False
    return bool(mechanisms)


@pytest.mark.parametrize(
    "use", ["c = C(x)\n    return c.v", "return P(x).a", "c = C(x)\n    return c.double"]
)
def test_classes_are_read_if_nothing_changes_them(use: str) -> None:
    assert _read(f"{CLASS}@mechanism()\ndef f(x: int):\n    {use}\n")


def test_a_type_that_an_exception_tells_changes_nothing() -> None:
    telling = "def g(k):\n    raise ValueError('a type', type(k))\n"
    assert _read(f"{CLASS}{telling}@mechanism()\ndef f(x: int):\n    c = C(x)\n    return c.v\n")


@pytest.mark.parametrize("attack", OF_CLASSES.values(), ids=OF_CLASSES)
def test_classes_that_may_be_changed_are_refused(attack: str) -> None:
    uses = {"P.a": "p = P(x)\n    return p.a", "C.double": "c = C(x)\n    return c.double"}
    use = uses.get(attack.partition(" ")[0], "c = C(x)\n    return c.v")
    assert not _read(f"{CLASS}{attack}\n@mechanism()\ndef f(x: int):\n    {use}\n")


USES = ["return rng.gauss(0.0, 1.0)", "return secrets.randbelow(3)", "return random.expovariate(1.0)"]


@pytest.mark.parametrize("use", USES)
def test_libraries_are_read_if_nothing_changes_them(use: str) -> None:
    harmless = "sys.path.append('x')\nif 'y' not in sys.path:\n    pass\nhasattr(random, 'x')\n"
    assert _read(f"{LIBRARY}{harmless}@mechanism()\ndef f(x: int):\n    {use}\n")


@pytest.mark.parametrize("attack", OF_LIBRARIES.values(), ids=OF_LIBRARIES)
def test_libraries_that_may_be_changed_are_refused(attack: str) -> None:
    use = USES[0] if "__init__" in attack else USES[1]
    assert not _read(f"{LIBRARY}{attack}\n@mechanism()\ndef f(x: int):\n    {use}\n")


HARMLESS = (
    "h.__doc__ = '__init__ takes __main__ for __all__'",
    "'the __globals__ of a module'",
    "getattr(h, 'sys_')",
    "hasattr(h, '__len__')",
    "os.environ['A'] = 'b'",
    "match h:\n    case object(__name__=n):\n        pass",
    "timeit.default_timer()",
    "inspect.currentframe().f_lineno",
    "inspect.signature(h)",
    "import logging\nlogging.raiseExceptions = False",
)


@pytest.mark.parametrize("use", [USE, ENTRIES, COUNT, SYSTEM, TEST, "return K", "return abs(x)"])
def test_files_are_read_if_nothing_changes_them(use: str) -> None:
    assert _read(FILE + "\n".join(HARMLESS) + f"\n@mechanism()\ndef f(x: int):\n    {use}\n")


def test_what_a_method_of_another_library_is_given_is_no_text_that_is_run() -> None:
    used = "import subprocess\nsubprocess.run('ls')\n"
    assert _read(f"from synth.lang import *\n{used}@mechanism()\ndef f(x: int):\n    return x\n")


def test_a_script_may_run_what_its_docstrings_show() -> None:
    guard = "if __name__ == '__main__':\n    import doctest\n    doctest.testmod()\n"
    assert _read(f"{FILE}@mechanism()\ndef f(x: int):\n    {SYSTEM}\n{guard}")


@pytest.mark.parametrize(("attack", "use"), OF_FILES.values(), ids=OF_FILES)
def test_files_whose_lines_may_change_what_is_used_are_refused(attack: str, use: str) -> None:
    assert not _read(f"{FILE}{attack}\n@mechanism()\ndef f(x: int):\n    {use}\n")


@pytest.mark.parametrize("asked", ["x", "v"])
def test_what_is_said_to_be_a_subclass_is_tested_by_python_alone(asked: str) -> None:
    """Of a parameter, and of what a loop over a given list binds; ``float`` has no subclasses but its own."""
    file = f"{FILE}Sequence.register(int)\n@mechanism()\ndef f(x: int, q: list[int]):\n    n = 0\n"
    loop = "    for v in q:\n        n += 1 if isinstance({}, {}) else 0\n    return n\n"
    assert not _read(file + loop.format(asked, "Sequence"))
    assert _read(file + loop.format(asked, "float"))


@pytest.mark.parametrize("attack", PATHS.values(), ids=PATHS)
def test_imports_below_a_change_of_the_path_are_refused(attack: str) -> None:
    of_it = "@mechanism()\ndef f(x: float):\n    return x + random.gauss(0.0, 1.0)\n"
    assert not _read(f"import sys\n{attack}\nfrom synth.lang import *\nimport random\n{of_it}")
    above = _read(f"import random\nimport sys\n{attack}\nfrom synth.lang import *\n{of_it}")
    assert above or "getattr" in attack or "sys.path = " in attack


def test_a_source_that_is_given_is_an_assumption() -> None:
    """Who calls the mechanism may have seeded it, or have given two that draw the same."""
    text = (
        "import numpy as np\nfrom synth.lang import *\n@mechanism(adjacent={'x': absolute_distance(1)})\n"
        "def f(x: float, one: np.random.Generator, two: np.random.Generator):\n"
        "    return x + one.laplace(0, 1) - two.laplace(0, 1)\n"
    )
    (found,) = read_what_can_be(text, "p.py")[0]
    assert found.sources == ("one", "two")
    assert [name for item in inputs_assumed(found) for name in found.sources if f"'{name}'" in item] == [
        "one",
        "two",
    ]


OPERATORS = {
    "a comparison": ("__eq__", "O() == TABLE"),
    "a sum": ("__radd__", "TABLE + O()"),
    "what is looked for": ("__contains__", "TABLE in O()"),
    "an index": ("__getitem__", "O()[TABLE]"),
    "a sum that starts with it": ("__radd__", "sum([O()], TABLE)"),
    "the larger one": ("__lt__", "max(O(), TABLE)"),
}

GIVEN_BACK = {"a sum that starts with it", "the larger one"}
"""What may give back the list itself is refused whatever the operators are."""


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_of_the_user_may_change_a_list_of_the_file(name: str) -> None:
    method, line = OPERATORS[name]
    own = "class O:\n    def METHOD(self, other):\n        other.append(5)\n        return 0\n"
    file = f"from synth.lang import *\nTABLE = [1, 2]\n{own}{line}\n@mechanism()\n"
    file += "def f(x: int):\n    return len(TABLE) + x\n"
    assert not _read(file.replace("METHOD", method))
    assert bool(_read(file.replace("METHOD", "__len__"))) is (name not in GIVEN_BACK)
