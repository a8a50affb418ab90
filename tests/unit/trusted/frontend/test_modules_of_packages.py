"""A file of a package is read as the module that an import of it gives; that is said with the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import read_source
from synth.trusted.program.beside import specification_of
from synth.views.assumptions import inputs_assumed
from tests.unit.trusted.frontend.test_other_files import BODY, NOISE, mechanism, read

PACKAGE = {"pkg/__init__.py": "", "pkg/sub/__init__.py": ""}
PLACE = "pkg/sub/main.py"


def test_what_lies_beside_it_hides_nothing(tmp_path: Path) -> None:
    """``import random`` in a module of a package is Python's, whatever is called so in its folder."""
    main = {
        PLACE: f"import random\n{BODY}x + random.gauss(0, 2)\n",
        "pkg/sub/random.py": "raise SystemExit\n",
    }
    found = mechanism(tmp_path, {**PACKAGE, **main}, PLACE)
    assert found.specification is not None and found.specification.module == "pkg.sub.main"
    (said,) = inputs_assumed(found)
    assert "imported as 'pkg.sub.main'" in said and "files of 'pkg'" in said


def test_without_such_a_neighbour_nothing_is_assumed(tmp_path: Path) -> None:
    found = mechanism(tmp_path, {**PACKAGE, PLACE: f"import random\n{BODY}x + random.gauss(0, 2)\n"}, PLACE)
    assert found.specification is None and inputs_assumed(found) == ()


def test_a_document_says_it(tmp_path: Path) -> None:
    files = {PLACE: f"from pkg.noise import noisy\n{BODY}noisy(x)\n", "pkg/noise.py": NOISE}
    found = mechanism(tmp_path, {**PACKAGE, **files}, PLACE)
    given = found.specification
    assert given is not None and given.module == "pkg.sub.main"
    assert specification_of(given.json()).module == "pkg.sub.main"
    (same,) = read_source(found.source, str(tmp_path / PLACE), found.lines, {"f": given})
    assert same.body == found.body and same.specification == given


@pytest.mark.parametrize("module", ["a b", "1.x", 7, "pkg..main"])
def test_no_name_of_a_module(module: object) -> None:
    with pytest.raises(ValueError, match="no name of a module"):
        specification_of({"module": module})


def test_a_neighbour_that_is_imported_by_its_name_alone(tmp_path: Path) -> None:
    """That works only where the file is run by its path; then the folder comes first."""
    text = f"from noise import noisy\nimport random\n{BODY}noisy(x)\n"
    files = {**PACKAGE, PLACE: text, "pkg/sub/noise.py": NOISE}
    found = mechanism(tmp_path, files, PLACE)
    assert found.specification is not None and found.specification.module == ""
    with pytest.raises(ProgramError, match="may import 'random'"):
        mechanism(tmp_path, {**files, "pkg/sub/random.py": ""}, PLACE)


def test_a_package_that_is_called_as_one_with_a_stub(tmp_path: Path) -> None:
    """In a checkout of the library its own files are meant, not the models of them."""
    files = {
        "diffprivlib/__init__.py": "",
        "diffprivlib/mechanisms.py": "class Laplace:\n    def randomise(self, v):\n        return v\n",
        "diffprivlib/main.py": f"from diffprivlib.mechanisms import Laplace\n{BODY}Laplace().randomise(x)\n",
    }
    found = mechanism(tmp_path, files, "diffprivlib/main.py")
    assert found.models == () and found.specification is not None
    assert [name for name, _ in found.specification.files] == ["mechanisms.py"]


def test_one_file_has_one_name(tmp_path: Path) -> None:
    """By way of the outermost package as by way of the folder; packages that import the program are fine."""
    files = {
        **PACKAGE,
        "pkg/sub/__init__.py": "from .main import f\nfrom .near import TWO\n",
        "pkg/sub/near.py": "TWO = 2\n",
        "pkg/noise.py": "from pkg.sub.near import TWO\n" + NOISE.replace("b=SCALE", "b=TWO"),
        PLACE: f"from pkg.noise import noisy\nfrom .near import TWO\n{BODY}noisy(x) + TWO\n",
    }
    found = mechanism(tmp_path, files, PLACE)
    assert found.specification is not None
    assert [name for name, _ in found.specification.files] == ["../noise.py", "near.py"]


REFUSED = {
    "a module that imports the program": (
        {"pkg/noise.py": "from pkg.sub.main import f\n" + NOISE},
        "imports this file, too",
    ),
    "a package that changes something": (
        {"pkg/__init__.py": "import random\nrandom.gauss = max\n", "pkg/noise.py": NOISE},
        "may change what is used",
    ),
    "a module that a package runs, and that changes something": (
        {"pkg/__init__.py": "from . import other\n", "pkg/other.py": "exec('1')\n", "pkg/noise.py": NOISE},
        "may change what is used",
    ),
    "a module that a package runs, and that seeds": (
        {
            "pkg/__init__.py": "from . import other\n",
            "pkg/other.py": "import random\nrandom.seed(1)\n",
            "pkg/noise.py": NOISE,
        },
        "seed",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    files, message = REFUSED[name]
    text = f"from pkg.noise import noisy\nimport random\n{BODY}noisy(x) + random.gauss(0, 2)\n"
    with pytest.raises(ProgramError, match=message):
        mechanism(tmp_path, {**PACKAGE, **files, PLACE: text}, PLACE)


def test_functions_of_files_that_are_not_read_are_left_to_the_assumption(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from . import other\n",
        "pkg/sub/__init__.py": "",
        "pkg/other.py": "def make(name):\n    return globals()[name]\n",
        "pkg/noise.py": NOISE,
        PLACE: f"from pkg.noise import noisy\n{BODY}noisy(x)\n",
    }
    file = read(tmp_path, files, PLACE)
    (found,) = file.mechanisms
    assert any("change nothing that is used" in item for item in inputs_assumed(found))


OUTSIDE = {
    "a class of tuples": "class B(tuple):\n    def __new__(cls):\n        return tuple.__new__(cls, (1,))\n",
    "warnings": "import warnings\nwarnings.simplefilter('always', UserWarning)\n",
    "text of an attribute": "def shown(a, b):\n    return repr(getattr(a, b)), str(a.__getattribute__(b))\n",
}
CHANGING = {
    "a class of a class that runs something": "class A:\n    pass\nclass B(print()):\n    pass\n",
    "warnings that are raised": "import warnings\nwarnings.simplefilter('error', UserWarning)\n",
    "warnings of another kind": "import logging as warnings\nwarnings.simplefilter('always')\n",
    "a class on top of what is bound here": "def tuple(*a):\n    return 1\nclass B(tuple):\n    pass\n",
    "what repr is here": "def repr(a):\n    a['TWO'] = 9\nrepr(getattr(abs, '__glob' + 'als__'))\n",
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_code_outside_of_functions_that_only_defines(name: str, tmp_path: Path) -> None:
    main = f"from noise import noisy\n{BODY}noisy(x)\n"
    assert mechanism(tmp_path, {"main.py": main, "noise.py": OUTSIDE[name] + NOISE}).specification is not None


@pytest.mark.parametrize("name", CHANGING)
def test_code_outside_of_functions_that_may_change_something(name: str, tmp_path: Path) -> None:
    main = f"from noise import noisy\n{BODY}noisy(x)\n"
    with pytest.raises(ProgramError):
        mechanism(tmp_path, {"main.py": main, "noise.py": CHANGING[name] + NOISE})
