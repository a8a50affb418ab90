"""Which module an import is of.

A file of the user may hide one of Python's, and a package may call another module like one of its own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.frontend.reader import File, read_program

PROGRAM = """from synth.lang import *
{}
@mechanism(adjacent={{"x": absolute_distance(1)}})
def f(x: float):
    return {}
"""
OTHER = "import random\ndef g(x):\n    return random.gauss(x, 1)\n"
NO_NOISE = "def gauss(x, s):\n    return x\ndef randbits(k):\n    return 0\n"
SOURCE = "import numpy as np\nR = np.random.default_rng()"
A, B = "def h(x):\n    return x\n", "def h(x):\n    return 0\n"

REFUSED = {
    "a module of Python's that another file imports": (
        "from noise import g",
        "g(x)",
        {"noise.py": OTHER, "random.py": NO_NOISE},
    ),
    "a module of a library that another file imports": (
        "from noise import g",
        "g(x)",
        {"noise.py": OTHER.replace("random", "numpy.random"), "numpy/__init__.py": "from . import random\n"},
    ),
    "a module of Python's that numpy imports": (SOURCE, "R.laplace(x, 1)", {"secrets.py": NO_NOISE}),
    "a library that another one imports": (
        "from scipy.stats import laplace as l",
        "l.rvs(x, 1)",
        {"numpy.py": NO_NOISE},
    ),
    "a package whose own file calls another module so": (
        "from pkg import b",
        "b.h(x)",
        {"pkg/__init__.py": "from . import a as b\n"},
    ),
    "the same, after an import of the module itself": (
        "import pkg.b as c",
        "c.h(x)",
        {"pkg/__init__.py": "from .b import h\nfrom . import a as b\n"},
    ),
    "a package whose own file may call anything so": (
        "from pkg import b",
        "b.h(x)",
        {"pkg/__init__.py": "from .c import *\n", "pkg/c.py": "from . import a as b\n"},
    ),
    "a file, below a change of sys.path": (
        "import sys\nsys.path.insert(0, 'other')\nfrom noise import g",
        "g(x)",
        {"noise.py": OTHER, "other/noise.py": A},
    ),
    "a module of Python's, below an import that changes sys.path": (
        "from noise import K\nimport random",
        "random.gauss(x, K)",
        {"noise.py": "import sys\nK = 1\ndef change():\n    sys.path.insert(0, 'other')\n"},
    ),
    "the same, by the package's own file": (
        "from pkg.a import h\nimport random",
        "h(random.gauss(x, 1))",
        {"pkg/__init__.py": "from sys import path\npath.insert(0, 'other')\n"},
    ),
    "a package with another path": (
        "from pkg.a import h",
        "h(x)",
        {"pkg/__init__.py": "__path__ = ['other']\n", "other/a.py": B},
    ),
    "a package with one more path": (
        "from pkg.a import h",
        "h(x)",
        {"pkg/__init__.py": "__path__.insert(0, 'other')\n", "other/a.py": B},
    ),
    "a file that calls itself one of another package": (
        "__package__ = 'pkg'\nfrom .a import h",
        "h(x)",
        {"a.py": B},
    ),
    "by a function that declares it global": (
        "from pkg import b",
        "b.h(x)",
        {"pkg/__init__.py": "def change():\n    global b\n    b = 1\n"},
    ),
    "a list of another file that is changed by its name": (
        "import scales\nscales.LIST.append(1)",
        "scales.count() + 0 * x",
        {"scales.py": "LIST = [1]\ndef count():\n    return len(LIST)\n"},
    ),
    "a list of another file that a third one changes": (
        "import scales, third",
        "scales.count() + 0 * x",
        {
            "scales.py": "LIST = [1]\ndef count():\n    return len(LIST)\n",
            "third.py": "from scales import LIST\nLIST.append(1)\n",
        },
    ),
    "a class of another file that a third one changes": (
        "import third\nfrom scales import A",
        "A().g(x)",
        {
            "scales.py": "class A:\n    def g(self, x):\n        return 0 * x\n",
            "third.py": "from scales import A\ndef put(c):\n    c.g = lambda self, x: x\nput(A)\n",
        },
    ),
    "a class that is given to a method of a third file": (
        "import third\nfrom scales import A\nthird.P.put(A)",
        "A().g(x)",
        {
            "scales.py": "class A:\n    def g(self, x):\n        return 0 * x\n",
            "third.py": "print()\nclass P:\n    def put(self):\n        self.g = lambda s, x: x\n",
        },
    ),
    "a decorator that a third file changes": (
        "import third\nfrom scales import g",
        "g(x)",
        {
            "deco.py": "def d(f):\n    return f\n",
            "third.py": "import deco\ndeco.d = lambda f: (lambda x: x)\n",
            "scales.py": "from deco import d\n@d\ndef g(x):\n    return 0 * x\n",
        },
    ),
    "a module in the place of what the package's file defines": (
        "from pkg import g\nfrom pkg.b import h",
        "g(x)",
        {"pkg/__init__.py": "def b(x):\n    return 0\ndef g(x):\n    return b(x) if x > 0 else 0\n"},
    ),
}


def read(folder: Path, line: str, result: str, files: dict[str, str]) -> File:
    modules = {"pkg/a.py": A, "pkg/b.py": B} if "pkg" in line else {}
    for name, text in {**modules, **files, "main.py": PROGRAM.format(line, result)}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return read_program(folder / "main.py")


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str, tmp_path: Path) -> None:
    file = read(tmp_path, *REFUSED[name])
    assert not file.mechanisms and file.refused


def test_a_package_is_looked_for_above_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (tmp_path / "numpy.py").write_text(NO_NOISE)
    assert read(folder, SOURCE, "R.laplace(x, 1)", {}).refused


def in_package(tmp_path: Path) -> Path:
    """The folder of a package, with a module that is beside it, too."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "a.py").write_text(f"{A}class P:\n    def __init__(self, v):\n        self.v = v\n")
    return folder


def test_a_module_beside_a_file_of_a_package_may_be_another_one(tmp_path: Path) -> None:
    folder = in_package(tmp_path)
    assert read(folder, "import a", "a.h(x)", {}).mechanisms
    (tmp_path / "a.py").write_text(B)
    assert read(folder, "import a", "a.h(x)", {}).refused
    assert read(folder, "from . import a", "a.h(x)", {}).mechanisms


def test_a_module_with_two_names_is_one(tmp_path: Path) -> None:
    line = "from . import a\nfrom {} import P"
    result = "x if isinstance(P(x), a.P) else 0.0"
    (found,) = read(in_package(tmp_path), line.format(".a"), result, {}).mechanisms
    (same,) = read(tmp_path / "own", line.format("own.a"), result, {}).mechanisms
    assert same.body == found.body and same.specification == found.specification


def test_a_program_that_is_a_link_may_import_what_is_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "noise.py").write_text(OTHER)
    (tmp_path / "there" / "main.py").write_text(PROGRAM.format("from noise import g", "g(x)"))
    (tmp_path / "here" / "main.py").symlink_to(tmp_path / "there" / "main.py")
    assert read_program(tmp_path / "here" / "main.py").mechanisms
    (tmp_path / "there" / "noise.py").write_text(OTHER.replace("random.gauss(x, 1)", "x"))
    assert read_program(tmp_path / "here" / "main.py").refused


def test_libraries_beside_an_installed_package_are_those_that_are_meant(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages" / "pkg"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder.parent / "numpy.py").write_text("")
    assert read(folder, SOURCE, "R.laplace(x, 1)", {}).mechanisms


@pytest.mark.parametrize(
    "own", ["from . import b\n", "from .b import h\n", "from . import b, a\nfrom .b import h\n", ""]
)
def test_a_module_keeps_its_name(own: str, tmp_path: Path) -> None:
    for line in ("from pkg import b", "import pkg.b as b"):
        assert read(tmp_path, line, "b.h(x)", {"pkg/__init__.py": own}).mechanisms


def test_a_function_called_like_its_module_is_read(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "from .h import h\n", "pkg/h.py": A}
    assert read(tmp_path, "import pkg as p", "p.h(x)", files).mechanisms
