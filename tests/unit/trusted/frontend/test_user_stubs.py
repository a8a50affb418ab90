"""Models of libraries that users write: they come first, are assumed, and listed wherever they are used."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend import user_stubs
from synth.trusted.frontend.reader import read_program, read_source
from synth.trusted.frontend.specification_file import parse_specifications
from synth.trusted.program import syntax as ir
from synth.views.assumptions import models
from tests.support.typed_runs import Run

LIBRARY = (
    "import synth.lang as lang\nfrom synth.stubs import floating, shown\n\n\n@floating\n"
    'def noise(b: float) -> float:\n    """draws from the Laplace law"""\n    shown(b > 0)\n'
    "    return lang.laplace(0.0, b)\n\n\n"
    'def _half(x: float) -> float:\n    """halves"""\n    return x / 2\n'
)
PROGRAM = (
    "import mylib.noises\n\n\ndef f(x, eps):\n"
    "    return mylib.noises._half(x) + mylib.noises.noise(1 / eps)\n"
)
TABLE = (
    "[[mechanism]]\nfunction = 'p.py::f'\ntypes = { x = 'float', eps = 'float' }\n"
    "adjacent = { x = 'absolute_distance(1)' }\nrequires = 'eps > 0'\n"
)


def mechanism(folder: Path, files: dict[str, str], table: str = TABLE) -> ir.Mechanism:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    given = parse_specifications(table, folder / "privacy.toml", (folder,))
    file = read_program(folder / "p.py", given.of(folder / "p.py"))
    for error in file.refused:
        raise error
    return file.mechanisms[0]


def test_it_is_read_and_listed(tmp_path: Path) -> None:
    """Functions of any name are: what the user says of a library is never a part of the language."""
    found = mechanism(tmp_path, {"p.py": PROGRAM, "stubs/mylib/noises.py": LIBRARY})
    assert [(item.function, item.stub) for item in found.models] == [
        ("mylib.noises._half", "stubs/mylib/noises.py:12"),
        ("mylib.noises.noise", "stubs/mylib/noises.py:6"),
    ]
    assert found.specification is not None
    assert dict(found.specification.files) == {"stub mylib/noises.py": LIBRARY}
    (same,) = read_source(found.source, str(tmp_path / "p.py"), found.lines, {"f": found.specification})
    assert same.body == found.body


SILENT = {
    "a constant of a class": ("mylib.Kept.K * x", "class Kept:\n    K = 0\n"),
    "a constant of an object's class": ("mylib.Kept().K * x", "class Kept:\n    K = 0\n"),
    "a default of a named tuple": (
        "mylib.Pair(x).b * x",
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: float\n    b: float = 0.0\n",
    ),
    "a member of an Enum": (
        "mylib.Kind.A.value * x",
        "from enum import Enum\nclass Kind(Enum):\n    A = 0\n",
    ),
    "a function by another name": ("mylib.g(x)", "from math import floor as g\n"),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_stub_is_listed_where_none_of_its_functions_is_called(tmp_path: Path, name: str) -> None:
    used, stub = SILENT[name]
    files = {"p.py": f"import mylib\n\n\ndef f(x, eps):\n    return {used}\n", "stubs/mylib.py": stub}
    found = mechanism(tmp_path, files)
    assert models(found) == ("the library is what the stub stubs/mylib.py says",)


def test_the_users_comes_first(tmp_path: Path) -> None:
    own = 'import synth.lang as lang\n\n\ndef gauss(mu: float, sigma: float) -> float:\n    """is wider"""\n'
    own += "    return lang.gaussian(mu, 2 * sigma)\n"
    program = "import random\n\n\ndef f(x, eps):\n    return random.gauss(x, 1 / eps)\n"
    plain = mechanism(tmp_path, {"p.py": program})
    found = mechanism(tmp_path, {"stubs/random.py": own})
    assert [item.stub.partition(":")[0] for item in plain.models] == ["random.py"]
    assert [item.stub for item in found.models] == ["stubs/random.py:4"]
    assert found.body != plain.body


def test_stubs_that_a_table_names(tmp_path: Path) -> None:
    files = {"p.py": PROGRAM, "models/stubs/mylib/noises.py": LIBRARY}
    table = f"{TABLE}stubs = ['models/stubs/mylib/noises.py']\n"
    assert mechanism(tmp_path, files, table).models
    with pytest.raises(ProgramError, match=r"an import of .* is not supported"):
        mechanism(tmp_path, files)


def test_a_stub_that_is_not_used_is_not_held(tmp_path: Path) -> None:
    files = {"p.py": "import random\n\n\ndef f(x, eps):\n    return random.gauss(x, 1)\n"}
    found = mechanism(tmp_path, {**files, "stubs/mylib.py": LIBRARY})
    assert found.specification is not None and not found.specification.files


REFUSED = {
    "a stub that isn't there": ({"p.py": PROGRAM}, "stubs = ['other.py']", "no stub 'other.py' is found"),
    "no list": ({"p.py": PROGRAM}, "stubs = 'other.py'", "'stubs' is no list of files"),
    "what the reader knows": (
        {"p.py": PROGRAM, "stubs/math.py": "A = 1\n"},
        "",
        "the reader knows it itself",
    ),
    "Python's own functions": ({"p.py": PROGRAM, "stubs/builtins.py": ""}, "", "the reader knows it itself"),
    "a stub that can't be read": (
        {
            "p.py": PROGRAM,
            "stubs/mylib/noises.py": "def noise(b):\n    global c\n    return b\n",
        },
        "",
        "a global statement is not supported",
    ),
    "a seed for a stub": (
        {
            "p.py": "import random\nrandom.seed(1)\n"
            + PROGRAM.replace("mylib.noises.noise", "random.gauss(0, 1) + abs"),
            "stubs/mylib/noises.py": LIBRARY,
        },
        "",
        "seed",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    files, more, message = REFUSED[name]
    with pytest.raises(ProgramError, match=message):
        mechanism(tmp_path, files, f"{TABLE}{more}\n")


@pytest.mark.parametrize(
    "inner", ["", "a", "../a.py", "/a.py", "a//b.py", "math.exp.py", " a.py", ".py", "./a.py"]
)
def test_other_names_in_documents_are_of_no_module(inner: str) -> None:
    with pytest.raises(ProgramError, match="not the name of a module's file"):
        user_stubs.stub_of(f"stub {inner}", "")


POKE = 'def poke(xs):\n    """appends"""\n    xs.append(xs[0])\n    return 0\n'


def test_it_may_change_a_list_of_the_module(tmp_path: Path) -> None:
    program = "import mylib\nSIZES = [1, 2]\n\n\ndef f(x, eps):\n    mylib.poke(SIZES)\n    return 1\n"
    with pytest.raises(ProgramError, match="may be changed"):
        mechanism(tmp_path, {"p.py": program, "stubs/mylib.py": POKE})


def test_it_may_change_a_list_of_labels(tmp_path: Path) -> None:
    program = "import mylib\n\n\ndef f(y, eps):\n    x = ['a', 'b']\n    mylib.poke(x)\n    return len(x)\n"
    found = mechanism(tmp_path, {"p.py": program, "stubs/mylib.py": POKE}, TABLE.replace("x =", "y ="))
    assert Run(found, {"y": 0, "eps": 1}, iter(())).output() == (3,)
