"""The user's other files are read by Python's rules; where another module may be meant, they are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.errors import ProgramError
from synth.trusted.frontend.reader import File, read_program, read_source
from synth.trusted.program import syntax as ir

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
        "'random' in the folder",
    ),
    "a name of the standard library": (
        {"queue.py": NOISE},
        "from queue import noisy\n",
        "noisy(x)",
        "of Python",
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
        "",
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
        "",
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
        "'pkg/__init__.py' may change what is used",
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
