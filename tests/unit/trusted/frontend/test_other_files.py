"""The user's other files are read by Python's rules; where another module may be meant, they are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import File, read_program, read_source
from synth.trusted.program import syntax as ir
from synth.trusted.program.beside import specification_of
from tests.support.typed_runs import Run

NOISE = "import random\n\nSCALE = 2\n\n\ndef noisy(x, b=SCALE):\n    return x + random.gauss(0, b)\n"
BODY = (
    "from synth.lang import absolute_distance, mechanism\n\n\n"
    "@mechanism(adjacent={'x': absolute_distance(1)})\ndef f(x: float, n: int):\n    return "
)


def read(folder: Path, files: dict[str, str], main: str = "main.py") -> File:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_program(folder / main)


def mechanism(folder: Path, files: dict[str, str], main: str = "main.py") -> ir.Mechanism:
    file = read(folder, files, main)
    for error in file.refused:
        raise error
    (found,) = file.mechanisms
    return found


IMPORTS = {
    "a name": ("from noise import noisy\n", "noisy(x, n + 1)"),
    "another name": ("from noise import noisy as g, SCALE as S\n", "g(x) * S"),
    "a module": ("import noise\n", "noise.noisy(x, noise.SCALE)"),
    "a module under another name": ("import noise as m\n", "m.noisy(x)"),
    "a function that is a value": ("from noise import noisy\n", "[noisy(v) for v in map(noisy, [x])]"),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_it_is_read(name: str, tmp_path: Path) -> None:
    head, value = IMPORTS[name]
    found = mechanism(tmp_path, {"main.py": head + BODY + value + "\n", "noise.py": NOISE})
    assert any(isinstance(item, ir.Draw) for item in ir.statements(found.body))
    assert [item.function for item in found.models] == ["random.gauss"]


def test_a_document_needs_no_file(tmp_path: Path) -> None:
    """What it holds is read as the same mechanism, and as another one if the other file is another."""
    files = {"main.py": f"from noise import noisy\n{BODY}noisy(x)\n", "noise.py": NOISE}
    found = mechanism(tmp_path, files)
    assert found.specification is not None and dict(found.specification.files) == {"noise.py": NOISE}
    (same,) = read_source(found.source, str(tmp_path / "main.py"), found.lines, {"f": found.specification})
    assert same.body == found.body
    other = mechanism(tmp_path, {"noise.py": NOISE.replace("2", "3")})
    assert other.body != found.body and other.specification != found.specification


PACKAGE = {
    "pkg/__init__.py": '"""A package."""\n',
    "pkg/sub/__init__.py": "",
    "pkg/noise.py": "from .sub.deep import DEEP\n" + NOISE.replace("b=SCALE", "b=3") + "\n\nONE = 1\n",
    "pkg/sub/deep.py": "DEEP = 4\n",
}


@pytest.mark.parametrize(
    "head",
    [
        "from ..noise import noisy\n",
        "from .. import noise\nnoisy = 1\n",
        "from pkg.noise import noisy\n",
        "from pkg import noise\n",
        "import pkg.noise as noise\n",
        "from .deep import DEEP as noisy\n",
    ],
)
def test_packages(head: str, tmp_path: Path) -> None:
    value = "x + noisy" if "DEEP" in head else "noise.noisy(x)" if " noise\n" in head else "noisy(x)"
    main = {"pkg/sub/main.py": head.replace("noisy = 1\n", "") + BODY + value + "\n"}
    found = mechanism(tmp_path, {**PACKAGE, **main}, "pkg/sub/main.py")
    assert found.specification is not None


HEAD = "from noise import noisy\n"
REFUSED = {
    "a neighbour of Python's": (
        {"random.py": NOISE},
        "import random\n",
        "x + random.gauss(0, 2)",
        "may import 'random' of the program's folder",
    ),
    "a name of the standard library": (
        {"queue.py": NOISE},
        "from queue import noisy\n",
        "noisy(x)",
        "may import 'queue' of the program's folder",
    ),
    "a name of another folder": (
        {"pytest.py": NOISE},
        "from pytest import noisy\n",
        "noisy(x)",
        "may be another",
    ),
    "a compiled file": ({"noise.py": NOISE, "noise.abi3.so": ""}, HEAD, "noisy(x)", "compiled module"),
    "a package of the same name": (
        {"noise.py": NOISE, "noise/__init__.py": NOISE},
        HEAD,
        "noisy(x)",
        "may be noise.py or noise/__init__.py",
    ),
    "a name that isn't there": (
        {"noise.py": "a = 1\n"},
        HEAD,
        "noisy(x)",
        "has no function or constant 'noisy'",
    ),
    "a name that is bound twice": ({"noise.py": NOISE + "\n\nnoisy = 2\n"}, HEAD, "noisy(x)", "noise"),
    "code that isn't read": ({"noise.py": NOISE + "\n\nprint(1)\n"}, HEAD, "noisy(x)", "at module level"),
    "a draw of synth.lang": (
        {"noise.py": "from synth.lang import laplace\n\n\ndef noisy(x):\n    return laplace(x, 2)\n"},
        HEAD,
        "noisy(x)",
        "in another file than that of the mechanism",
    ),
    "a seed there": (
        {"noise.py": f"import random\nrandom.seed(0)\n{NOISE}"},
        HEAD,
        "noisy(x)",
        "noise.py:2: an expression statement is not supported at module level",
    ),
    "a seed in a function there": (
        {"noise.py": f"{NOISE}\n\ndef again():\n    random.seed(1)\n"},
        HEAD + "import random\n",
        "x + random.gauss(0, 2)",
        "seed",
    ),
    "a seed here": ({"noise.py": NOISE}, HEAD + "import random\nrandom.seed(1)\n", "noisy(x)", "seed"),
    "an attribute that is set here": (
        {"noise.py": NOISE},
        "import noise\nimport random\nnoise.noisy = abs\n",
        "noise.noisy(x)",
        "assignment to the attribute 'noisy'",
    ),
    "an attribute that is set there": (
        {"noise.py": f"{NOISE}\n\ndef swap():\n    random.gauss = max\n"},
        HEAD + "import random\n",
        "x + random.gauss(0, 2)",
        "attribute 'gauss'",
    ),
    "an attribute here that it uses": (
        {"noise.py": NOISE},
        HEAD + "import random\nrandom.gauss = max\n",
        "noisy(x)",
        "attribute 'gauss'",
    ),
    "a name that it imports, which is set here before": (
        {"noise.py": NOISE.replace("import random", "from random import gauss").replace("random.g", "g")},
        "import random\nrandom.gauss = max\n" + HEAD,
        "noisy(x)",
        "attribute 'gauss'",
    ),
    "a constant there that is set here": (
        {"noise.py": NOISE.replace("b=SCALE", "b=3").replace("(0, b)", "(0, SCALE)")},
        "import noise\nnoise.SCALE = 0.001\n",
        "noise.noisy(x)",
        "attribute 'SCALE'",
    ),
    "a default value there that is set here": (
        {"noise.py": NOISE},
        "import noise\nnoise.SCALE = 0.001\nfrom noise import noisy\n",
        "noisy(x)",
        "attribute 'SCALE'",
    ),
    "a constant made of one that is set here": (
        {
            "noise.py": NOISE.replace("SCALE = 2", "from deep import DEEP\nSCALE = DEEP * 2"),
            "deep.py": "DEEP = 4\n",
        },
        "import deep\ndeep.DEEP = 0.001\n" + HEAD,
        "noisy(x)",
        "attribute 'DEEP'",
    ),
    "a constant made of a constant that is made of one that is set here": (
        {
            "noise.py": NOISE.replace("SCALE = 2", "import deep\nSCALE = deep.HALF * 2"),
            "deep.py": "DEEP = 4\nHALF = DEEP / 2\n",
        },
        "import deep\ndeep.DEEP = 0.001\n" + HEAD,
        "noisy(x)",
        "attribute 'DEEP'",
    ),
    "a function here that is set there": (
        {"noise.py": NOISE + "\n\ndef patch():\n    import main\n    main.helper = abs\n"},
        HEAD + "\n\ndef helper(x):\n    return noisy(x)\n\n\n",
        "helper(x)",
        "attribute 'helper'",
    ),
    "a package that sets attributes": (
        {"pkg/__init__.py": "import random\nrandom.gauss = max\n", "pkg/noise.py": NOISE},
        "from pkg.noise import noisy\n",
        "noisy(x)",
        "'pkg/__init__.py' may change what is used",
    ),
    "a package that binds the name": (
        {"pkg/__init__.py": "noise = 1\n", "pkg/noise.py": NOISE},
        "from pkg import noise\n",
        "noise.noisy(x)",
        "'pkg/__init__.py' may have something else as 'noise'",
    ),
    "a star import": ({"noise.py": NOISE}, "from noise import *\n", "noisy(x)", "noise"),
    "a recursion": ({"noise.py": "def noisy(x):\n    return noisy(x)\n"}, HEAD, "noisy(x)", "recursion"),
    "what can't be read there": (
        {"noise.py": "def noisy(x):\n    return x @ x\n"},
        HEAD,
        "noisy(x)",
        r"noise.py:2",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    files, head, value, message = REFUSED[name]
    with pytest.raises(ProgramError, match=message):
        mechanism(tmp_path, {**files, "main.py": head + BODY + value + "\n"})


BASE = """\
import random

SCALE = 2


class Base:
    rate = SCALE

    def __init__(self, b=SCALE):
        self.b = b

    def scale(self):
        return self.b * SCALE

    def noisy(self, x):
        return x + random.gauss(0, self.scale())
"""
CHILD = "\n\nSCALE = 7\n\n\nclass Child(Base):\n    pass\n\n\n"
CLASSES = {
    "a base": ("from base import Base\n" + CHILD, "Child(n + 1).noisy(x)"),
    "a base under another name": (
        "from base import Base as B\n" + CHILD.replace("Base", "B"),
        "Child().noisy(x)",
    ),
    "a base of a module": ("import base as m\n" + CHILD.replace("Base", "m.Base"), "Child().noisy(x)"),
    "an object": ("from base import Base\nSCALE = 7\n", "Base(b=3).noisy(x)"),
    "an object of a module's class": ("import base\n", "base.Base(3).noisy(x)"),
    "a base that a package imports": (
        "from pkg import Root\n" + CHILD.replace("Base", "Root"),
        "Child().noisy(x)",
    ),
    "a method of the base": (
        "from base import Base\n"
        + CHILD.replace("pass", "def noisy(self, x):\n        return super().noisy(x)"),
        "Child().noisy(x)",
    ),
    "a base of the same name": (
        "import base\n" + CHILD.replace("Child(Base)", "Base(base.Base)"),
        "Base().noisy(x)",
    ),
}
PKG = {"pkg/__init__.py": "from .inner import Base as Root\n", "pkg/inner.py": BASE}


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name: str, tmp_path: Path) -> None:
    head, value = CLASSES[name]
    found = mechanism(tmp_path, {"main.py": head + BODY + value + "\n", "base.py": BASE, **PKG})
    assert any(isinstance(item, ir.Draw) for item in ir.statements(found.body))
    assert found.specification is not None
    (same,) = read_source(found.source, str(tmp_path / "main.py"), found.lines, {"f": found.specification})
    assert same.body == found.body


@pytest.mark.parametrize(
    "value",
    ["Child().noisy(x)", "Child(2).noisy(x)", "Child(Child.rate).noisy(x)", "Child(Child().rate).noisy(x)"],
)
def test_names_mean_what_they_mean_in_the_base_s_file(value: str, tmp_path: Path) -> None:
    """The same as with the number 2 in their place, and not the 7 of the program."""
    head = "from base import Base\n" + CHILD
    written = BASE.replace("= SCALE", "= 2").replace("b=SCALE", "b=2").replace("* SCALE", "* 2")
    mechanism_of = [
        mechanism(tmp_path, {"main.py": head + BODY + value + "\n", "base.py": text}).body
        for text in (BASE, written)
    ]
    assert mechanism_of[0] == mechanism_of[1]
    other = {"main.py": head + BODY + value + "\n", "base.py": BASE.replace("SCALE = 2", "SCALE = 7")}
    assert mechanism(tmp_path, other).body != mechanism_of[0]


def test_two_classes_of_one_name(tmp_path: Path) -> None:
    """An object of one is no instance of the other."""
    head = "import random\nimport base\n\n\nclass Base:\n    pass\n\n\n"
    head += "def choose(x, y):\n    return x if isinstance(y, Base) else x + random.gauss(0, 5)\n\n\n"
    found = mechanism(tmp_path, {"main.py": head + BODY + "choose(x, base.Base())\n", "base.py": BASE})
    assert any(isinstance(item, ir.Draw) for item in ir.statements(found.body))
    found = mechanism(tmp_path, {"main.py": head + BODY + "choose(n, Base())\n", "base.py": BASE})
    assert not any(isinstance(item, ir.Draw) for item in ir.statements(found.body))


ON_CLASSES = {
    "an attribute of the class that is set here": (BASE, "Base.rate = 0.001\n", "Base(Base.rate).noisy(x)"),
    "an attribute that hides that of objects": (
        BASE,
        "Base.b = property(lambda self: 0.001)\n",
        "Base(3).noisy(x)",
    ),
    "a method that is set here": (BASE, "Base.scale = lambda self: 0.001\n", "Base(3).noisy(x)"),
    "a method that is set in a function": (
        BASE,
        "def patch():\n    Base.scale = abs\n\n\n",
        "Base(3).noisy(x)",
    ),
    "an attribute that is set on a class that is passed": (
        BASE,
        "def patch(c):\n    c.b = property(abs)\n\n\ndef go():\n    patch(Base)\n\n\n",
        "Base(3).noisy(x)",
    ),
    "an attribute that is set there on a class that is passed": (
        BASE + "\n\ndef patch(c):\n    c.b = property(abs)\n",
        "import base\n\n\ndef go():\n    base.patch(base.Base)\n\n\n",
        "Base(3).noisy(x)",
    ),
    "an attribute that is set there on a class of another name": (
        BASE + "\n\ndef patch(c):\n    c.b = property(abs)\n",
        "import base\nfrom base import Base as B\n\n\ndef go():\n    base.patch(B)\n\n\n",
        "Base(3).noisy(x)",
    ),
    "an attribute that is set there on a class of this file": (
        BASE + "\n\ndef patch(c):\n    c.b = property(abs)\n",
        "import base\n\n\nclass Child(Base):\n    pass\n\n\ndef go():\n    base.patch(Child)\n\n\n",
        "Child(3).noisy(x)",
    ),
    "an attribute that is set there": (
        BASE + "\n\ndef patch():\n    Base.rate = 0.001\n",
        "",
        "Base(Base.rate).noisy(x)",
    ),
    "a class that is set here": (BASE, "import base\nbase.Base = max\n", "Base(3).noisy(x)"),
    "a class that is set there": (
        BASE + "\n\ndef go():\n    global Base\n    Base = max\n",
        "",
        "Base(3).noisy(x)",
    ),
    "a base there that is set here": (
        BASE + "\n\nclass Second(Base):\n    pass\n",
        "import base\nbase.Base = max\nfrom base import Second\n",
        "Second(3).noisy(x)",
    ),
    "what a base there is, which can't be read": (
        "from elsewhere import Root\n\n\n" + BASE.replace("Base:", "Base(Root):"),
        "",
        "Base(3).noisy(x)",
    ),
    "a base with a hook": (
        BASE + "\n    def __getattribute__(self, name):\n        return 0.001\n",
        "class Child(Base):\n    pass\n\n\n",
        "Child(3).noisy(x)",
    ),
    "a base with a hook for its classes": (
        BASE + "\n    def __init_subclass__(cls):\n        cls.scale = abs\n",
        "class Child(Base):\n    pass\n\n\n",
        "Child(3).noisy(x)",
    ),
    "a decorator there": (
        "def patched(c):\n    c.scale = abs\n    return c\n\n\n"
        + BASE.replace("class Base", "@patched\nclass Base"),
        "",
        "Base(3).noisy(x)",
    ),
    "a constant that is an object": (BASE, "MADE = Base(3)\n", "MADE.noisy(x)"),
    "a class bound twice there": (BASE + "\n\nclass Base:\n    pass\n", "", "Base().noisy(x)"),
}


@pytest.mark.parametrize("name", ON_CLASSES)
def test_refused_of_classes(name: str, tmp_path: Path) -> None:
    base, head, value = ON_CLASSES[name]
    main = "from base import Base\n" + head + BODY + value + "\n"
    with pytest.raises(ProgramError, match=r"rate|scale|attribute|'b'|Base|base"):
        mechanism(tmp_path, {"base.py": base, "main.py": main})


def test_a_method_that_is_inherited(tmp_path: Path) -> None:
    """A default value with names of the other file is none here; a number stays one."""
    (tmp_path / "base.py").write_text(BASE)
    path = tmp_path / "main.py"
    path.write_text("from base import Base\n" + CHILD)
    stated = {
        "types": {"x": "float", "b": "int"},
        "adjacent": {"x": "absolute_distance(1)"},
        "requires": "b >= 1",
    }
    (found,) = read_program(path, {"Child.noisy": specification_of(stated)}).mechanisms
    assert {item.name for item in found.parameters} == {"x", "b"}
    assert found.span.line <= len(path.read_text().split("\n"))
    given = found.specification
    assert given is not None and dict(given.files) == {"base.py": BASE}
    (same,) = read_source(found.source, str(path), found.lines, {found.name: given})
    assert same.body == found.body
    without = {"types": {"x": "float"}, "adjacent": stated["adjacent"]}
    (error,) = read_program(path, {"Child.noisy": specification_of(without)}).refused
    assert "'b'" in str(error)
    (tmp_path / "base.py").write_text(BASE.replace("b=SCALE", "b=3"))
    (found,) = read_program(path, {"Child.noisy": specification_of(stated)}).mechanisms
    assert {item.name for item in found.parameters} == {"x", "b"}


STEPPING = """\
class Base:
    def __init__(self):
        self.v = 1

    def step(self):
        self.v = 2
        return 0


"""


def test_a_base_that_cannot_be_read_is_told_with_its_place(tmp_path: Path) -> None:
    """Not that the base class isn't supported: why it isn't."""
    base = BASE.replace("class Base:", "print(3)\n\n\nclass Base:")
    main = "from base import Base\n" + CHILD + BODY + "Child(3).noisy(x)\n"
    with pytest.raises(ProgramError, match=r"base\.py:6: "):
        mechanism(tmp_path, {"base.py": base, "main.py": main})


def test_what_a_method_of_another_file_changes_is_seen(tmp_path: Path) -> None:
    """It is read in the order in which it is read if the class stands in the program."""
    head = "import random\n"
    body = BODY.replace("return ", "m = Base()\n    return x + random.gauss(0, m.v + m.step() + m.v)\n")
    apart = mechanism(tmp_path, {"main.py": head + "from base import Base\n" + body, "base.py": STEPPING})
    together = mechanism(tmp_path, {"main.py": head + STEPPING + body})
    assert apart.specification is not None and together.specification is None
    values = [
        [item.value for item in ir.statements(found.body) if isinstance(item, ir.Assign)]
        for found in (apart, together)
    ]
    assert values[0] == values[1] and len(values[0]) > 2


@pytest.mark.parametrize("name", ["Bad", "ValueError"])
def test_exceptions_of_two_files_are_told_apart(name: str, tmp_path: Path) -> None:
    own = f"class {name}(Exception):\n    pass\n\n\n" if name == "Bad" else ""
    check = f"{own}def check(x):\n    if x > 0:\n        raise {name}('x')\n    return 0\n"
    body = f"check(x)\n    if x <= 0:\n        raise {name}('x')\n    return n\n"
    head = f"from bad import check\n\n{own}" + BODY.replace("return ", "")
    found = mechanism(tmp_path, {"main.py": head + body, "bad.py": check})
    one, other = (Run(found, {"x": Fraction(x), "n": 1}, iter(())).output() for x in (1, -1))
    assert one != other


RUNNING = {
    "behind an import": "import lib; lib.patch()\n",
    "a decorator": "@lib.register\ndef g(x):\n    return x\n",
    "a default value": "def g(x=lib.start()):\n    return x\n",
    "a base": "class A(lib.Base):\n    pass\n",
    "a member": "class A:\n    x = lib.start()\n",
    "a member in its line": "class A: x = lib.start()\n",
}


@pytest.mark.parametrize("text", RUNNING.values(), ids=RUNNING)
def test_another_file_runs_nothing_that_is_not_read(text: str, tmp_path: Path) -> None:
    main = f"from noise import noisy\n{BODY}noisy(x)\n"
    assert mechanism(tmp_path, {"main.py": main, "noise.py": f"import lib\n{NOISE}"})
    with pytest.raises(ProgramError):
        mechanism(tmp_path, {"main.py": main, "noise.py": f"import lib\n{text}{NOISE}"})
