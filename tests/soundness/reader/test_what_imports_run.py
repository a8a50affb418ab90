"""An import runs files of the user that nothing of the mechanism is in: what they do to noise counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.trusted.frontend.reader import File, read_program

PROGRAM = """import numpy as np
from synth.lang import *
{}
@mechanism(adjacent={{"x": absolute_distance(1)}})
def f(x: float):
    return x + np.random.laplace(0, K)
"""
SEEDS = "import numpy as np\nnp.random.seed(0)\n"
SETS = "import numpy as np\nnp.random.laplace = lambda *given: 0.0\n"
GUARD = 'if __name__ == "__main__":\n'
SCRIPT = f"import numpy as np\nK = 1\ndef main():\n    np.random.seed(0)\n    return 1\n{GUARD}    main()\n"

REFUSED = {
    "a file that seeds, by one that is read": (
        "from scales import K",
        {"scales.py": "import noise\nK = 1\n", "noise.py": SEEDS},
    ),
    "a file that sets a sampler, by one that is read": (
        "from scales import K",
        {"scales.py": "from noise import nothing\nK = 1\n", "noise.py": SETS},
    ),
    "a package that seeds": ("from pkg.scales import K", {"pkg/__init__.py": SEEDS}),
    "a package that imports what seeds": (
        "from pkg.scales import K",
        {"pkg/__init__.py": "from . import noise\n", "pkg/noise.py": SEEDS},
    ),
    "a package that imports what sets a sampler": (
        "from pkg.scales import K",
        {"pkg/__init__.py": "from .noise import a\n", "pkg/noise.py": f"{SETS}a = 1\n"},
    ),
    "by one file more": (
        "from pkg.scales import K",
        {
            "pkg/__init__.py": "import pkg.more\n",
            "pkg/more.py": "from . import noise\n",
            "pkg/noise.py": SETS,
        },
    ),
    "a file that can't be read, and seeds": ("import noise\nK = 1", {"noise.py": SEEDS}),
    "a file that can't be read, and sets a sampler": ("import noise\nK = 1", {"noise.py": SETS}),
    "a file that such a file imports": (
        "import noise\nK = 1",
        {"noise.py": "print()\nimport more\n", "more.py": SETS},
    ),
    "a package that can't be read, and imports what sets a sampler": (
        "import pkg\nK = 1",
        {"pkg/__init__.py": "from . import noise\n", "pkg/noise.py": SETS},
    ),
    "a file that can't be read, and sets what the program's own functions are called": (
        "import scales, noise\nfrom scales import K",
        {"scales.py": "K = 1\n", "noise.py": "import scales\nscales.K = 0\n"},
    ),
    "a file that may change anything": (
        "import noise\nK = 1",
        {"noise.py": "import builtins\nbuiltins.abs = lambda v: 9\n"},
    ),
    "a file that is imported within a statement": (
        "try:\n    import noise\nexcept ImportError:\n    pass\nK = 1",
        {"noise.py": SETS},
    ),
    "a file that is imported by a function": (
        "def load():\n    import noise\nload()\nK = 1",
        {"noise.py": SETS},
    ),
    "a file that is imported by a function of another file": (
        "from scales import K, load\nload()",
        {"scales.py": "K = 1\ndef load():\n    import noise\n    return 1\n", "noise.py": SETS},
    ),
    "a file that sets what a package has under another name": (
        "from pkg import K\nimport aside",
        {
            "pkg/__init__.py": "from .t import A as K\n",
            "pkg/t.py": "A = 1\n",
            "aside.py": "import pkg\npkg.K = 0\n",
        },
    ),
    "a file that sets what two files give other names": (
        "from high import K\nimport aside",
        {
            "high.py": "from low import J as K\n",
            "low.py": "from base import A as J\n",
            "base.py": "A = 1\n",
            "aside.py": "import low\nlow.J = 0\n",
        },
    ),
    "a file that sets a module of a package": (
        "import aside\nimport pkg.t as t\nK = t.A",
        {"pkg/__init__.py": "", "pkg/t.py": "A = 1\n", "aside.py": "import pkg, math\npkg.t = math\n"},
    ),
    "a file that sets a module of a package, which is imported from it": (
        "import aside\nfrom pkg import t as u\nK = u.A",
        {"pkg/__init__.py": "", "pkg/t.py": "A = 1\n", "aside.py": "import pkg, math\npkg.t = math\n"},
    ),
    "a file that is run by its path": (
        "import runpy\nrunpy.run_path('noise.py')\nK = 1",
        {"noise.py": SETS},
    ),
    "a file that is one of two": ("import noise\nK = 1", {"noise.py": "", "noise/__init__.py": SETS}),
    "a file of which another branch than the script's seeds": (
        "import noise\nK = 1",
        {"noise.py": f"import numpy as np\nprint()\n{GUARD}    pass\nelse:\n    np.random.seed(0)\n"},
    ),
    "a file that gives itself the script's name": (
        "import noise\nK = 1",
        {"noise.py": f"import numpy as np\n__name__ = '__main__'\nprint()\n{GUARD}    np.random.seed(0)\n"},
    ),
    "a file of which the script's function is called here": (
        "from noise import K, main\nmain()",
        {"noise.py": SCRIPT},
    ),
    "a package that is not Python": ("from pkg.scales import K", {"pkg/__init__.py": "def ("}),
}


def read(folder: Path, line: str, files: dict[str, str]) -> File:
    for name, text in {"pkg/scales.py": "K = 1\n", **files, "main.py": PROGRAM.format(line)}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return read_program(folder / "main.py")


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str, tmp_path: Path) -> None:
    file = read(tmp_path, *REFUSED[name])
    assert not file.mechanisms and file.refused


def test_what_changes_nothing_may_be_run(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .more import Scale\nfrom .scales import K\n__all__ = ['K', 'Scale']\n",
        "pkg/more.py": (
            "import numpy as np\n\n\nclass Scale:\n"
            "    def __init__(self, seed):\n        self.seed = seed\n        self.value = np.exp(1)\n"
        ),
    }
    assert read(tmp_path, "from pkg.scales import K", files).mechanisms


def test_a_package_that_can_not_be_read_is_listed(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "from . import noise\n", "pkg/noise.py": "print('noise')\n"}
    (found,) = read(tmp_path, "import pkg\nK = 1", files).mechanisms
    assert found.unread == (3,)


@pytest.mark.parametrize("read_itself", [True, False])
def test_what_another_file_does_as_a_script_is_not_run(read_itself: bool, tmp_path: Path) -> None:
    text = f"import numpy as np\nK = 1\n{'' if read_itself else 'print()'}\n{GUARD}    np.random.seed(0)\n"
    line = "from noise import K" if read_itself else "import noise\nK = 1"
    (found,) = read(tmp_path, line, {"noise.py": text}).mechanisms
    assert found.unread == (() if read_itself else (3,))
